"""
Runs whole tables in the interpreter of the page, and notes each module that it asked for in vain.
"""

import json
import sys

asked: list[str] = []


class Last:
    """
    The finder that is asked when no other knew the module.
    """

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        """
        Note the name, and know nothing of it.
        """
        asked.append(name)


sys.meta_path.append(Last)

import weighbridge_seat  # noqa: E402 - with the finder in place

import weighbridge  # noqa: E402

with open("/inside/catalog.json", encoding="utf-8") as file:  # noqa: PTH123 - nothing is imported here
    weighbridge_seat.open_catalog(file.read())
with open("/inside/calls.json", encoding="utf-8") as file:  # noqa: PTH123
    verdicts = [
        weighbridge_seat.check(tool, text, advisory=False) for tool, text in json.load(file)
    ]
weighbridge_seat.compare('{"tools": []}')
foreign = []
with open("/inside/foreign.json", encoding="utf-8") as file:  # noqa: PTH123
    for schema, texts in json.load(file):
        catalog = weighbridge.Catalog.from_tools([{"name": "t", "inputSchema": schema}])
        foreign.append([catalog.check_text("t", text).to_json() for text in texts])
answer = json.dumps({"asked": sorted(set(asked)), "verdicts": verdicts, "foreign": foreign})
