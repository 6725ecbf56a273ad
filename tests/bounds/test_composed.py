"""
How long the rendering of a whole call can be.
"""

from weighbridge import Catalog
from weighbridge.charge import Charge, charge
from weighbridge.limits import Limits

OPEN = Catalog.from_tools([{"name": "open", "inputSchema": {"type": "object"}}], "as-published")

#: Characters of the ceiling that no call reaches: an object of names and texts
#: needs none for itself, and has an odd number of nodes.
UNREACHED = 8


def test_the_fullest_call_renders_to_the_composed_ceiling_less_what_no_call_reaches():
    limits = Limits()
    pairs = (limits.nodes - 1) // 2
    arguments = {f"{at:06}": "" for at in range(pairs)}
    arguments["000000"] = "x" * (limits.rendered - 6 * pairs)
    verdict = OPEN.check("open", arguments)
    assert verdict.admitted
    assert verdict.charge == Charge(2, limits.nodes - 1, limits.rendered)
    assert len(repr(arguments)) == limits.composed - UNREACHED


def test_one_character_more_is_refused():
    limits = Limits()
    arguments = {"a": "x" * limits.rendered}
    verdict = OPEN.check("open", arguments)
    assert verdict.refusal is not None
    assert verdict.refusal.limit == "rendered"


def test_nothing_that_separates_costs_more_than_four_characters_a_node():
    """
    Each shape of container, alone and inside others: brackets, commas, colons, quotes.
    """
    shapes = [
        {},
        {"a": []},
        {"a": [[]]},
        {"a": {}},
        {"a": [{}, {}, []]},
        {"a": ["", ""]},
        {"a": {"b": {"c": [None, True, 1.5, -7]}}},
        {"'\"": ["'\"", "\\", "\n"]},
        {f"k{at}": [at, {str(at): [""]}] for at in range(50)},
    ]
    for shape in shapes:
        cost = charge(shape, Limits())
        assert isinstance(cost, Charge)
        assert len(repr(shape)) <= cost.rendered + 4 * cost.nodes
