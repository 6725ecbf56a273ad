"""
What a command line names as ``module:name``: a server, or a constant of a program.

The program is imported as it is when it runs from the current folder.  Whatever it
raises is told as one line with a cure; it is the operator's own code.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weighbridge.errors import bounded


# Not frozen: contextlib sets the traceback of an exception that passes through it.
@dataclass(eq=False)
class NoTarget(Exception):
    """
    Nothing that can be used stands where a command line says.
    """

    #: What was asked for.
    name: str

    #: What is so.
    fact: str

    #: What to do about it.
    cure: str

    def __str__(self) -> str:
        """Say the name, the fact and the cure in one line."""
        return f"{bounded(self.name)}: {bounded(self.fact)}. {self.cure}."


def target(name: str) -> Any:
    """
    The object that ``module:name`` names; the name may go on to an attribute or a key.

    Raises:
        NoTarget: there is none, or the module cannot be imported.
    """
    module, colon, rest = name.partition(":")
    if not (module and colon and rest):
        raise NoTarget(name, "it names no object", "Write module:name, such as shop.main:server")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = importlib.import_module(module)
    except Exception as fault:
        said = f"{type(fault).__name__}: {fault}".splitlines()[0]
        raise NoTarget(
            name, f"{module} cannot be imported ({said})", "Run this where the module can be found"
        ) from fault
    for one in rest.split("."):
        try:
            found = found[one] if isinstance(found, dict) else getattr(found, one)
        except (AttributeError, KeyError):
            raise NoTarget(
                name, f"{module} has no {rest}", "Name something that stands in the module"
            ) from None
    return found


def made(name: str) -> Any:
    """
    The same, called without arguments where it is a function that makes one.

    Raises:
        NoTarget: there is none, or the function fails.
    """
    found = target(name)
    if not inspect.isroutine(found):
        return found
    try:
        return found()
    except Exception as fault:
        said = f"{type(fault).__name__}: {fault}".splitlines()[0]
        raise NoTarget(
            name, f"the function raised {said}", "Name a server, or a function without arguments"
        ) from fault
