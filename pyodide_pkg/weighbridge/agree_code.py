"""
What an expression in a handler is known to be, from its code alone.

A value is known where it stands in the code or in a name of the module, where it is a
parameter as it came, or where it is a dictionary of those.  Anything else is not
known, and nothing is run to find out.
"""

from __future__ import annotations

import ast
import enum
import functools
import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import FunctionType, MethodType, ModuleType
from typing import Any

__all__ = ["Known", "Parameter", "Record", "Scope", "function_of", "parameters", "values"]

#: Constants that list values; a mapping lists its keys.
_LISTS = (tuple, list, set, frozenset, Mapping)

#: Calls that list again what they are given.
_SAME = (tuple, list, set, frozenset, sorted)

#: Values that a loop or a comprehension is followed through.
LONGEST = 64


@dataclass(frozen=True, slots=True)
class Parameter:
    """The value of a parameter, as it came."""

    name: str


@dataclass(frozen=True, slots=True)
class Known:
    """A value that stands in the code or in a name of its module."""

    value: Any


@dataclass(frozen=True, slots=True)
class Record:
    """A dictionary that the code puts together, by key."""

    fields: Mapping[Any, Any]


@dataclass(slots=True)
class Scope:
    """
    The names that an expression sees, each with what is known of it; None is nothing.
    """

    #: Names of the module, of the functions around, and Python's own, as they are.
    outer: Mapping[str, Any]

    local: dict[str, Any]

    #: What is known of the answer of a plain function that is called.
    called: Callable[[FunctionType, Mapping[str, Any]], Any]

    def value(self, expression: ast.expr | None) -> Any:
        """What an expression is known to be; None for anything else."""
        read = getattr(self, f"_{type(expression).__name__.lower()}", None)
        return None if read is None else read(expression)

    def keys(self, expression: ast.expr) -> list[Any]:
        """The keys or values that looping over an expression gives, where they are known."""
        over = self.value(expression)
        if isinstance(over, Record):
            return list(over.fields)[:LONGEST]
        return list(values(over.value))[:LONGEST] if isinstance(over, Known) else []

    def _name(self, written: ast.Name) -> Any:
        if written.id in self.local:
            return self.local[written.id]
        return Known(self.outer[written.id]) if written.id in self.outer else None

    def _constant(self, written: ast.Constant) -> Known:
        return Known(written.value)

    def _attribute(self, written: ast.Attribute) -> Any:
        """An attribute that can be had without running anything."""
        owner = self.value(written.value)
        if not isinstance(owner, Known):
            return None
        found = inspect.getattr_static(owner.value, written.attr, None)
        if isinstance(found, FunctionType) and not isinstance(owner.value, ModuleType | type):
            return Known(MethodType(found, owner.value))
        if isinstance(found, staticmethod | classmethod):
            found = found.__func__
        return None if found is None or inspect.isdatadescriptor(found) else Known(found)

    def _tuple(self, written: ast.Tuple | ast.List | ast.Set) -> Any:
        inside = [self.value(one) for one in written.elts]
        known = [one.value for one in inside if isinstance(one, Known)]
        return Known(tuple(known)) if len(known) == len(inside) else None

    _list = _set = _tuple

    def _dict(self, written: ast.Dict) -> Record:
        fields: dict[Any, Any] = {}
        for key, value in zip(written.keys, written.values, strict=True):
            if key is None:
                spread = self.value(value)
                fields |= spread.fields if isinstance(spread, Record) else {}
            elif isinstance(key, ast.Constant):
                fields[key.value] = self.value(value)
        return Record(fields)

    def _dictcomp(self, written: ast.DictComp) -> Any:
        (first, *more) = written.generators
        if more or not isinstance(first.target, ast.Name):
            return None
        fields: dict[Any, Any] = {}
        for one in self.keys(first.iter):
            inside = Scope(self.outer, {**self.local, first.target.id: Known(one)}, self.called)
            key = inside.value(written.key)
            if isinstance(key, Known):
                with suppress(TypeError):
                    fields[key.value] = inside.value(written.value)
        return Record(fields)

    def _binop(self, written: ast.BinOp) -> Any:
        if isinstance(written.op, ast.BitAnd):
            right = self.keys(written.right)
            return Known(tuple(one for one in self.keys(written.left) if one in right))
        left, right_ = self.value(written.left), self.value(written.right)
        if isinstance(written.op, ast.BitOr | ast.Add):
            if isinstance(left, Record) and isinstance(right_, Record):
                return Record({**left.fields, **right_.fields})
            if isinstance(left, Known) and isinstance(right_, Known):
                return Known((*values(left.value), *values(right_.value)))
        return None

    def _subscript(self, written: ast.Subscript) -> Any:
        owner, key = self.value(written.value), self.value(written.slice)
        if not isinstance(key, Known):
            return None
        with suppress(LookupError, TypeError):
            if isinstance(owner, Record):
                return owner.fields.get(key.value)
            if isinstance(owner, Known) and isinstance(owner.value, dict | tuple | list):
                return Known(owner.value[key.value])
        return None

    def _call(self, call: ast.Call) -> Any:
        if isinstance(call.func, ast.Attribute) and call.func.attr == "keys" and not call.args:
            return self.value(call.func.value)
        callee = self.value(call.func)
        if not isinstance(callee, Known):
            return None
        if callee.value is locals and not call.args:
            return Record(dict(self.local))
        if any(callee.value is one for one in _SAME):
            return self.value(call.args[0]) if len(call.args) == 1 else None
        function, bound = function_of(callee.value)
        if function is None or any(isinstance(one, ast.Starred) for one in call.args):
            return None
        names = [name for name in parameters(function) if name not in bound]
        given = dict(zip(names, map(self.value, call.args), strict=False))
        given |= {one.arg: self.value(one.value) for one in call.keywords if one.arg}
        return self.called(function, {**given, **{k: Known(v) for k, v in bound.items()}})


def function_of(handler: Any) -> tuple[FunctionType | None, dict[str, Any]]:
    """
    The plain function behind what can be called, and the parameters that have a value.
    """
    named: dict[str, Any] = {}
    placed: tuple[Any, ...] = ()
    while isinstance(handler, functools.partial):
        named |= handler.keywords
        placed = handler.args + placed
        handler = handler.func
    if isinstance(handler, type):
        return None, {}
    handler = inspect.unwrap(handler)
    if not isinstance(handler, FunctionType | MethodType):
        handler = getattr(handler, "__call__", None)  # noqa: B004 - what is called, not whether
    if isinstance(handler, MethodType):
        placed = (handler.__self__, *placed)
        handler = inspect.unwrap(handler.__func__)
    if not isinstance(handler, FunctionType):
        return None, {}
    return handler, dict(zip(parameters(handler), placed, strict=False)) | named


def parameters(function: FunctionType) -> tuple[str, ...]:
    """
    The names of a function's parameters, those that collect the rest left out; no
    annotation is evaluated for it.
    """
    code = function.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def values(listed: Any) -> tuple[Any, ...]:
    """
    The JSON values that a constant lists, in an order of their own; none for one that
    lists nothing.
    """
    if isinstance(listed, type) and issubclass(listed, enum.Enum):
        listed = list(listed)
    if not isinstance(listed, _LISTS):
        return ()
    plain = [one.value if isinstance(one, enum.Enum) else one for one in listed]
    kept = [one for one in plain if one is None or type(one) in (str, int, float, bool)]
    unordered = isinstance(listed, set | frozenset)
    return tuple(sorted(kept, key=repr)) if unordered else tuple(kept)


def enclosed(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """
    The names that a function has from the functions around it.
    """
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        # A cell is empty until its name is given a value.
        with suppress(ValueError):
            yield name, cell.cell_contents
