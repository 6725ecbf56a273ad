"""
Every module under ``/inside/sources``, compiled to ``/inside/compiled`` by the interpreter that will run it.

The files are hash-based and unchecked, so no date gets into them; the order is
fixed and so is the hash seed, so the same sources give the same bytes. Docstrings
of functions and modules are dropped, since nobody reads them in a page; those of
classes stay, since a dataclass without one pays for a made one at import; asserts
stay, since they are behaviour.
"""

import ast
import importlib.util
import marshal
from pathlib import Path

SOURCES = Path("/inside/sources")
COMPILED = Path("/inside/compiled")

#: PEP 552: hash-based, and never checked against a source.
UNCHECKED = (1).to_bytes(4, "little")

#: The engine documents what it makes in C from these, at boot.
DOCUMENTED = ("_pyodide", "pyodide")


class Undocumented(ast.NodeTransformer):
    """
    Drops the docstring of a function or module.
    """

    def bare(self, node: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        """
        Visit what is inside first, then take the string that stands first here.
        """
        self.generic_visit(node)
        if ast.get_docstring(node, clean=False) is not None:
            first = node.body[0]
            node.body = node.body[1:] or [ast.Pass(lineno=first.lineno, col_offset=0)]
        return node

    visit_Module = visit_FunctionDef = visit_AsyncFunctionDef = bare  # noqa: N815


def compiled(path: Path) -> bytes:
    """
    The ``.pyc`` file of one source file.
    """
    source = path.read_bytes()
    tree = ast.parse(source)
    relative = path.relative_to(SOURCES)
    if relative.parts[0] not in DOCUMENTED:
        tree = ast.fix_missing_locations(Undocumented().visit(tree))
    code = compile(tree, str(relative), "exec", dont_inherit=True, optimize=0)
    header = importlib.util.MAGIC_NUMBER + UNCHECKED + importlib.util.source_hash(source)
    return header + marshal.dumps(code)


for path in sorted(SOURCES.rglob("*.py")):
    target = (COMPILED / path.relative_to(SOURCES)).with_suffix(".pyc")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(compiled(path))
