"""
The official suite as questions, and what is known of each answer beforehand.
"""

import json
from collections import Counter
from dataclasses import dataclass

from tests.suite import official_suite
from tests.suites.apply import DRAFTS
from weighbridge.formats import FORMATS

_VOCABULARIES = {
    ("vocabulary", "schema that uses custom metaschema with with no validation vocabulary"),
    ("vocabulary", "ignore unrecognized optional vocabulary"),
}

#: Groups that fail to load: they declare a metaschema of their own, and a dialect
#: that is not applied here is refused instead of guessed at.
REFUSED = {
    "draft2020-12": _VOCABULARIES,
    "draft2019-09": _VOCABULARIES,
    "draft7": set(),
    "draft6": set(),
}

#: Optional groups that fail to load, for the same reason.
OPTIONAL_REFUSED = {
    ("format-assertion", "schema that uses custom metaschema with format-assertion: false"),
    ("format-assertion", "schema that uses custom metaschema with format-assertion: true"),
}

#: Optional files that ask for what is not promised: ``dependencies`` outside the
#: dialects that have it, and the content of a string.
NOT_PROMISED = {"dependencies-compatibility", "content"}


@dataclass(frozen=True, slots=True)
class Case:
    """
    One instance of the suite.
    """

    file: str
    group: str
    name: str
    valid: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """
    How one part of the suite was answered.
    """

    #: Cases whose schema was applied.
    decided: int

    #: Cases that were answered otherwise than the suite says: file, group, case to what was said.
    otherwise: dict[tuple[str, str, str], bool | None]

    #: Groups whose schema was refused, to the error's text; and how many cases they hold.
    refused: dict[tuple[str, str], str]
    of_refused: int

    @property
    def right(self) -> int:
        """Cases answered as the suite says."""
        return self.decided - len(self.otherwise)

    @property
    def files(self) -> Counter[str]:
        """How many cases of each file were answered otherwise."""
        return Counter(file for file, _, _ in self.otherwise)


def documents(draft):
    """
    What the suite expects to be at hand: address to dialect and document.
    """
    folder = official_suite().parent / "remotes"
    found = {}
    for path in sorted(folder.rglob("*.json")):
        place = path.relative_to(folder)
        document = json.loads(path.read_text("utf-8"))
        if place.parts[0].startswith("draft") and place.parts[0] not in DRAFTS:
            continue
        if isinstance(document, dict) and "localhost" in document.get("$schema", ""):
            # A metaschema of its own.
            continue
        own = DRAFTS.get(place.parts[0], DRAFTS[draft])
        found[f"http://localhost:1234/{place.as_posix()}"] = [own, document]
    return found


def groups(draft, folder="", only=None):
    """
    File and group of each schema in that part of the suite.
    """
    for path in sorted((official_suite() / draft / folder).glob("*.json")):
        if only is None or path.stem in only:
            for group in json.loads(path.read_text("utf-8")):
                yield path.stem, group


def promised(draft):
    """
    The optional files that are promised.
    """
    return {file for file, _ in groups(draft, "optional")} - NOT_PROMISED


#: Part of the suite to its folder and the files of it that are asked.
PARTS = {
    "mandatory": ("", lambda _draft: None),
    "optional": ("optional", promised),
    "formats": ("optional/format", lambda _draft: set(FORMATS)),
}


def part(draft, name):
    """
    The file and group of each schema of a part.
    """
    folder, only = PARTS[name]
    return list(groups(draft, folder, only(draft)))


def question(draft, asked):
    """
    What ``apply.answers`` is asked about those groups.
    """
    listed = [
        {"schema": group["schema"], "data": [case["data"] for case in group["tests"]]}
        for _, group in asked
    ]
    return json.dumps({"draft": draft, "documents": documents(draft), "groups": listed})


def outcome(asked, text):
    """
    How ``apply.answers`` answered those groups.
    """
    decided, otherwise, refused, of_refused = 0, {}, {}, 0
    for (file, group), told in zip(asked, json.loads(text), strict=True):
        if isinstance(told, str):
            refused[file, group["description"]] = told
            of_refused += len(group["tests"])
            continue
        for case, said in zip(group["tests"], told, strict=True):
            decided += 1
            valid = None if said is None else not said[1]
            if valid is not case["valid"]:
                otherwise[file, group["description"], case["description"]] = valid
    return Outcome(decided, otherwise, refused, of_refused)
