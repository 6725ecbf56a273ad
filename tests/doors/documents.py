"""
The fenced blocks of the project's documents, so that a test can run each of them.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from tests.support.machine import ROOT

FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>\w*)\n(?P<body>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Block:
    """
    One fenced block.
    """

    #: ``docs/limits.md``.
    file: str
    #: The line that its text starts on, from 1.
    line: int
    #: ``python``.
    language: str
    #: What stands between the fences, its indent taken off.
    body: str

    def __str__(self) -> str:
        """
        ``docs/limits.md:12``.
        """
        return f"{self.file}:{self.line}"


def documents() -> list[Path]:
    """
    Every document of the project, README first.
    """
    return [
        ROOT / "README.md",
        *sorted((ROOT / "docs").rglob("*.md")),
        ROOT / "schemas/mcp/README.md",
    ]


def blocks(*languages: str) -> list[Block]:
    """
    Every block in one of ``languages``, or simply every block.
    """
    found = []
    for path in documents():
        text = path.read_text(encoding="utf-8")
        for match in FENCE.finditer(text):
            indent = match["indent"]
            body = "".join(
                line.removeprefix(indent) for line in match["body"].splitlines(keepends=True)
            )
            block = Block(
                file=str(path.relative_to(ROOT)),
                line=text.count("\n", 0, match.start("body")) + 1,
                language=match["language"],
                body=body,
            )
            if not languages or block.language in languages:
                found.append(block)
    return found


def transcript(body: str) -> list[tuple[str, str]]:
    """
    A console block as pairs of a command and what it prints.
    """
    pairs: list[tuple[str, str]] = []
    for line in body.splitlines(keepends=True):
        if line.startswith("$ "):
            pairs.append((line[2:].strip(), ""))
        else:
            command, printed = pairs.pop()
            pairs.append((command, printed + line))
    return pairs
