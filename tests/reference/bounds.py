r"""
Every bound that the ten published schemas state, under one name each.

A bound that is only a number in a JSON file can be changed by anybody without
a reason. Here each has its reason, and a test holds the schema files to these
names by equality of the whole set, so neither side can drift.

The bounds of the fields beside ``body`` are chosen together: the largest call
that the schemas admit, with its body left out, must fit what the body limit
leaves for it (1 MiB, less 65,536 bytes for the JSON-RPC envelope) even when a
client escapes every character. The worst case is an astral character, one code
point that becomes ``\ud83d\ude00``, twelve bytes.
"""

from __future__ import annotations

from typing import Final

# -- Tool context ---------------------------------------------------------------

#: Lower-case words joined by single hyphens, so that an identifier can stand in
#: a URL, a file name and a log line without quoting.
PROJECT_ID_PATTERN: Final = "^[a-z0-9]+(?:-[a-z0-9]+)*$"

#: Code points of ``projectId``.
PROJECT_ID_CHARACTERS: Final = 200

#: A SHA-256 in lower-case hexadecimal.
SNAPSHOT_ID_PATTERN: Final = "^[0-9a-f]{64}$"

#: Code points of ``snapshotId``: what the pattern says, as a number.
SNAPSHOT_ID_CHARACTERS: Final = 64

#: Code points of ``agentId`` and ``taskId`` in the context.
CALLER_CHARACTERS: Final = 200

# -- Reading --------------------------------------------------------------------

#: Code points; an empty query asks for nothing.
QUERY_CHARACTERS_MIN: Final = 1

#: Code points of ``query``: about a page, more than any search is better for.
QUERY_CHARACTERS: Final = 2_000

#: Code points of ``asOf``; the longest RFC 3339 date-time in use has 35.
AS_OF_CHARACTERS: Final = 100

#: Code points of one filter of ``review.findings``.
FINDING_FILTER_CHARACTERS: Final = 200

#: Code points of one filter of ``review.search``; file paths are among them.
THREAD_FILTER_CHARACTERS: Final = 400

# -- Identifiers and short texts ------------------------------------------------

#: Code points of ``itemId``.
ITEM_ID_CHARACTERS: Final = 200

#: Code points of ``recordKey``.
RECORD_KEY_CHARACTERS: Final = 200

#: Code points of a commit, wherever one is named; a SHA-256 has 64.
COMMIT_CHARACTERS: Final = 200

#: Code points of ``owner/name``, wherever a repository is named.
REPOSITORY_CHARACTERS: Final = 400

#: Code points of a title.
TITLE_CHARACTERS: Final = 500

#: Code points of a word or a name: ``kind``, ``owner``, ``author``,
#: ``namespace``, ``trustLevel``, ``sensitivity``, ``expectedRevision``.
SHORT_TEXT_CHARACTERS: Final = 200

#: Code points of ``description``: what a reviewer reads before the body.
DESCRIPTION_CHARACTERS: Final = 4_000

# -- Body -----------------------------------------------------------------------

#: Code points of ``body``; every code point is at least one byte.
BODY_CHARACTERS: Final = 8_388_608

#: UTF-8 bytes of ``body``: 8 MiB, because a body is landed as a file.
BODY_BYTES: Final = 8_388_608

#: How a body can be read.
CONTENT_TYPES: Final = ("text/markdown", "application/json", "application/yaml")

# -- Evidence -------------------------------------------------------------------

#: Code points of each evidence string; evidence that says nothing is none.
EVIDENCE_CHARACTERS_MIN: Final = 1

#: Code points of ``evidence.agentId``, ``.taskId`` and ``.model``.
EVIDENCE_NAME_CHARACTERS: Final = 200

#: Code points of ``evidence.reasoning``: one to two pages.
EVIDENCE_REASONING_CHARACTERS: Final = 4_000

# -- Source anchors -------------------------------------------------------------

#: Elements; a lesson from a review points at what taught it.
ANCHORS_MIN: Final = 1

#: Elements of ``sourceAnchors``; more than a reviewer opens.
ANCHORS: Final = 20

#: Code points of ``provider``.
ANCHOR_PROVIDER_CHARACTERS: Final = 200

#: Code points of ``sourceUri``.
ANCHOR_URI_CHARACTERS: Final = 1_000

#: Code points of ``filePath`` in an anchor.
ANCHOR_PATH_CHARACTERS: Final = 400

# -- Labels and scope -----------------------------------------------------------

#: Elements of ``labels``.
LABELS: Final = 64

#: Code points of one label.
LABEL_CHARACTERS: Final = 100

#: Elements of ``scopePaths``.
SCOPE_PATHS: Final = 32

#: Code points of one scope path.
SCOPE_PATH_CHARACTERS: Final = 400

# -- What a review can teach ----------------------------------------------------

#: The closed list of ``category``.
CATEGORIES: Final = (
    "specification-gap",
    "architecture-rule",
    "security-rule",
    "performance-rule",
    "reliability-rule",
    "coding-convention",
    "testing-rule",
    "domain-rule",
    "rejected-approach",
    "known-exception",
    "incident-prevention",
)
