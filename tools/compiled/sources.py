"""What of a game is compiled, and the copy of it that mypyc can read.

The copy differs from the source by mechanical changes that keep every line where it is, so that tracebacks point at the source:
what `@compact` writes at import stands in the class (only so is it a class of the compiler); a dataclass has no slots (a compiled class has
none to give), and its class variables stand in a base class (mypyc would make fields of them: its issue 1122) and its annotations
are set again (mypyc keeps `type` for `int | None`, and the schemas of the API are made of them); a loop goes over `bytes(...)`
of a byte array, `in (*a, *b)` looks through a list, and a sum of floats starts at 0.0, because mypyc stops at the first two and takes the
product of a whole number and the last for a whole number.

The source itself avoids two things that say something else once they are compiled, and tests look for them: `is` between numbers, which
have no identity there (tests/test_compiled.py), and a whole number where a float is declared, which becomes one (tests/engine/test_every_bot.py).
"""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from games.core.compiled import ROOT

STARTS = ("rules", "bot", "view")  # what these import, directly or not, is compiled
SHARED = "core"  # beside the games: a call from compiled code into plain Python costs more than one within it
SHARED_MODULES = ["games.core.choosing", "games.core.comparing", "games.core.rng"]
EXCEPT = {"__init__", "meta", "phrases", "learner", "prompt"}  # say things once or for people, or hand work to numpy
PACKAGE = "from typing import Any\n\ngame: Any = None\n"  # in place of a game's __init__.py, which would be a circle
LOOPING = {"enumerate", "zip", "reversed", "sum", "any", "all", "list", "tuple", "set", "sorted", "map", "filter", "max", "min"}
Place = tuple[int, int, int, int]  # line, column, last line, column after it; columns in bytes


def imported(path: Path) -> Iterator[str]:
    """Yield the modules of the project that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def file_of(module: str, root: Path = ROOT) -> Path | None:
    path = root / (module.replace(".", "/") + ".py")
    return path if path.is_file() else None


def chosen(key: str, root: Path = ROOT) -> tuple[list[str], list[str]]:
    """Return the modules of a game to be compiled, and the other modules they import, whose constants the compiler may copy."""
    if key == SHARED:
        return SHARED_MODULES, ["games.core.contract"]
    own = f"games.{key}."
    waiting = [own + start for start in STARTS]
    compiled: set[str] = set()
    others: set[str] = set()
    while waiting:
        module = waiting.pop()
        path = file_of(module, root)
        if path is None or module in compiled:
            continue
        if not module.startswith(own) or module.removeprefix(own) in EXCEPT:
            others.add(module)
            continue
        compiled.add(module)
        waiting += [name for name in imported(path) if name.startswith("games.")]
    return sorted(compiled), sorted(others)


def copy(key: str, modules: list[str], target: Path, root: Path = ROOT) -> None:
    """Write the games into `target`, with the modules to be compiled as mypyc can read them, all but its loops."""
    shutil.copytree(root / "games", target / "games", ignore=shutil.ignore_patterns("__pycache__"))
    if key != SHARED:
        (target / "games" / key / "__init__.py").write_text(PACKAGE)
    for module in modules:
        path = target / (module.replace(".", "/") + ".py")
        path.write_text(readable(path.read_text()))


def readable(text: str) -> str:
    """Return a module as mypyc can read it, all but its loops."""
    return without_slots(with_annotations(with_class_variables(with_compact(text))))


def without_slots(text: str) -> str:
    return re.sub(r"(@dataclass\([^)\n]*), slots=True\)", r"\1)", text)


def with_compact(text: str) -> str:
    """Write the methods that `games.core.compact` makes at import into the class, in place of the two empty lines after it."""
    if "@compact(" not in text:
        return text
    lines = text.split("\n")
    for node in ast.parse(text).body:
        if not isinstance(node, ast.ClassDef):
            continue
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name) and decorator.func.id == "compact":
                settings = {setting.arg: ast.literal_eval(setting.value) for setting in decorator.keywords}
                assert node.end_lineno is not None and not any(lines[node.end_lineno : node.end_lineno + 2])
                lines[decorator.lineno - 1] = ""
                lines[node.end_lineno : node.end_lineno + 2] = _methods(node, settings.get("derived", ()), settings.get("unordered", ()))
    return "\n".join(lines)


def with_class_variables(text: str) -> str:
    """Move the class variables of each dataclass into a base class, written in one of the two empty lines above it."""
    if "ClassVar" not in text:
        return text
    lines = text.split("\n")
    for node in ast.parse(text).body:
        if not isinstance(node, ast.ClassDef) or not any(_name_of(decorator) == "dataclass" for decorator in node.decorator_list):
            continue
        variables = [line for line in node.body if isinstance(line, ast.AnnAssign) and _name_of(line.annotation) == "ClassVar"]
        if not variables:
            continue
        above = min(decorator.lineno for decorator in node.decorator_list) - 2  # counted from 0
        assert not any(lines[above - 1 : above + 1])
        bases = ", ".join(map(ast.unparse, node.bases))
        variables_of = f"_{node.name}Variables"
        lines[above] = f"class {variables_of}({bases}): {'; '.join(map(ast.unparse, variables))}"
        lines[node.lineno - 1] = f"class {node.name}({variables_of}):"
        for line in variables:
            assert line.end_lineno == line.lineno
            lines[line.lineno - 1] = ""
    return "\n".join(lines)


def with_annotations(text: str) -> str:
    """Give each dataclass its annotations as they are written, in the first of the empty lines after it."""
    lines = text.split("\n")
    for node in ast.parse(text).body:
        if not isinstance(node, ast.ClassDef) or not any(_name_of(decorator) == "dataclass" for decorator in node.decorator_list):
            continue
        fields = {
            line.target.id: ast.unparse(line.annotation)
            for line in node.body
            if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
        }
        assert node.end_lineno is not None and not lines[node.end_lineno]
        if fields:
            lines[node.end_lineno] = f'setattr({node.name}, "__annotations__", {fields!r})'
    return "\n".join(lines)


def _name_of(node: ast.expr) -> str:
    """Return the name at the start of a decorator or an annotation: `name`, `name(...)` or `name[...]`."""
    if isinstance(node, ast.Call):
        node = node.func
    elif isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _methods(node: ast.ClassDef, derived: tuple[str, ...], unordered: tuple[str, ...]) -> list[str]:
    """Return `copy` and `__eq__`, each on one line."""
    name = node.name
    kinds = {
        line.target.id: ast.unparse(line.annotation)
        for line in node.body
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
    }
    copies = [f"new.{field} = self.{field}" + "[:]" * kind.startswith(("list", "bytearray")) for field, kind in kinds.items()]
    pairs = [
        f"sorted(self.{field}) == sorted(other.{field})" if field in unordered else f"self.{field} == other.{field}"
        for field in kinds
        if field not in derived
    ]
    return [
        f"    def copy(self) -> {name}: new = {name}.__new__({name}); {'; '.join(copies)}; return new",
        f"    def __eq__(self, other: object) -> bool: return isinstance(other, {name}) and {' and '.join(pairs)}",
    ]


def _place(node: ast.expr) -> Place:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def looped(tree: ast.AST) -> Iterator[Place]:
    """Yield the places of what loops go over."""
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.comprehension):
            yield _place(node.iter)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in LOOPING:
            yield from map(_place, node.args)


def unpacked(tree: ast.AST) -> Iterator[Place]:
    """Yield the places of what `in` looks through, if it is written with stars."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and any(isinstance(op, ast.In | ast.NotIn) for op in node.ops):
            for side in node.comparators:
                if isinstance(side, ast.Tuple | ast.List | ast.Set) and any(isinstance(item, ast.Starred) for item in side.elts):
                    yield _place(side)


def with_loops(text: str, bytearrays: set[Place], floats: set[Place]) -> str:
    """Rewrite what mypyc can't read; the places are those of expressions that are byte arrays, and that hold floats."""
    tree = ast.parse(text)
    insertions: list[tuple[int, int, bytes]] = []
    wraps = dict.fromkeys(bytearrays.intersection(looped(tree)), b"bytes(") | dict.fromkeys(unpacked(tree), b"list(")
    for (line, column, last, end), wrap in wraps.items():
        insertions += [(line, column, wrap), (last, end, b")")]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sum" and len(node.args) == 1:
            line, column, last, end = place = _place(node.args[0])
            if place not in floats:
                continue
            if isinstance(node.args[0], ast.GeneratorExp):  # its parentheses are those of the call
                insertions += [(line, column, b"("), (last, end, b", 0.0)")]
            else:
                insertions.append((last, end, b", 0.0"))
    lines = text.encode().split(b"\n")
    for line, column, what in sorted(insertions, reverse=True):
        lines[line - 1] = lines[line - 1][:column] + what + lines[line - 1][column:]
    return b"\n".join(lines).decode()
