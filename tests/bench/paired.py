"""
Contenders measured side by side: a turn each, over and over, and ratios of their turns.

A busy machine slows whoever has the turn.  So the contenders take short turns in
one process, in an order that is drawn anew each round, and what is told is the
median of the ratios of one round: what slows both of a pair says nothing.
"""

from __future__ import annotations

import gc
import random
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

#: Seconds that one turn takes about.
TURN = 0.004


@dataclass(frozen=True, slots=True)
class Ratio:
    """
    How one contender stands to another.
    """

    #: Median over the rounds, and the quartiles around it.
    median: float
    low: float
    high: float

    def as_dict(self) -> dict[str, float]:
        """As the record holds it."""
        return {"median": self.median, "low": self.low, "high": self.high}


@dataclass(frozen=True, slots=True)
class Measured:
    """
    Seconds of one call, by contender and round.
    """

    turns: Mapping[str, list[float]]

    def seconds(self, name: str) -> float:
        """The median of one contender, in seconds a call."""
        return statistics.median(self.turns[name])

    def ratio(self, name: str, to: str) -> Ratio:
        """One contender by another, round by round."""
        pairs = zip(self.turns[name], self.turns[to], strict=True)
        low, median, high = statistics.quantiles([one / other for one, other in pairs], n=4)
        return Ratio(median, low, high)


def measure(contenders: Mapping[str, Callable[[], object]], rounds: int = 31) -> Measured:
    """
    Give every contender a turn in each round.

    Args:
        contenders: what is called, by name.
        rounds: how many turns each has.
    """
    times = {name: _calls_a_turn(call) for name, call in contenders.items()}
    turns: dict[str, list[float]] = {name: [] for name in contenders}
    rng = random.Random(1)
    enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for name in rng.sample(list(contenders), len(contenders)):
                turns[name].append(_turn(contenders[name], times[name]))
    finally:
        if enabled:
            gc.enable()
    return Measured(turns)


def _calls_a_turn(call: Callable[[], object]) -> int:
    count = 1
    while True:
        spent = _turn(call, count) * count
        if spent >= TURN / 2:
            return max(1, round(count * TURN / spent))
        count *= 4


def _turn(call: Callable[[], object], count: int) -> float:
    """Seconds a call, of one turn of ``count`` calls."""
    several = range(count)
    start = time.perf_counter()
    for _ in several:
        call()
    return (time.perf_counter() - start) / count
