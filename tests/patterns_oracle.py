"""
What a browser's own ``RegExp(source, "u")`` says, asked of Node in one go.

Run as a program, it writes the probes anew: ``python -m tests.patterns_oracle``.
"""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.support import machine

PROBES = Path(__file__).with_name("patterns_probes.json")

#: Reads ``[[source, [text, ...]], ...]`` and answers null for a source that is
#: not a pattern, else a boolean for each text.  V8 also looks for empty matches
#: between the two halves of a surrogate pair, where ECMA-262 has no place; for
#: one it finds there it answers null.
SCRIPT = """
const rows = JSON.parse(require("fs").readFileSync(0, "utf8"));
const answers = rows.map(([source, texts]) => {
  let pattern;
  try { pattern = new RegExp(source, "u"); } catch { return null; }
  return texts.map((text) => {
    const match = pattern.exec(text);
    if (match === null) return false;
    const around = text.slice(match.index - 1, match.index + 1);
    return match.index > 0 && /^[^]$/u.test(around) && around.length === 2 ? null : true;
  });
});
process.stdout.write(JSON.stringify(answers));
"""


def ask(rows: Sequence[tuple[str, Sequence[str]]]) -> list[list[bool | None] | None]:
    """
    Node's answers, row by row.
    """
    node = machine.node()
    if node is None:
        raise machine.MissingError("no Node was found on this machine")
    answer = subprocess.run(
        [node, "-e", SCRIPT],
        input=json.dumps([[source, list(texts)] for source, texts in rows]),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    found: list[list[bool | None] | None] = json.loads(answer.stdout)
    return found


def main() -> None:
    """
    Write the probes with Node's answers.
    """
    from tests.patterns_authored import AUTHORED  # noqa: PLC0415 - only to author

    rows = [
        {"pattern": source, "text": text, "matches": None if answer is None else answer[index]}
        for (source, texts), answer in zip(AUTHORED, ask(AUTHORED), strict=True)
        for index, text in enumerate(texts)
    ]
    lines = ",\n".join(json.dumps(row) for row in rows)
    PROBES.write_text(f"[\n{lines}\n]\n", encoding="ascii")


if __name__ == "__main__":
    main()
