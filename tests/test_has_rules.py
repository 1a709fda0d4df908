"""`:has()` in the style sheets: a rule whose last part matches every element makes browsers style the whole page after each change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

CSS = Path(__file__).parents[1] / "static/css"
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SELECTORS = re.compile(r"([^{};]+)\{")
NAMED = re.compile(r"[.#\[]|^[a-z]")


def outside(selector: str, separators: str) -> list[str]:
    """Return the parts of a selector between separators that stand outside brackets."""
    parts, depth = [""], 0
    for sign in selector:
        depth += (sign in "([") - (sign in ")]")
        if sign in separators and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]


def bare(compound: str) -> str:
    """Return a part of a selector without what stands in its brackets, except in `:is()` and `:where()`, which name elements too."""
    while (found := re.search(r":(?!is\(|where\()[\w-]+\([^()]*\)", compound)) is not None:
        compound = compound[: found.start()] + compound[found.end() :]
    return re.sub(r":(?:is|where)\(|\)", "", compound)


def unnamed(css: str) -> Iterator[str]:
    """Yield the selectors with `:has()` whose last part names no class, id, attribute or kind of element."""
    for found in SELECTORS.finditer(COMMENT.sub("", css)):
        for selector in outside(found[1], ","):
            if ":has(" in selector and not NAMED.search(bare(outside(selector, " >+~")[-1])):
                yield selector


@pytest.mark.parametrize("path", sorted(CSS.rglob("*.css")), ids=lambda path: path.stem)
def test_rules_with_has_name_what_they_style(path: Path):
    assert list(unnamed(path.read_text())) == []


@pytest.mark.parametrize(
    ("rule", "is_unnamed"),
    [
        (".row:has(> .on) > :not(.on) { color: red }", True),
        (".row:has(> .on) > :first-child { color: red }", True),
        (".row:has(> .on) > * { color: red }", True),
        (".row:has(> .on) > .button:not(.on) { color: red }", False),
        (".row:has(> .on) > :is(.one, .two) { color: red }", False),
        (".row > :not(.on) { color: red }", False),
        ("@media print { a, .row:not(:has([open])) + svg { color: red } }", False),
    ],
)
def test_what_counts_as_named(rule: str, is_unnamed: bool):
    assert bool(list(unnamed(rule))) is is_unnamed
