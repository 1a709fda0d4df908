"""Which tests cover which paragraph: the rule markers of the suite, read from its source without running it.

A paragraph that states nothing a program could break (theme, an outline, a list of links) has a reason in its book's `unheld.toml` instead.
"""

from __future__ import annotations

import ast
import tomllib
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
    """Return every paragraph of a book's rules in reading order with the tests and worked examples that cover it."""
    book = content.book(game)
    rules = (anchor for anchor, place in content.places(game).items() if book.chapter(place.chapter).is_rules)
    shown = {anchor: list(found.get(f"{game}#{anchor}", ())) for anchor in rules}
    for name in examples.example_names(game):
        shown[examples.example(game, name).anchor].append(f"example {name}")
    return shown


def reasons(game: str, root: Path = content.ROOT) -> dict[str, str]:
    """Return why no test holds a paragraph, by anchor, from the book's `unheld.toml`. Raises ContentError for what is no reason."""
    file = root / game / "unheld.toml"
    if not file.is_file():
        return {}
    try:
        found = tomllib.loads(file.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise content.ContentError(file, 1, str(error)) from None
    for anchor, reason in found.items():
        if not isinstance(reason, str) or not reason.strip():
            raise content.ContentError(file, 1, f"{anchor}: expected a reason in words")
    return found


def faults(held: Mapping[str, Sequence[str]], given: Mapping[str, str]) -> list[str]:
    """Return what is wrong with the reasons `given` for a book of which tests and examples hold the paragraphs `held`."""
    return [
        *(f"{anchor}: has a reason, but there is no such paragraph" for anchor in given if anchor not in held),
        *(f"{anchor}: has a reason, but {names[0]} holds it" for anchor, names in held.items() if names and anchor in given),
    ]


def without_reason(held: Mapping[str, Sequence[str]], given: Mapping[str, str]) -> list[str]:
    """Return the paragraphs that nothing holds and that have no reason."""
    return [anchor for anchor, names in held.items() if not names and anchor not in given]


def matrix(found: Marks) -> str:
    """Return a Markdown table for each book: its chapters with their paragraphs, worked examples, and how many are held or have a reason."""
    lines = ["# What holds the rule books", "", "`manage.py rules_coverage --matrix` writes this file."]
    for game in content.book_keys():
        book, held, given = content.book(game), of_book(game, found), reasons(game)
        drawn = [examples.example(game, name).anchor for name in examples.example_names(game)]
        places = content.places(game)
        lines += ["", f"## {book.title_in(content.FALLBACK)}", ""]
        lines += [
            "| chapter | paragraphs | examples | held by a test or example | a reason instead |",
            "| --- | ---: | ---: | ---: | ---: |",
        ]
        sums = [0, 0, 0, 0]
        for chapter in book.chapters:
            anchors = [anchor for anchor, place in places.items() if place.chapter == chapter.slug]
            row = [
                len(anchors),
                sum(anchor in anchors for anchor in drawn),
                sum(bool(held.get(anchor)) for anchor in anchors),
                sum(anchor in given for anchor in anchors),
            ]
            if chapter.is_rules:
                sums = [one + other for one, other in zip(sums, row, strict=True)]
                cells = [str(number) for number in row]
            else:
                cells = [str(row[0]), str(row[1]), "no rules", ""]
            lines.append(f"| {chapter.title[content.FALLBACK]} | {' | '.join(cells)} |")
        lines.append(f"| **all rules** | {' | '.join(f'**{number}**' for number in sums)} |")
    return "\n".join(lines) + "\n"


def unknown(found: Marks) -> list[tuple[str, str]]:
    """Return the markers that name no existing paragraph: (rule, test)."""
    books = {game: content.places(game) for game in content.written_keys()}
    return [
        (rule, test)
        for rule, tests in found.items()
        for test in tests
        if rule.partition("#")[2] not in books.get(rule.partition("#")[0], {})
    ]
