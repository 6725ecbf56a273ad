"""
Applies bare schemas, of any type and dialect, through the schema step of the gate.

It asks for nothing but the package and what the package asks for, so the same file
runs here and in the interpreter of a page. Text comes in and text goes out.
"""

import json

import referencing

import weighbridge
from weighbridge.dialects import DIALECTS, DRAFT202012
from weighbridge.errors import CatalogError
from weighbridge.evaluation import Evaluation, WorkPassed
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


def registry_of(documents):
    """
    The registry of ``{uri: [dialect, document]}``, beside the metaschemas.
    """
    registry = METASCHEMAS
    for uri, (dialect, document) in documents.items():
        resource = referencing.Resource.from_contents(document, DIALECTS[dialect].specification)
        registry = registry.with_resource(uri, resource)
    return registry.crawl()


def applied(schema, draft, registry):
    """
    The node of a bare schema. Raises CatalogError where it cannot be applied.
    """
    dialect = DIALECTS[DRAFTS[draft]]
    document = {"allOf": [schema]} if isinstance(schema, bool) else schema
    document = {"$schema": dialect.uri, **document}
    uri = (dialect.specification.id_of(document) or "urn:case").removesuffix("#")
    return node(document, uri, dialect, registry)


def node(document, uri, dialect, registry):
    """
    What is applied for one document, by the rules for a schema that is not ours.
    """
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


def answer(root, instance):
    """
    Steps spent and the places that miss, or null past the limit of work.
    """
    evaluation = Evaluation(Limits().work)
    try:
        misses, _more = smallest(root, instance, evaluation)
    except WorkPassed:
        return None
    told = [[list(one.tokens), one.keyword, one.schema_pointer] for one in misses]
    return [evaluation.spent, told]


def answers(text):
    """
    For ``{"draft", "documents", "groups": [{"schema", "data": [...]}]}``: of each group the
    answer to each instance, or the text of the error that its schema is refused with.
    """
    asked = json.loads(text)
    registry = registry_of(asked["documents"])
    told = []
    for group in asked["groups"]:
        try:
            root = applied(group["schema"], asked["draft"], registry)
        except CatalogError as error:
            told.append(str(error))
        else:
            told.append([answer(root, instance) for instance in group["data"]])
    return json.dumps(told)


def admitted(text):
    """
    For ``{"tools": [...], "calls": [[tool, arguments text], ...]}``: of each call the keywords
    that a foreign catalog, kept as published, refuses it by; the code where it is another.
    """
    asked = json.loads(text)
    catalog = weighbridge.Catalog.from_tools(asked["tools"], unknown_keys="as-published")
    if catalog.unusable:
        raise ValueError(dict(catalog.unusable))
    return json.dumps([refused_by(catalog.check_text(*call)) for call in asked["calls"]])


def refused_by(verdict):
    """
    Keywords of the findings, or the code of another refusal; empty when admitted.
    """
    if verdict.refusal is None:
        return []
    return [one.keyword for one in verdict.refusal.findings] or [verdict.refusal.code]
