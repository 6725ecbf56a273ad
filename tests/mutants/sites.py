"""
Every way in which one module can be made wrong in one place.

The same source gives the same list in the same order, so a seed names the same
mutants everywhere.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}

ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}

#: Fields that run nothing, or whose change no call can see.
SILENT = {"annotation", "returns", "decorator_list", "type_params", "type_comment"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """
    One change: the node at ``place`` of the walk gets its variant number ``variant``.
    """

    module: str
    place: int
    variant: int

    #: First line of the changed node, counted from 1.
    line: int

    #: What was done, such as ``Lt to LtE``.
    what: str

    #: The line's text without its indent; with ``what`` it names the mutant when lines move.
    text: str

    @property
    def name(self) -> str:
        """What the list of survivors calls it."""
        return f"{self.module}: {self.text} [{self.what}]"


def mutants(module: str, source: str) -> list[Mutant]:
    """
    All mutants of a module's source, in the order of the source.
    """
    lines = source.splitlines()
    return [
        Mutant(
            module=module,
            place=place,
            variant=variant,
            line=node.lineno,
            what=what,
            text=lines[node.lineno - 1].strip(),
        )
        for place, node in enumerate(_walk(ast.parse(source)))
        for variant, (what, _) in enumerate(_variants(node))
    ]


def applied(source: str, mutant: Mutant) -> ast.Module:
    """
    The module's tree with that one change.
    """
    tree = ast.parse(source)
    node = list(_walk(tree))[mutant.place]
    _what, changed = list(_variants(node))[mutant.variant]
    ast.copy_location(changed, node)
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if value is node:
                setattr(parent, field, changed)
            elif isinstance(value, list):
                value[:] = [changed if one is node else one for one in value]
    return ast.fix_missing_locations(tree)


def _walk(tree: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    if isinstance(tree, ast.expr | ast.stmt):
        yield tree
    for field, value in ast.iter_fields(tree):
        if field in SILENT:
            continue
        children = value if isinstance(value, list) else [value]
        for child in children:
            if isinstance(child, ast.AST) and not _silent(child):
                yield from _walk(child)


def _silent(node: ast.AST) -> bool:
    """Docstrings, ``__all__``, imports, names of types."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__"
    return isinstance(node, ast.Import | ast.ImportFrom)


def _variants(node: ast.expr | ast.stmt) -> Iterator[tuple[str, ast.AST]]:
    yield from _of_operators(node)
    yield from _of_the_rest(node)


def _of_operators(node: ast.expr | ast.stmt) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            for at, op in enumerate(ops):
                for other in COMPARISONS[type(op)]:
                    changed = [*ops[:at], other(), *ops[at + 1 :]]
                    what = f"{type(op).__name__} to {other.__name__}"
                    yield what, ast.Compare(left, changed, comparators)
        case ast.BoolOp(op=ast.And(), values=values):
            yield "And to Or", ast.BoolOp(ast.Or(), values)
        case ast.BoolOp(op=ast.Or(), values=values):
            yield "Or to And", ast.BoolOp(ast.And(), values)
        case ast.UnaryOp(op=ast.Not() | ast.USub() as op, operand=operand):
            yield f"without {type(op).__name__}", operand
        case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
            other = ARITHMETIC[type(op)]
            yield f"{type(op).__name__} to {other.__name__}", ast.BinOp(left, other(), right)
        case ast.AugAssign(target=target, op=op, value=value) if type(op) in ARITHMETIC:
            other = ARITHMETIC[type(op)]
            yield (
                f"{type(op).__name__} to {other.__name__}",
                ast.AugAssign(target, other(), value),
            )


def _of_the_rest(node: ast.expr | ast.stmt) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.Constant(value=bool() as value):
            yield f"{value} to {not value}", ast.Constant(not value)
        case ast.Constant(value=int() | float() as value):
            yield f"{value} to {value + 1}", ast.Constant(value + 1)
        case ast.Constant(value=str() as value) if value:
            yield f"{value[:20]!r} to another text", ast.Constant(f"~{value}")
        case ast.If(test=test, body=body, orelse=orelse) if not isinstance(test, ast.Compare):
            yield "condition negated", ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.IfExp(test=test, body=body, orelse=orelse) if not isinstance(test, ast.Compare):
            yield "condition negated", ast.IfExp(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield "returns None", ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
            yield "statement removed", ast.Pass()
        case ast.Break():
            yield "break to continue", ast.Continue()
        case ast.Continue():
            yield "continue to break", ast.Break()


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
