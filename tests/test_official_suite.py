"""
Other people's tests: the official suite, through the schema step of the gate.

A case is a schema and an instance of any type, so it is applied as a node, past
the rules that hold an input schema to be an object's.
"""

import json

import pytest
import referencing

from tests.suite import official_suite
from weighbridge.dialects import DIALECTS, DRAFT202012
from weighbridge.errors import CatalogError
from weighbridge.evaluation import Evaluation, WorkPassed
from weighbridge.formats import FORMATS
from weighbridge.gate import smallest
from weighbridge.limits import Limits
from weighbridge.metaschema import METASCHEMAS, metaschema_fault
from weighbridge.prepare import prepare

DRAFTS = {
    "draft2020-12": DRAFT202012,
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft7": "http://json-schema.org/draft-07/schema",
    "draft6": "http://json-schema.org/draft-06/schema",
}

#: Cases that are decided, of the mandatory ones; the release is pinned.
DECIDED = {"draft2020-12": 1252, "draft2019-09": 1222, "draft7": 913, "draft6": 829}

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


def remotes(draft):
    """
    The documents that the suite expects to be at hand, by the address it gives them.
    """
    dialect = DIALECTS[DRAFTS[draft]]
    folder = official_suite().parent / "remotes"
    registry = METASCHEMAS
    for path in sorted(folder.rglob("*.json")):
        place = path.relative_to(folder)
        own = DRAFTS.get(place.parts[0], dialect.uri)
        document = json.loads(path.read_text("utf-8"))
        if place.parts[0].startswith("draft") and place.parts[0] not in DRAFTS:
            continue
        if isinstance(document, dict) and "localhost" in document.get("$schema", ""):
            # A metaschema of its own.
            continue
        resource = referencing.Resource.from_contents(document, DIALECTS[own].specification)
        registry = registry.with_resource(f"http://localhost:1234/{place.as_posix()}", resource)
    return registry.crawl()


def applied(schema, draft, registry):
    """
    The node of a case's schema.
    """
    dialect = DIALECTS[DRAFTS[draft]]
    document = {"allOf": [schema]} if isinstance(schema, bool) else schema
    document = {"$schema": dialect.uri, **document}
    uri = (dialect.specification.id_of(document) or "urn:case").removesuffix("#")
    resource = dialect.specification.create_resource(document)
    return prepare(
        document,
        file="case",
        uri=uri,
        registry=registry.with_resource(uri, resource).crawl(),
        limits=Limits(),
        published=False,
        vouch=metaschema_fault,
    )


def groups(draft, folder=""):
    for path in sorted((official_suite() / draft / folder).glob("*.json")):
        for group in json.loads(path.read_text("utf-8")):
            yield path.stem, group


def run(draft, folder="", only=None):
    """
    What was decided: cases, those decided otherwise, groups that failed to load.
    """
    registry = remotes(draft)
    cases, otherwise, refused = 0, {}, {}
    for file, group in groups(draft, folder):
        if only is not None and file not in only:
            continue
        try:
            root = applied(group["schema"], draft, registry)
        except CatalogError as error:
            refused[file, group["description"]] = str(error)
            continue
        for case in group["tests"]:
            cases += 1
            evaluation = Evaluation(Limits().work)
            try:
                valid = not smallest(root, case["data"], evaluation)[0]
            except WorkPassed:
                valid = None
            if valid is not case["valid"]:
                otherwise[file, group["description"], case["description"]] = valid
    return cases, otherwise, refused


@pytest.mark.parametrize("draft", DRAFTS)
def test_every_mandatory_case_is_right_or_refused_at_load_for_a_listed_reason(draft):
    cases, otherwise, refused = run(draft)
    assert refused.keys() == REFUSED[draft]
    # Formats are asserted here, where the suite has them annotate: by contract, and no other.
    assert {file for file, _, _ in otherwise} <= {"format"}
    assert {group.removesuffix(" format") for _, group, _ in otherwise} == (
        set(FORMATS) if draft == "draft2020-12" else set()
    )
    assert set(otherwise.values()) <= {False}
    assert cases == DECIDED[draft]


@pytest.mark.parametrize("draft", DRAFTS)
def test_every_optional_case_that_is_promised_is_right(draft):
    promised = {file for file, _ in groups(draft, "optional")} - NOT_PROMISED
    assert {"bignum", "ecmascript-regex", "float-overflow", "non-bmp-regex"} <= promised
    _cases, otherwise, refused = run(draft, "optional", promised)
    assert otherwise == {}
    assert refused.keys() == {one for one in OPTIONAL_REFUSED if draft == "draft2020-12"}


@pytest.mark.parametrize("draft", DRAFTS)
def test_every_case_of_an_asserted_format_is_right(draft):
    cases, otherwise, refused = run(draft, "optional/format", set(FORMATS))
    assert (otherwise, refused) == ({}, {})
    assert cases > 150


def test_the_comparison_with_the_suite_can_fail():
    """
    With one answer of the suite turned round, that case is told.
    """
    registry = remotes("draft2020-12")
    _file, group = next(one for one in groups("draft2020-12") if one[0] == "maxLength")
    root = applied(group["schema"], "draft2020-12", registry)
    answers = [not smallest(root, case["data"], Evaluation(10**6))[0] for case in group["tests"]]
    assert answers == [case["valid"] for case in group["tests"]]
    assert answers != [not case["valid"] for case in group["tests"]]
