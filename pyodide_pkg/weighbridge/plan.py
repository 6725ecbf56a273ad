"""
A schema compiled to "admit, quickly": a function that admits a call or looks no closer.

The authority explains, and decides wherever this declines.  A plan admits only
what the authority would, under a proven bound of the authority's work, and only
what is strict JSON inside every limit.  It is written once a tool has been
asked for twice, so that a catalog of thousands loads as fast as ever.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from weighbridge.audit import extent, is_inside
from weighbridge.charge import Charge, charge
from weighbridge.limits import Limits
from weighbridge.node import Node
from weighbridge.plan_arrays import array
from weighbridge.plan_kept import LEAF, WORST, Kept
from weighbridge.plan_objects import object_
from weighbridge.plan_values import Place, Plan, value
from weighbridge.plan_writer import MOST_LINES, Declined, Writer

#: Answers the verdict of what is admitted, and None to look closer.
Run = Callable[[Any, Any], Any]

#: Bytes of copies, and characters charged, of an admitted call whose charge is
#: still to be worked out: what is kept for that lives as long as the verdict.
MANY = 1_000_000
LAZY = 1 << 20

#: Shares of the limits under which work is tried to be proven: one call in a
#: thousand parts of the most that may come is still a large one.
SHARES = (1, 8, 64, 512)

#: Calls of a tool before its plan is written.
ASKED = 2


def looks_closer(_contract: object, _arguments: object) -> None:
    """The plan of a schema that has none."""


class Lazily:
    """
    The plan of one tool, written when it has been asked for often enough.
    """

    __slots__ = ("admitted", "asked", "limits", "root", "run", "tool")

    def __init__(
        self, tool: str, root: Node, limits: Limits, admitted: Callable[[Any, str, Kept], Any]
    ) -> None:
        """
        Remember what the plan is to be made of.

        ``admitted`` makes the verdict of a contract, a tool and what is kept.
        """
        self.tool = tool
        self.root = root
        self.limits = limits
        self.admitted = admitted
        self.asked = 0
        #: Called with the contract, the arguments and ``None`` to look closer.
        self.run: Run = self._first

    def _first(self, contract: object, arguments: object) -> Any:
        self.asked += 1
        if self.asked < ASKED:
            return None
        # Whoever asks meanwhile, or after a failure, looks closer.
        self.run = looks_closer
        self.run = plan_of(self)
        return self.run(contract, arguments)


def plan_of(tool: Lazily) -> Run:
    """
    The plan of one tool; ``looks_closer`` where there is none.
    """
    try:
        source, names = written(tool.root, tool.limits)
    except Declined:
        return looks_closer
    names |= {"admitted": tool.admitted, "tool": tool.tool}
    # Ours alone: what a schema says stands in the names and never in the source.
    exec(compile(source, "<plan>", "exec"), names)  # noqa: S102
    run: Run = names["run"]
    return run


def written(root: Node, limits: Limits) -> tuple[str, dict[str, Any]]:
    """
    The source of a plan, and the names that it is run with.

    Raises:
        Declined: there is no plan for the schema.
    """
    bounds, counts = _bounds(root, limits)
    plan = Plan(bounds.nesting, bounds.nodes, containers={"array": array, "object": object_})
    w = Writer(plan.names, "return None", covers=True, counts=counts)
    value(plan, w, (root,), Place("x", 1))
    if plan.lines + len(w.lines) > MOST_LINES:
        raise Declined
    plan.names |= {"limits": bounds, "charge": charge, "Charge": Charge}
    plan.names |= {"N": bounds.nodes, "M": MANY}
    deeper = sorted(plan.levels - {1})
    head = [f"    k{level} = []" for level in deeper]
    pairs = ["(1, (k1,))" if 1 in plan.levels else "", *(f"({at}, k{at})" for at in deeper)]
    kept = f"[{', '.join(filter(None, pairs))}]" if deeper or plan.opens else "k1"
    if plan.opens:
        head.append("    others = []")
        kept += " + others"
    tail = [f"    kept = {kept}"]
    if counts:
        head.append("    n = 1; m = r = 0")
        r = f"{WORST} * r + {max(LEAF, plan.longest_name)} * n"
        if plan.opens:
            tail.append("    o = sum([one.nodes for _, one in others])")
            tail.append("    c = sum([one.rendered for _, one in others])")
            tail.append("    if n + o > N: return None")
            r += " + c"
        tail += [
            f"    if m > M or {r} > {min(LAZY, bounds.rendered)}:",
            # What was kept goes first: the two together would be too much.
            "        " + " = ".join([*(f"k{at}" for at in sorted(plan.levels)), "kept = None"]),
            "        kept = charge(x, limits)",
            "        if type(kept) is not Charge: return None",
        ]
    run = ["def run(contract, x):", *head, *w.lines, *tail]
    run.append("    return admitted(contract, tool, kept)")
    return "\n\n".join([*plan.functions, "\n".join(run), ""]), plan.names


def _bounds(root: Node, limits: Limits) -> tuple[Limits, bool]:
    """
    Limits under which the authority is proven to have work enough, and whether
    a call has to be counted to be inside them.

    Raises:
        Declined: there are none.
    """
    found = extent(root, limits)
    inside = all(is_inside(found, name, limits) for name in ("nesting", "nodes", "rendered"))
    counts = not inside or (found.rendered.value or 0) > LAZY
    for share in SHARES:
        tighter = replace(limits, nodes=limits.nodes // share, rendered=limits.rendered // share)
        if is_inside(found if share == 1 else extent(root, tighter), "work", limits):
            return tighter, counts or share > 1
    raise Declined
