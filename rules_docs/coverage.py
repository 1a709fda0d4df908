"""Which tests cover which paragraph: the rule markers of the suite, read from its source without running it."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path

from rules_docs import content, examples

Marks = Mapping[str, Sequence[str]]  # "ra#auction-3" -> tests, "test_auction.py::test_a_bid_beats_the_last"


def marks(folder: Path) -> Marks:
    """Return the tests of every marked paragraph. A marker on a module or a class counts for the tests in it."""
    found: dict[str, list[str]] = {}
    for file in sorted(folder.rglob("test_*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        for rule, test in _marks_in(tree, ""):
            name = f"{file.relative_to(folder).as_posix()}::{test}".rstrip(":")
            found.setdefault(rule, [])
            if name not in found[rule]:
                found[rule].append(name)
    return found


def _marks_in(node: ast.AST, inside: str) -> list[tuple[str, str]]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        inside = f"{inside}.{node.name}".lstrip(".")
    found: list[tuple[str, str]] = []
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("pytest.mark.rule", "mark.rule"):
        found += [(arg.value, inside) for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
    for child in ast.iter_child_nodes(node):
        found += _marks_in(child, inside)
    return found


def of_book(game: str, found: Marks) -> dict[str, list[str]]:
    """Return every paragraph of a book in reading order with the tests and worked examples that cover it."""
    shown = {anchor: list(found.get(f"{game}#{anchor}", ())) for anchor in content.places(game)}
    for name in examples.example_names(game):
        shown[examples.example(game, name).anchor].append(f"example {name}")
    return shown


def unknown(found: Marks) -> list[tuple[str, str]]:
    """Return the markers that name no existing paragraph: (rule, test)."""
    books = {game: content.places(game) for game in content.written_keys()}
    return [
        (rule, test)
        for rule, tests in found.items()
        for test in tests
        if rule.partition("#")[2] not in books.get(rule.partition("#")[0], {})
    ]
