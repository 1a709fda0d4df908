"""Actions as text: the forms that a game's actions have, for people and for programs.

A form is a verb and what may follow it. What follows is one of its lines, and a line is a row of parts with their values. So a form is a finite
language without a parser; `pattern` gives it as a regular expression that Python and JavaScript read alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any, Final, Literal

from games.core.contract import Rng

Order = Literal["one", "any", "listed", "once", "permuted"]
By = Literal["seat", "chance", "scorer"]

# What each order means, for whoever reads a form: of the values that are given, in their text.
ORDERS: Final[dict[Order, str]] = {
    "one": "One value.",
    "any": "Values in any order; each may stand there several times.",
    "listed": "Values in the order in which they are listed; each may stand there several times.",
    "once": "Different values, in the order in which they are listed.",
    "permuted": "Different values in any order.",
}
BYS: Final[dict[By, str]] = {
    "seat": "A player does it.",
    "chance": "Chance does it: a draw or dice. Programs read it in records and can't send it.",
    "scorer": "The site does it when points are counted. Programs read it in records and can't send it.",
}


@dataclass(frozen=True, slots=True)
class Part:
    """What can stand at one place of an action: from `least` to `most` of `values`, with a space before each."""

    name: str
    values: tuple[str, ...]
    order: Order = "one"
    least: int = 1
    most: int = 1

    def __post_init__(self) -> None:
        assert self.values and 0 <= self.least <= self.most
        assert (self.order == "one") == (self.least == self.most == 1)
        assert self.order not in ("once", "permuted") or self.most <= len(self.values)


Line = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class ActionForm:
    """One kind of action: its verb, what may follow, what it does, the paragraph behind it, and an example of a recorded game."""

    verb: str
    meaning: str  # message id
    rule: str | None  # "ra#draw-1"; None: no paragraph says so
    example: str
    lines: tuple[Line, ...] = ((),)
    by: By = "seat"


def one(name: str, values: Sequence[str]) -> Part:
    """Return a part that is one value.

    >>> one("seat", ["0", "1"]).values
    ('0', '1')
    """
    return Part(name, tuple(values))


def some(name: str, values: Sequence[str], order: Order, least: int, most: int) -> Part:
    """Return a part that is several values, in an order (`ORDERS`)."""
    return Part(name, tuple(values), order, least, most)


def numbers(low: int, high: int) -> tuple[str, ...]:
    """Return whole numbers as texts.

    >>> numbers(1, 3)
    ('1', '2', '3')
    """
    return tuple(map(str, range(low, high + 1)))


def shape(form: ActionForm) -> str:
    """Return how a form looks, for people: names in angle brackets, "…" after what may be repeated, "|" between lines that look different.

    >>> tile = some("tile", ["god", "nile"], "listed", 1, 8)
    >>> shape(ActionForm("god", "Use gods.", None, "god nile", ((tile,),)))
    'god <tile>…'
    """
    shapes = [" ".join([form.verb, *(f"<{part.name}>{'…' if part.most > 1 else ''}" for part in line)]) for line in form.lines]
    return " | ".join(dict.fromkeys(shapes))


@lru_cache(maxsize=512)
def pattern(form: ActionForm) -> str:
    """Return a regular expression for the whole text of an action, in the syntax that Python and JavaScript share.

    >>> pattern(ActionForm("bid", "Bid.", None, "bid 2", ((one("sun", ["1", "2"]),),)))
    '^bid (?:1|2)$'
    >>> tiles = pattern(ActionForm("god", "Use gods.", None, "god nile", ((some("tile", ["god", "nile"], "listed", 1, 8),),)))
    >>> [bool(re.match(tiles, text)) for text in ("god god nile nile", "god nile god", "god", "god nile ")]
    [True, False, False, False]
    """
    lines = "|".join(_line(line) for line in form.lines)
    return f"^{re.escape(form.verb)}{lines if len(form.lines) == 1 else f'(?:{lines})'}$"


def _line(line: Line) -> str:
    return f"{_counts(line)}{''.join(map(_part, line))}"


def _any_of(values: Sequence[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, values))})"


def _counts(line: Line) -> str:
    """Return a look ahead at how many values there are, where the order of the values is what the rest says."""
    if all(part.order in ("one", "any") for part in line):
        return ""
    counted = "".join(f"(?: {_any_of(part.values)}){{{part.least},{part.most}}}" for part in line)
    return f"(?={counted}$)"


def _part(part: Part) -> str:
    values = _any_of(part.values)
    if part.order == "one":
        return f" {values}"
    if part.order == "listed":
        return "".join(f"(?: {re.escape(value)})*" for value in part.values)
    if part.order == "once":
        return "".join(f"(?: {re.escape(value)})?" for value in part.values)
    again = "".join(f"(?!(?: {values})* {re.escape(value)}(?: {values})* {re.escape(value)}(?: |$))" for value in part.values)
    return f"{again if part.order == 'permuted' else ''}(?: {values}){{{part.least},{part.most}}}"


@lru_cache(maxsize=512)
def _compiled(form: ActionForm) -> re.Pattern[str]:
    return re.compile(pattern(form).removesuffix("$") + r"\Z")  # Python's $ also fits before a last line break


def forms_of(forms: Sequence[ActionForm], text: str) -> list[ActionForm]:
    """Return the forms that a text has: one, if it names an action of the game, else none."""
    return [form for form in forms if text.split(" ")[0] == form.verb and _compiled(form).match(text)]


def texts(form: ActionForm) -> Iterator[str]:
    """Yield every text of a form whose parts are single values. Raises ValueError for a form with others."""
    for line in form.lines:
        if any(part.order != "one" for part in line):
            raise ValueError(f"{form.verb}: not a list of single values")
        for values in product(*(part.values for part in line)):
            yield " ".join([form.verb, *values])


def sample(form: ActionForm, rng: Rng) -> str:
    """Return a text that a form allows, chosen by chance: the grammar's, whether legal in any position or not."""
    line = form.lines[rng.below(len(form.lines), "line")]
    words = [form.verb]
    for part in line:
        words += _chosen(part, part.least + rng.below(part.most - part.least + 1, "count"), rng)
    return " ".join(words)


def _chosen(part: Part, count: int, rng: Rng) -> list[str]:
    left = list(range(len(part.values)))
    chosen: list[int] = []
    for _ in range(count):
        at = rng.below(len(left), "value")
        chosen.append(left.pop(at) if part.order in ("once", "permuted") else left[at])
    if part.order in ("once", "listed"):
        chosen.sort()
    return [part.values[at] for at in chosen]


def as_json(form: ActionForm) -> dict[str, Any]:
    """Return a form for programs. `meaning` is left to the caller, who knows the reader's language."""
    return {
        "verb": form.verb,
        "by": form.by,
        "shape": shape(form),
        "rule": form.rule,
        "example": form.example,
        "pattern": pattern(form),
        "lines": [
            [{"name": part.name, "values": list(part.values), "order": part.order, "least": part.least, "most": part.most} for part in line]
            for line in form.lines
        ],
    }
