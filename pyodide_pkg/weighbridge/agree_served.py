"""
The named constants that a handler holds its parameters to, read from its own code.

An annotation of ``str`` says nothing of the words that a handler serves; the line
``if kind not in KINDS: raise`` does.  That line is looked for, in the handler and in
the plain functions that it hands a parameter to.  Code is read and never run, so
what is not written as one of these forms is not found: that says nothing, and is no
proof that a handler takes every word.
"""

from __future__ import annotations

import ast
import builtins
import enum
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from weighbridge.agree_code import (
    Known,
    Parameter,
    Record,
    Scope,
    enclosed,
    function_of,
    parameters,
    values,
)

__all__ = ["held"]

#: Functions that are followed inside one another, and in all.
_DEPTH = 4
_CALLS = 2_000


@dataclass(slots=True)
class _Reader:
    """
    What was found so far, over every function that was followed.
    """

    found: dict[str, dict[tuple[type, Any], None]] = field(default_factory=dict)
    depth: int = 0
    calls: int = 0

    def note(self, who: object, known: tuple[Any, ...]) -> None:
        """Remember that a parameter is held to these values."""
        if isinstance(who, Parameter) and known:
            # True and 1 are two words to JSON and one to a dictionary.
            kept = self.found.setdefault(who.name, {})
            kept |= dict.fromkeys((type(value), value) for value in known)

    def read(self, function: FunctionType, beginning: Mapping[str, Any]) -> Any:
        """Look through one function that is called so; what is known of its answer."""
        self.calls += 1
        if self.depth > _DEPTH or self.calls > _CALLS or not _is_ours(function):
            return None
        if not any(isinstance(one, Parameter | Record) for one in beginning.values()):
            return None
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        except (OSError, TypeError, SyntaxError):
            return None
        outer = {**vars(builtins), **function.__globals__, **dict(enclosed(function))}
        for one in tree.body:
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
                self.depth += 1
                body = _Body(Scope(outer, dict(beginning), self.read), self)
                body.statements(one.body)
                self.depth -= 1
                return body.answer
        return None


def held(handler: Callable[..., Any]) -> dict[str, tuple[Any, ...]]:
    """
    The values that each parameter is held to, by parameter; one that is held to
    no constant that can be read is left out.
    """
    function, bound = function_of(handler)
    if function is None:
        return {}
    names = [name for name in parameters(function) if name not in bound]
    beginning = {name: Parameter(name) for name in names}
    reader = _Reader()
    # What is looked at is anybody's: an object may raise whatever it likes when it is read.
    with suppress(Exception):
        reader.read(function, {**beginning, **{name: Known(one) for name, one in bound.items()}})
    return {name: tuple(value for _, value in known) for name, known in reader.found.items()}


@dataclass(slots=True)
class _Body:
    """
    One function being read, from top to bottom.
    """

    scope: Scope
    reader: _Reader

    #: What is known of what the function returns last.
    answer: Any = None

    def statements(self, lines: list[ast.stmt]) -> None:
        """Read statements in the order in which they stand."""
        for line in lines:
            if not isinstance(line, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                self._statement(line)

    def _statement(self, line: ast.stmt) -> None:
        for expression in _expressions(line):
            self._looked_up(expression)
        if isinstance(line, ast.If):
            self._chosen(line)
        elif isinstance(line, ast.Assert):
            self._note(line.test, ast.In)
        elif isinstance(line, ast.Match):
            self._matched(line)
        elif isinstance(line, ast.Assign | ast.AnnAssign):
            targets = line.targets if isinstance(line, ast.Assign) else [line.target]
            known = self.scope.value(line.value)
            self.scope.local |= {one.id: known for one in targets if isinstance(one, ast.Name)}
        elif isinstance(line, ast.Return):
            self.answer = self.scope.value(line.value)
        elif isinstance(line, ast.For) and isinstance(line.target, ast.Name):
            for one in self.scope.keys(line.iter):
                self.scope.local[line.target.id] = Known(one)
                self.statements(line.body)
            self.scope.local[line.target.id] = None
        for inner in _blocks(line):
            self.statements(inner)

    def _chosen(self, line: ast.If) -> None:
        """``if kind not in KINDS: raise``, and the same with its branches exchanged."""
        if _ends(line.body, ast.Raise, ast.Return):
            self._note(line.test, ast.NotIn)
        if _ends(line.orelse, ast.Raise):
            self._note(line.test, ast.In)

    def _note(self, test: ast.expr, operator: type[ast.cmpop]) -> None:
        if isinstance(test, ast.BoolOp):
            for one in test.values:
                self._note(one, operator)
        elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self._note(test.operand, ast.In if operator is ast.NotIn else ast.NotIn)
        elif isinstance(test, ast.Compare) and isinstance(test.ops[0], operator):
            listed = self.scope.value(test.comparators[0])
            if isinstance(listed, Known):
                self.reader.note(self.scope.value(test.left), values(listed.value))

    def _matched(self, line: ast.Match) -> None:
        """A ``match`` whose last case takes what is left and raises."""
        *named, last = line.cases
        rest = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None
        if rest and _ends(last.body, ast.Raise):
            words = [self.scope.value(one) for case in named for one in _words(case.pattern)]
            known = tuple(one.value for one in words if isinstance(one, Known))
            self.reader.note(self.scope.value(line.subject), values(known))

    def _looked_up(self, expression: ast.expr) -> None:
        """``TABLE[kind]``, ``Kind(kind)``, and functions that a parameter is handed to."""
        for one in ast.walk(expression):
            if isinstance(one, ast.Subscript):
                table = self.scope.value(one.value)
                if isinstance(table, Known) and isinstance(table.value, Mapping):
                    self.reader.note(self.scope.value(one.slice), values(table.value))
            elif isinstance(one, ast.Call):
                callee = self.scope.value(one.func)
                kind = callee.value if isinstance(callee, Known) else None
                if isinstance(kind, type) and issubclass(kind, enum.Enum) and one.args:
                    self.reader.note(self.scope.value(one.args[0]), values(kind))
                self.scope.value(one)


def _expressions(line: ast.stmt) -> Iterator[ast.expr]:
    """The expressions that stand in a statement itself, not in the blocks below it."""
    for _name, value in ast.iter_fields(line):
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, ast.expr):
                yield one
            elif isinstance(one, ast.withitem):
                yield one.context_expr


def _blocks(line: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks below a statement."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(line, name, None)
        if block:
            yield block
    for inner in [*getattr(line, "handlers", ()), *getattr(line, "cases", ())]:
        yield inner.body


def _ends(block: list[ast.stmt], *kinds: type[ast.stmt]) -> bool:
    return bool(block) and isinstance(block[-1], kinds)


def _words(pattern: ast.pattern) -> list[ast.expr]:
    if isinstance(pattern, ast.MatchOr):
        return [word for one in pattern.patterns for word in _words(one)]
    if isinstance(pattern, ast.MatchSingleton):
        return [ast.Constant(pattern.value)]
    return [pattern.value] if isinstance(pattern, ast.MatchValue) else []


def _is_ours(function: FunctionType) -> bool:
    """Whether a function belongs to a program, not to Python itself."""
    return str(function.__module__).partition(".")[0] not in sys.stdlib_module_names
