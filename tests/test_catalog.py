"""
A catalog loads whole or not at all, and says in which file, where, and what to do.
"""

import contextlib
import json
import os
import sys

import pytest

from tests.catalogs import CLOSED, folder, input_schema, published
from tests.support.counted import no_hang
from weighbridge import Catalog, CatalogError, Limits
from weighbridge.limits import RANGES, as_dict

ID = "https://example.org/schemas/"


def shared(**more):
    return {
        "$id": f"{ID}shared.schema.json",
        "type": "object",
        "unevaluatedProperties": False,
        **more,
    }


def uses_shared(**more):
    return input_schema(properties={"s": {"$ref": f"{ID}shared.schema.json"}}, **more)


def nested(schema, keyword, times):
    for _ in range(times):
        schema = {keyword: schema}
    return schema


INSIDE = {
    "an unresolved reference": ({"$ref": "#/$defs/none"}, "/properties/x/$ref", "leads nowhere"),
    "a reference to the network": (
        {"$ref": "http://127.0.0.1:9/a.json"},
        "/properties/x/$ref",
        "nothing is ever fetched",
    ),
    "a reference that is no URI": ({"$ref": "http://["}, "/properties/x/$ref", "leads nowhere"),
    "a reference to what is no schema": (
        {"$ref": "#/type"},
        "/properties/x/$ref",
        "it leads to what is no schema",
    ),
    "a reference into an enum": (
        {"enum": [{"type": 5}], "$ref": "#/properties/x/enum/0"},
        "/properties/x/$ref",
        "it leads to what is no schema",
    ),
    "a type that nobody knows": ({"type": "strnig"}, "/properties/x/type", "by enum"),
    "a negative bound": ({"maxLength": -1}, "/properties/x/maxLength", "by minimum"),
    "a bound of bytes that is no number": (
        {"x-maxBytes": "1k"},
        "/properties/x/x-maxBytes",
        "it is no number of bytes",
    ),
    "required that repeats a name": (
        {"required": ["a", "a"]},
        "/properties/x/required",
        "by uniqueItems",
    ),
    "an identifier with a fragment": ({"$id": "a#b"}, "/properties/x/$id", "by pattern"),
    "an anchor with a space": ({"$anchor": "a b"}, "/properties/x/$anchor", "by pattern"),
    "a pattern of another language": ({"pattern": "(?i)a"}, "/properties/x/pattern", "not usable"),
    "a pattern that can take exponential time": (
        {"pattern": "^([a-z0-9]+-?)+$"},
        "/properties/x/pattern",
        "exponential",
    ),
    "a pattern that can take polynomial time on an unbounded string": (
        {"pattern": "\\s+$"},
        "/properties/x/pattern",
        "add a smaller maxLength",
    ),
    "a format that is not asserted": ({"format": "iri"}, "/properties/x/format", "'iri'"),
    "an anchor that two schemas have": (
        {"anyOf": [{"$anchor": "a"}, {"$anchor": "a"}]},
        "/properties/x/anyOf/0",
        "called 'a' too",
    ),
    "the identifier of the document itself": (
        {"anyOf": [{"$id": "t-input.schema.json"}]},
        "/properties/x/anyOf/0",
        "called 't-input.schema.json' too",
    ),
    "an identifier that two schemas have": (
        {"anyOf": [{"$id": "i"}, {"$id": "i"}]},
        "/properties/x/anyOf/0",
        "called 'i' too",
    ),
    "an inner object that does not say whether it is closed": (
        {"type": "object", "properties": {"a": {}}},
        "/properties/x",
        "does not say whether it is closed",
    ),
    "an inner resource of an older dialect": (
        {"$id": "old", "$schema": "http://json-schema.org/draft-07/schema#", "items": [{}]},
        "/properties/x/items",
        "by type",
    ),
    "an inner resource of a dialect that nobody knows": (
        {"$id": "odd", "$schema": "https://example.org/meta"},
        "/properties/x/$schema",
        "a dialect that is not applied here",
    ),
}


@pytest.mark.parametrize("fault", INSIDE)
def test_a_fault_inside_a_schema_is_told_at_its_place(fault, tmp_path):
    schema, place, said = INSIDE[fault]
    with pytest.raises(CatalogError) as caught:
        published(tmp_path, properties={"x": schema})
    assert (caught.value.file, caught.value.place) == ("t-input.schema.json", place)
    assert said in str(caught.value)


FILES = {
    "no file at all": ({}, "catalog", "", "no schema names a tool"),
    "text that is not JSON": (
        {"a.json": '{\n "type": }'},
        "a.json",
        "",
        "not strict JSON (malformed at line 2, column 10)",
    ),
    "a key that stands twice": (
        {"a.json": '{"type":"object","type":"array"}'},
        "a.json",
        "",
        "a name stands twice",
    ),
    "bytes that are not UTF-8": ({"a.json": b'{"a":"\xff"}'}, "a.json", "", "(utf-8)"),
    "a byte order mark": ({"a.json": b"\xef\xbb\xbf{}"}, "a.json", "", "(bom"),
    "a number that is not finite": ({"a.json": '{"maximum":1e999}'}, "a.json", "", "(number)"),
    "a lone surrogate": ({"a.json": '{"title":"\\ud800"}'}, "a.json", "", "(surrogate)"),
    "a list": ({"a.json": []}, "a.json", "", "it is no JSON object"),
    "true": ({"a.json": True}, "a.json", "", "it is no JSON object"),
    "null": ({"a.json": None}, "a.json", "", "it is no JSON object"),
    "nothing": ({"a.json": ""}, "a.json", "", "not strict JSON"),
    "an older dialect": (
        {"a.json": {"$schema": "http://json-schema.org/draft-07/schema#"}},
        "a.json",
        "/$schema",
        "written in Draft 2020-12",
    ),
    "a dialect that is no text": ({"a.json": {"$schema": 7}}, "a.json", "/$schema", "2020-12"),
    "a tool name that is no text": (
        {"a.json": {**CLOSED, "x-weighbridge-tool": 7}},
        "a.json",
        "/x-weighbridge-tool",
        "it is no tool name",
    ),
    "an empty tool name": (
        {"a.json": input_schema("")},
        "a.json",
        "/x-weighbridge-tool",
        "it is no tool name",
    ),
    "a tool name that is too long": (
        {"a.json": input_schema("n" * 129)},
        "a.json",
        "/x-weighbridge-tool",
        "1 to 128 characters",
    ),
    "an input schema that names no tool": (
        {"a-input.schema.json": CLOSED},
        "a-input.schema.json",
        "",
        "names no tool",
    ),
    "a schema that serves nothing": (
        {"a.json": input_schema(), "b.json": shared()},
        "b.json",
        "",
        "no other schema refers to it",
    ),
    "a doubled tool": (
        {"a.json": input_schema(), "b.json": input_schema()},
        "b.json",
        "/x-weighbridge-tool",
        "'t' is also that of 'a.json'",
    ),
    "a doubled identifier": (
        {"a.json": input_schema("a", **{"$id": ID}), "b.json": input_schema("b", **{"$id": ID})},
        "b.json",
        "/$id",
        "is also that of 'a.json'",
    ),
    "an identifier inside that is also another file's": (
        {
            "a.json": input_schema("a", properties={"x": {"$id": "i"}}),
            "b.json": input_schema("b", properties={"x": {"$id": "i"}}),
        },
        "b.json",
        "",
        "called 'i', as is one in 'a.json'",
    ),
    "an identifier that is no URI": (
        {"a.json": input_schema(**{"$id": "http://["})},
        "a.json",
        "",
        "no URI",
    ),
    "a root of another type": (
        {"a.json": {**input_schema(), "type": "array"}},
        "a.json",
        "",
        "an input schema is an object schema",
    ),
    "a root of two types": (
        {"a.json": {**input_schema(), "type": ["object", "null"]}},
        "a.json",
        "",
        "an input schema is an object schema",
    ),
    "an open root": (
        {"a.json": {"type": "object", "x-weighbridge-tool": "t"}},
        "a.json",
        "",
        "open to unknown names",
    ),
    "a root that says it is open": (
        {"a.json": input_schema(additionalProperties=True)},
        "a.json",
        "",
        "open to unknown names",
    ),
    "a closure that cannot see what is composed": (
        {"a.json": input_schema(allOf=[{"properties": {"a": {}}}])},
        "a.json",
        "/additionalProperties",
        "cannot see the names that allOf brings in",
    ),
    "a reference that returns to itself": (
        {"a.json": input_schema(**{"$defs": {"a": {"$ref": "#/$defs/a"}}})},
        "a.json",
        "/$defs/a",
        "without end",
    ),
    "two references that lead to each other": (
        {
            "a.json": input_schema(
                **{"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}}}
            )
        },
        "a.json",
        "/$defs/",
        "without end",
    ),
    "a fault in the shared schema": (
        {"a.json": uses_shared(), "b.json": shared(properties={"x": {"format": "iri"}})},
        "b.json",
        "/properties/x/format",
        "'iri'",
    ),
    "schemas nested past what is read": (
        {"a.json": input_schema(properties={"x": nested({}, "not", 62)})},
        "a.json",
        "",
        "nesting",
    ),
    "ten thousand open brackets": ({"a.json": "[" * 10_000}, "a.json", "", "nesting"),
    "more values than are read": ({"a.json": [0] * 200_001}, "a.json", "", "nodes"),
    "more bytes than are read": (
        {"a.json": {"title": "x" * 5_000_000}},
        "a.json",
        "",
        "passes the body limit",
    ),
}


@pytest.mark.parametrize("fault", FILES)
def test_a_faulty_folder_is_refused_with_the_file_and_the_place(fault, tmp_path):
    files, file, place, said = FILES[fault]
    with pytest.raises(CatalogError) as caught:
        Catalog.read(folder(tmp_path / "catalog", files))
    error = caught.value
    assert file in error.file
    assert error.place.startswith(place)
    assert said in str(error)
    assert error.cure
    assert len(str(error)) < 1_200


@pytest.mark.parametrize(
    ("value", "place", "said"),
    [
        ([], "", "it is no JSON object"),
        ({"limit": {}}, "/limit", "it is no setting"),
        ({"limits": None}, "/limits", "it is no JSON object"),
        ({"limits": {"depth": 3}}, "/limits/depth", "it is no setting"),
        ({"limits": {"nodes": True}}, "/limits/nodes", "out of range"),
        ({"limits": {"nodes": 5.0}}, "/limits/nodes", "out of range"),
        ({"limits": {"nodes": "5"}}, "/limits/nodes", "out of range"),
        ({"tools": []}, "/tools", "it is no JSON object"),
        ({"tools": {"t": 5}}, "/tools/t", "it is no JSON object"),
        ({"tools": {"t": {}}}, "/tools/t", "it gives no reason"),
        ({"tools": {"t": {"reason": " "}}}, "/tools/t", "it gives no reason"),
        ({"tools": {"t": {"reason": 7}}}, "/tools/t", "it gives no reason"),
        ({"tools": {"t": {"reason": "r", "x": 1}}}, "/tools/t/x", "it is no setting"),
        ({"tools": {"u": {"reason": "r"}}}, "/tools/u", "no schema names this tool"),
        (
            {"tools": {"t": {"reason": "r", "limits": {"nodes": 100_001}}}},
            "/tools/t/limits/nodes",
            "wider than the catalog's",
        ),
        ({"exceptions": {}}, "/exceptions", "it is no list"),
        ({"exceptions": [1]}, "/exceptions/0", "it is no JSON object"),
        ({"exceptions": [{"rule": []}]}, "/exceptions/0/rule", "no such rule"),
        ({"exceptions": [{"rule": "shut"}]}, "/exceptions/0/rule", "no such rule"),
        ({"exceptions": [{"rule": "open-root"}]}, "/exceptions/0/schema", "no schema's name"),
        (
            {"exceptions": [{"rule": "open-root", "schema": "x"}]},
            "/exceptions/0",
            "it gives no reason",
        ),
        (
            {"exceptions": [{"rule": "open-root", "schema": "x", "reason": "r"}]},
            "/exceptions",
            "excepts nothing",
        ),
    ],
)
def test_settings_that_say_nothing_true_are_refused(value, place, said, tmp_path):
    with pytest.raises(CatalogError) as caught:
        published(tmp_path, settings=value)
    assert (caught.value.file, caught.value.place) == ("catalog.json", place)
    assert said in str(caught.value)


@pytest.mark.parametrize("name", RANGES)
def test_every_limit_may_be_set_within_its_range_and_not_outside(name, tmp_path):
    least, most = RANGES[name]
    for value in (least, most):
        catalog = published(tmp_path, settings={"limits": {name: value}})
        assert getattr(catalog.limits, name) == value
        assert catalog.tools["t"].limits == catalog.limits
    for value in (least - 1, most + 1):
        with pytest.raises(CatalogError, match=f"/limits/{name}"):
            published(tmp_path, settings={"limits": {name: value}})


def test_a_tool_may_have_narrower_limits_and_is_judged_by_them(tmp_path):
    folder(tmp_path, {"u.json": input_schema("u", properties={"a": {}})})
    catalog = published(
        tmp_path,
        settings={"limits": {"nodes": 9}, "tools": {"t": {"limits": {"nodes": 3}, "reason": "r"}}},
        properties={"a": {}},
    )
    assert catalog.tools["t"].limits == Limits(nodes=3)
    assert catalog.tools["u"].limits == catalog.limits == Limits(nodes=9)
    assert catalog.check("t", {"a": []}).admitted
    assert catalog.check("t", {"a": [1]}).refusal.limit == "nodes"
    assert catalog.check("u", {"a": [1]}).admitted


def test_what_is_in_the_folder_and_is_no_json_file_is_left_alone(tmp_path):
    published(tmp_path)
    folder(tmp_path, {"README.md": "# Notes", ".hidden": "x", "t.json.bak": "{"})
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "x.json").write_text("{", "utf-8")
    assert list(Catalog.read(tmp_path).tools) == ["t"]


def test_a_name_that_ends_as_a_schema_file_and_is_none_is_refused(tmp_path):
    """
    A dangling link would otherwise take a tool out of the catalog without a word.
    """
    published(tmp_path / "link")
    (tmp_path / "link" / "u.json").symlink_to("nowhere.json")
    published(tmp_path / "folder")
    (tmp_path / "folder" / "u.json").mkdir()
    published(tmp_path / "loop")
    (tmp_path / "loop" / "u.json").symlink_to("u.json")
    published(tmp_path / "device")
    (tmp_path / "device" / "u.json").symlink_to("/dev/zero")
    published(tmp_path / "pipe")
    os.mkfifo(tmp_path / "pipe" / "u.json")
    for where in ("link", "folder", "loop", "device", "pipe"):
        with pytest.raises(CatalogError, match=r"^u\.json: it is no file"):
            Catalog.read(tmp_path / where)


def test_a_link_to_a_file_is_read_as_the_file(tmp_path):
    published(tmp_path / "a")
    folder(tmp_path / "b", {})
    (tmp_path / "b" / "other.json").symlink_to(tmp_path / "a" / "t-input.schema.json")
    assert list(Catalog.read(tmp_path / "b").tools) == ["t"]


@pytest.mark.parametrize("where", ["nowhere", "a\0b", "file.json/below"])
def test_a_folder_that_cannot_be_read_is_refused(where, tmp_path):
    (tmp_path / "file.json").write_text("{}", "utf-8")
    with pytest.raises(CatalogError, match="the folder cannot be read"):
        Catalog.read(str(tmp_path / where))


def make_unreadable(file):
    """
    Root reads what a mode forbids; the memory at address 0 it cannot read either.
    """
    if os.geteuid() == 0:
        file.unlink()
        file.symlink_to("/proc/self/mem")
    else:
        file.chmod(0)


def test_a_file_that_may_not_be_read_is_refused(tmp_path):
    published(tmp_path)
    make_unreadable(tmp_path / "t-input.schema.json")
    with pytest.raises(CatalogError, match="the file cannot be read"):
        Catalog.read(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="not run: file names are text here")
def test_a_file_name_that_is_not_utf8_is_told_escaped(tmp_path):
    name = b"\xff\x1b[31m\n.json"
    (tmp_path / os.fsdecode(name)).write_bytes(b"{")
    with pytest.raises(CatalogError) as caught:
        Catalog.read(tmp_path)
    assert str(caught.value).isascii()
    assert str(caught.value).isprintable()
    assert str(caught.value).startswith("\\udcff\\x1b[31m\\n.json: it is not strict JSON")


def test_names_inside_a_schema_cannot_forge_a_line_of_an_error(tmp_path):
    name = "x\n\x1b[31m\u202e~/"
    with pytest.raises(CatalogError) as caught:
        published(tmp_path, properties={name: {"type": "none\n"}})
    assert caught.value.place == "/properties/x\n\x1b[31m\u202e~0~1/type"
    assert str(caught.value).isprintable()
    assert str(caught.value).isascii()


def test_one_fault_fails_the_whole_catalog(tmp_path):
    published(tmp_path)
    folder(tmp_path, {"u.json": {**input_schema("u"), "properties": {"x": {"format": "iri"}}}})
    with pytest.raises(CatalogError) as caught:
        Catalog.read(tmp_path)
    assert (caught.value.file, caught.value.place) == ("u.json", "/properties/x/format")


def test_a_pattern_that_each_next_character_decides_needs_no_bound_beside_it(tmp_path):
    """
    Its cost is charged when the call comes, and a text past the work limit is refused.
    """
    catalog = published(tmp_path, properties={"a": {"pattern": "^[a-z0-9]+(?:-[a-z0-9]+)*$"}})
    assert catalog.check("t", {"a": "a-b"}).admitted
    assert catalog.check("t", {"a": "a" * 12_000_000}).refusal.limit == "work"


def test_a_folder_whose_one_schema_names_no_tool_is_told_by_that_file(tmp_path):
    schema = {"type": "object", "additionalProperties": False}
    with pytest.raises(CatalogError) as caught:
        Catalog.read(folder(tmp_path, {"a.json": schema}))
    assert caught.value.file == "a.json"


def test_schemas_may_nest_as_deep_as_the_file_is_read(tmp_path):
    """
    A metaschema that follows a schema down would be spent after a few levels.
    """
    inner = {"type": "string", "maxLength": 3}
    for _ in range(29):
        inner = {"type": "object", "properties": {"a": inner}, "additionalProperties": False}
    catalog = published(tmp_path, properties={"a": inner})
    call = "abcd"
    for _ in range(30):
        call = {"a": call}
    (finding,) = catalog.check("t", call).refusal.findings
    assert (finding.pointer, finding.keyword) == ("/a" * 30, "maxLength")


def test_a_load_says_the_same_from_however_deep_it_is_called(tmp_path):
    """
    Depth is counted; what is left of the interpreter's stack decides nothing.
    """

    def from_below(frames, times):
        if frames:
            return from_below(frames - 1, times)
        try:
            return published(tmp_path, properties={"x": nested({}, "not", times)}).digest
        except CatalogError as error:
            return str(error)

    for times in (20, 40, 46, 47, 48, 49, 58):
        assert from_below(0, times) == from_below(200, times)


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "schema",
    [
        {"required": [{"a": at} for at in range(30_000)]},
        {"required": [1, *map(str, range(90_000))]},
        {"properties": {"x": {"type": ["string", *({"a": at} for at in range(20_000))]}}},
        {"properties": {"x": {"enum": [{"a": at} for at in range(40_000)]}}},
        {"properties": {"x": {"title": "x" * 4_000_000}}},
        {
            "$defs": {
                "all": {"allOf": [{"$ref": f"#/$defs/s{at}"} for at in range(3_000)]},
                **{f"s{at}": {"type": "object"} for at in range(3_000)},
                **{
                    f"u{at}": {"$ref": "#/$defs/all", "unevaluatedProperties": False}
                    for at in range(3_000)
                },
            }
        },
    ],
    ids=["objects", "mixed", "types", "enum", "title", "closures"],
)
def test_a_hostile_schema_is_answered(schema, tmp_path):
    """
    Each of these kept a loader that counts nothing busy for minutes.
    """
    with no_hang(), contextlib.suppress(CatalogError):
        published(tmp_path, **schema)


def test_the_bundled_catalog_is_the_published_folder(root):
    assert Catalog.bundled().digest == Catalog.read(root / "schemas" / "mcp").digest
    assert len(Catalog.bundled().tools) == 10


def test_tools_are_in_code_point_order(tmp_path):
    names = ["b", "a", "B", "\U0001f600", "\uffff", "é", "a.b"]
    catalog = Catalog.read(
        folder(tmp_path, {f"{at}.json": input_schema(name) for at, name in enumerate(names)})
    )
    assert list(catalog.tools) == sorted(names)


def test_the_page_reads_what_the_catalog_says(tmp_path):
    catalog = published(tmp_path, title="T", description="Does nothing.", properties={"a": {}})
    text = catalog.to_json()
    assert text.isascii()
    said = json.loads(text)
    assert said == {
        "contract": 1,
        "version": "0.1.0",
        "digest": catalog.digest,
        "shapeDigest": catalog.shape_digest,
        "limits": as_dict(Limits()),
        "bookkeeping": [],
        "advisory": False,
        "unusable": {},
        "tools": [
            {
                "name": "t",
                "description": "Does nothing.",
                "digest": catalog.tools["t"].digest,
                "limits": {},
                "inputSchema": {
                    "title": "T",
                    "description": "Does nothing.",
                    "type": "object",
                    "properties": {"a": {}},
                    "additionalProperties": False,
                },
            }
        ],
    }


def test_the_page_is_told_the_limits_that_one_tool_narrows(tmp_path):
    settings = {"tools": {"t": {"limits": {"nodes": 50}, "reason": "It takes one name."}}}
    files = {"t.json": input_schema("t"), "catalog.json": settings}
    said = json.loads(Catalog.read(folder(tmp_path, files)).to_json())
    assert said["tools"][0]["limits"] == {"nodes": 50}


def test_a_catalog_is_the_same_however_its_files_order_their_keys(tmp_path):
    """
    Same digest, same steps, same findings.
    """
    schema = input_schema(
        **{
            "$defs": {"b": {"maxLength": 3}, "a": {"minLength": 1}},
            "properties": {
                "z": {"$ref": "#/$defs/b", "type": "string"},
                "y": {
                    "allOf": [{"$ref": "#/$defs/a"}, {"pattern": "^x", "maxLength": 9}],
                    "type": "string",
                },
                "c": {"enum": [{"a": 1, "b": [2, {"d": 1, "c": 2}]}, None]},
            },
            "required": ["z", "y"],
        }
    )

    def turned(value):
        if isinstance(value, dict):
            return {key: turned(value[key]) for key in reversed(value)}
        return list(map(turned, value)) if isinstance(value, list) else value

    one = Catalog.read(folder(tmp_path / "one", {"t.json": schema}))
    other = Catalog.read(folder(tmp_path / "other", {"t.json": turned(schema)}))
    assert one.digest == other.digest
    assert one.shape_digest == other.shape_digest
    assert one.tools["t"].digest == other.tools["t"].digest
    for arguments in (
        {},
        {"z": "long", "y": ""},
        {"z": 1, "y": 2, "c": {"b": [2, {"d": 2}]}, "q": 1},
    ):
        assert one.check("t", arguments).to_json() == other.check("t", arguments).to_json()
