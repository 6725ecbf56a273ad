"""
Nothing that comes in as text makes us raise anything but our own error, or kills a worker.
"""

import copy
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cases.spell import spell
from tests.parity.compare import bundled
from tests.parity.pages import judging, verdicts
from tests.schemas import ASSERTIONS, schemas
from weighbridge import Catalog, CatalogError

HOSTILE = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)

#: Any JSON value, and what the names of schemas make of it.
NAMES = st.sampled_from(
    (*ASSERTIONS, "$ref", "$id", "$schema", "$anchor", "$dynamicRef", "$defs", "definitions")
) | st.text(max_size=4)
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(
        ("#", "#/$defs/a", "//", "http://[", "a#b", "urn:x", "\x00", "(?<=a)", "(", "")
    )
    | st.text(max_size=6)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=10,
)

#: How bytes are spoilt: where, how many are dropped, and what comes instead.
EDITS = st.lists(
    st.tuples(
        st.integers(0, 10**6),
        st.integers(0, 6),
        st.binary(max_size=3)
        | st.sampled_from((b"\x00", b"\xf0\x9f", b"\xed\xa0\x80", b'"', b"[")),
    ),
    min_size=1,
    max_size=3,
)


def spoilt(content, edits):
    """
    The bytes after some edits.
    """
    for where, dropped, instead in edits:
        at = where % (len(content) + 1)
        content = content[:at] + instead + content[at + dropped :]
    return content


def loaded(folder, name, content):
    """
    The catalog, or the error; whatever else is raised fails the test that asks.
    """
    (folder / name).write_bytes(content)
    try:
        return Catalog.read(folder)
    except CatalogError as error:
        told = error
    assert len(str(told)) < 2_000
    assert str(told).isprintable()
    return told


@pytest.fixture(scope="module")
def files(root):
    """The published files, by name."""
    return {path.name: path.read_bytes() for path in sorted((root / "schemas/mcp").glob("*.json"))}


@HOSTILE
@given(which=st.integers(0, 100), edits=EDITS)
def test_a_published_folder_with_spoilt_bytes_loads_or_is_refused(
    which, edits, files, tmp_path_factory
):
    folder = tmp_path_factory.mktemp("spoilt")
    for name, content in files.items():
        (folder / name).write_bytes(content)
    name = sorted(files)[which % len(files)]
    assert isinstance(loaded(folder, name, spoilt(files[name], edits)), Catalog | CatalogError)


@HOSTILE
@given(schema=schemas, keyword=NAMES, value=VALUES, deep=st.booleans())
def test_a_schema_with_any_value_under_any_keyword_loads_or_is_refused(
    schema, keyword, value, deep, tmp_path_factory
):
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "additionalProperties": False,
        "x-weighbridge-tool": "t",
        **copy.deepcopy(schema),
    }
    inner = document["$defs"]["two"]
    (inner if deep and isinstance(inner, dict) else document)[keyword] = value
    folder = tmp_path_factory.mktemp("odd")
    told = loaded(folder, "t-input.schema.json", json.dumps(document).encode())
    if isinstance(told, Catalog):
        refusal = told.check("t", {"v": value}).refusal
        assert refusal is None or refusal.code != "unusable-schema"


@HOSTILE
@given(value=VALUES)
def test_settings_of_any_kind_load_or_are_refused(value, files, tmp_path_factory):
    folder = tmp_path_factory.mktemp("settings")
    (folder / "t.json").write_text(
        '{"type":"object","additionalProperties":false,"x-weighbridge-tool":"t"}'
    )
    told = loaded(folder, "catalog.json", json.dumps(value).encode())
    assert isinstance(told, Catalog | CatalogError)


@HOSTILE
@given(listed=st.lists(VALUES, max_size=3), schema=VALUES, arguments=VALUES)
def test_a_foreign_list_of_any_kind_is_taken_or_listed_and_its_tools_answer(
    listed, schema, arguments
):
    tools = [*listed, {"name": "t", "inputSchema": schema}]
    catalog = Catalog.from_tools(tools)
    assert {"t"} <= {*catalog.tools, *catalog.unusable}
    verdict = catalog.check("t", arguments)
    assert verdict.refusal is None or verdict.refusal.code in {
        "mismatch",
        "not-json",
        "too-large",
        "unusable-schema",
    }


@HOSTILE
@given(edits=EDITS)
def test_a_call_with_spoilt_bytes_gets_a_verdict_that_is_no_fault_of_ours(edits, caplog):
    call = {"projectId": "demo", "query": "caf\u00e9 \U0001f600", "limit": 3}
    content = json.dumps(call, ensure_ascii=False).encode()
    verdict = bundled().check_text("knowledge.search", spoilt(content, edits))
    assert verdict.refusal is None or verdict.refusal.code != "unusable-schema"
    assert caplog.records == []


#: Texts that have killed interpreters, as every seat spells them.
DEADLY = {
    "twenty thousand brackets": {"join": [{"repeat": "[", "times": 20_000}]},
    "twenty thousand brackets that close": {
        "join": [{"repeat": "[", "times": 20_000}, {"repeat": "]", "times": 20_000}]
    },
    "twenty thousand objects": {"join": [{"repeat": '{"a":', "times": 20_000}]},
    "a million brackets in a string": {
        "join": ['{"query":"', {"repeat": "[", "times": 1_000_000}, '"}']
    },
    "NUL bytes": {"join": ['{"query":"', {"repeat": "\x00", "times": 1_000}, '"}']},
    "a NUL after the end": "{}\x00",
    "a hundred MiB": {"join": ['{"query":"', {"repeat": "x", "times": 100 << 20}, '"}']},
    "a hundred MiB of blanks": {"join": [{"repeat": " ", "times": 100 << 20}]},
    "millions of empty objects": {
        "join": ['{"query":[', {"repeat": "{},", "times": 8_700_000}, "1]}"]
    },
    "millions of texts without commas": {
        "join": [{"repeat": "[]", "times": 40}, {"repeat": '""', "times": 13_000_000}]
    },
    "half a surrogate pair": '{"query":"\ud83d"}',
    "half an escaped pair": '{"query":"\\ud83d"}',
    "a mark of byte order": "\ufeff{}",
    "an integer of a hundred thousand digits": {
        "join": ['{"limit":', {"repeat": "9", "times": 100_000}, "}"]
    },
}


@pytest.mark.browser
def test_one_worker_outlives_every_deadly_text_and_says_what_this_process_says(browser, dist):
    ordinary = {"tool": "knowledge.search", "text": '{"projectId":"demo","query":"retry"}'}
    with judging(browser, dist) as page:
        (before,) = verdicts(page, [ordinary])
        for name, form in DEADLY.items():
            got = verdicts(page, [{"tool": "knowledge.search", "text": form}])
            want = bundled().check_text("knowledge.search", spell(form)).to_json()
            assert (name, got) == (name, [want])
            assert json.loads(want)["refusal"]["code"] in {"too-large", "not-json", "mismatch"}
        assert verdicts(page, [ordinary]) == [before]
        assert json.loads(before)["admitted"]
