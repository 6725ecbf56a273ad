"""
A catalog and a verdict in lines that a person reads at a prompt.

Nothing here decides anything, and nothing that a caller wrote passes through it.
"""

from weighbridge import Verdict

#: Keywords that a field's line leaves to its type, its description or its inside.
UNSAID = frozenset({"type", "description", "title", "examples", "properties", "items", "$comment"})

Schema = dict[str, object]


def admitted(verdict: Verdict) -> str:
    """
    One line for an admitted call: the tool, and what its arguments were charged.
    """
    charge = verdict.charge
    if charge is None:
        return f"admitted: {verdict.tool}"
    return (
        f"admitted: {verdict.tool} "
        f"(nesting {charge.nesting}, nodes {charge.nodes}, rendered {charge.rendered})"
    )
