"""
What a number is a multiple of, decided on the decimals that people wrote.

Binary floating point says that 10.1 is no multiple of 0.1.  Here each number
stands for its shortest decimal, and whole numbers decide: no context, no
rounding, no overflow.
"""

from __future__ import annotations

from math import frexp

#: Products of one 32-bit piece of each number that a step takes to divide.
DIVIDED_A_STEP = 384


def decimal(number: float) -> tuple[int, int]:
    """
    The shortest decimal of a number, as digits and a power of ten.
    """
    if isinstance(number, int):
        return number, 0
    mantissa, _, exponent = repr(number).partition("e")
    whole, _, part = mantissa.partition(".")
    return int(whole + part), int(exponent or 0) - len(part)


def is_multiple(number: float, step: float) -> bool:
    """
    Whether a finite ``number`` is a whole multiple of ``step``, above 0.
    """
    digits, power = decimal(number)
    step_digits, step_power = decimal(step)
    if power >= step_power:
        shifted = digits * int(pow(10, power - step_power, step_digits))
        return shifted % step_digits == 0
    scale: int = 10 ** (step_power - power)
    return digits % (step_digits * scale) == 0


def steps(number: float, step: float) -> int:
    """
    Steps of deciding it: dividing takes time by the sizes of both.
    """
    return 5 + _pieces(number) * _pieces(step) // DIVIDED_A_STEP


def _pieces(number: float) -> int:
    """
    Pieces of 32 bits in the whole number that a decimal is brought to, at most.
    """
    bits = number.bit_length() if isinstance(number, int) else 64 + abs(frexp(number)[1])
    return bits // 32 + 1
