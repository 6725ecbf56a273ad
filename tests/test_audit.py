"""
What a schema can admit at most, and which limits are therefore proven for it.
"""

from weighbridge import Catalog, audit

#: The limits that a tool of the sample contract is not proven inside, and why not.
NOT_PROVEN = {
    # The document is any JSON object: the limits on a whole call are its only bounds.
    "knowledge.generateMigrationDraft": {"nesting", "nodes", "rendered", "body"},
    # The inline body lands in at most 8 MiB, but a text of little else than control
    # or unassigned characters renders, and travels, to several times that.
    "knowledge.proposeChange": {"rendered", "body"},
    "review.generateKnowledgeCandidate": {"rendered", "body"},
}

LIMITS = {"nesting", "nodes", "rendered", "body", "work"}


def test_every_tool_is_proven_inside_every_limit_or_named_in_one_list_with_the_reason():
    open_to = {
        name: LIMITS - audit.proven(tool.root, tool.limits)
        for name, tool in Catalog.bundled().tools.items()
    }
    assert {name: left for name, left in open_to.items() if left} == NOT_PROVEN
