"""
Sets what each peer says beside what the gate says.
"""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.differential.drawn import Drawn
from tests.differential.peers import PEERS
from tests.differential.reasons import Disagreement, reason
from tests.suites.apply import admitted


@dataclass(slots=True)
class Tally:
    """
    What many comparisons came to.
    """

    #: Peer to how many calls it was asked about.
    compared: Counter[str] = field(default_factory=Counter)

    #: Peer and reason to how many calls.
    explained: Counter[tuple[str, str]] = field(default_factory=Counter)

    unexplained: list[Disagreement] = field(default_factory=list)

    #: How many calls ours admitted.
    admitted: int = 0

    def add(self, peer: str, drawn: Drawn, ours: list[list[str]], theirs: Iterable[object]) -> None:
        """Count one peer's answers."""
        for call, refused_by, said in zip(drawn.calls, ours, theirs, strict=True):
            self.compared[peer] += 1
            if said is (not refused_by):
                continue
            found = Disagreement(peer, drawn.schemas[call.tool], call.text, refused_by, said)
            why = reason(found)
            if why is None:
                self.unexplained.append(found)
            else:
                self.explained[peer, why] += 1

    def as_dict(self, seed: int) -> dict[str, object]:
        """The counts as JSON values."""
        return {
            "seed": seed,
            "compared": dict(self.compared),
            "admitted": self.admitted,
            "explained": [[*key, count] for key, count in sorted(self.explained.items())],
            "unexplained": len(self.unexplained),
        }

    def told(self) -> str:
        """As lines of text."""
        lines = [f"{peer}: {count} calls compared" for peer, count in self.compared.items()]
        lines += [
            f"{peer}: {why}: {count}" for (peer, why), count in sorted(self.explained.items())
        ]
        lines += [f"unexplained: {found}"[:1_000] for found in self.unexplained[:20]]
        return "\n".join([*lines, f"{len(self.unexplained)} unexplained"])


def answers(drawn: Drawn) -> list[list[str]]:
    """
    What refuses each call in this process; empty where it is admitted.
    """
    tools = [{"name": name, "inputSchema": schema} for name, schema in drawn.schemas.items()]
    calls = [[call.tool, call.text] for call in drawn.calls]
    told: list[list[str]] = json.loads(admitted(json.dumps({"tools": tools, "calls": calls})))
    return told


def beside_peers(drawn: Drawn, tally: Tally) -> None:
    """
    Compare with each implementation of this process.
    """
    ours = answers(drawn)
    tally.admitted += sum(not refused_by for refused_by in ours)
    for peer, judge_of in PEERS.items():
        judges = {name: judge_of(schema) for name, schema in drawn.schemas.items()}
        tally.add(peer, drawn, ours, [said(judges[call.tool], call.text) for call in drawn.calls])


def said(judge, text):
    """
    The judge's answer, or the text of what it raised.
    """
    try:
        return judge(text)
    except Exception as error:  # noqa: BLE001 - what a peer raises is its answer
        return f"{type(error).__name__}: {error}"[:200]
