"""Pictures of positions as SVG: one file that needs nothing else, with no script, no style sheet and no address in it.

A game draws its board from a view, in the classes and with the symbols that its page has; the looks come in a `Sheet`, because a game knows
neither files nor languages. What all pictures have alike is here: the title, the players below the board, colours, a description in words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from games.core.contract import Phrase

WIDTH: Final = 1000  # units of the whole picture
PAD: Final = 20
INNER: Final = WIDTH - 2 * PAD
GAP: Final = 12
TEXT: Final = 25  # size of the text in cards; 15 px in a picture that is 600 px wide
PIECE: Final = 40  # of a piece in a card
ROW: Final = 50
HEAD: Final = 46  # of a card
TITLE: Final = 36
SMALLEST: Final = 18  # of a name or note that would have to be cut otherwise
SANS: Final = "Zig Sans, 'Source Sans 3', Segoe UI, Noto Sans, sans-serif"  # a name with a number wants quotes, else the whole list is void
SERIF: Final = "Zig Serif, 'Brygada 1918', Noto Serif, Georgia, serif"

_VARIABLE: Final = re.compile(r"var\(--([a-z0-9-]+)(?:,\s*([^()]*))?\)")
_USE: Final = re.compile(r'href="#([a-z][a-z0-9-]*)"')
_ID: Final = re.compile(r'\sid="([^"]*)"')
_CLASS: Final = re.compile(r'\sclass="([^"]*)"')
_NOT_XML: Final = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
SERIF_WIDER, BOLD_WIDER = 1.15, 1.06  # than the letters of a text
BREAKS: Final = "-_.@"  # after which, as after a space, a name goes on in another line
_NARROW: Final = frozenset("iljtfrI.,:;'!|()[] ·1")
_WIDE: Final = frozenset("mwMWЖЮШЩФжюшщфMЫ—…%@")


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a picture needs besides a view: its words in the reader's language, and how the game's page looks."""

    title: str
    note: str  # which position it is ("Table 17, step 4"); "" for none
    lang: str
    names: Sequence[str]  # by seat
    say: Callable[[Phrase], str]
    noun: Callable[[str], str]  # glossary id -> "tile"
    count: Callable[[str, int], str]  # glossary id, number -> "3 tiles"
    symbols: Mapping[str, str]  # id -> `<symbol>` of the game's sprite and of the common one
    drawing: Callable[[str], str]  # a part of the board that never changes, by its name ("ground"), as markup with classes
    styles: Mapping[str, Mapping[str, str]]  # class -> presentation attributes
    palette: Mapping[str, str]  # "art-ink" -> "#35271b"

    def look(self, classes: str, seat: int | None = None) -> str:
        """Return the attributes that classes stand for, each with a space before it; `var(--seat)` is the colour of `seat`."""
        found: dict[str, str] = {}
        for name in classes.split():
            found |= self.styles.get(name, {})
        text = "".join(f' {key}="{value}"' for key, value in found.items())
        return text if seat is None else text.replace("var(--seat", f"var(--seat-{seat + 1}")


@dataclass(frozen=True, slots=True)
class Item:
    """A piece or the mark of a seat, a text, or both, in a card or in the line below a board. `told` is it in words, for the description."""

    text: str = ""
    symbol: str = ""
    told: str = ""
    seat: int | None = None  # whose colour the piece has
    mark: int | None = None  # a seat whose number stands before it
    is_faded: bool = False
    is_strong: bool = False  # the text
    ratio: float = 1  # width of the piece to its height

    @property
    def is_seen(self) -> bool:
        """Whether there is anything to draw; an item may be there for the description alone."""
        return bool(self.text or self.symbol) or self.mark is not None


@dataclass(frozen=True, slots=True)
class Card:
    """What everybody knows of a player. `score` is "" where it is hidden."""

    seat: int
    rows: Sequence[Sequence[Item]]
    score: str = ""
    note: str = ""
    is_due: bool = False
    is_out: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """The drawing of a board in its own units, from (x, y) on."""

    markup: str
    x: float
    y: float
    width: float
    height: float


def escaped(text: str) -> str:
    """Return a text as it stands in XML; characters that XML can't have, and those that turn the direction of what follows, are left out.

    >>> escaped('<b> & "Uruk"')
    '&lt;b&gt; &amp; &quot;Uruk&quot;'
    """
    return escape(_NOT_XML.sub("", text))


def width_of(text: str, size: float, *, is_serif: bool = False) -> float:
    """Return about how wide a text is; a game has no fonts to measure it with, so it is rather too much."""
    return (size * SERIF_WIDER if is_serif else size) * sum(
        0.31 if letter in _NARROW else 0.88 if letter in _WIDE else 0.66 if letter.isupper() else 0.545 for letter in text
    )


def cut(text: str, size: float, room: float) -> str:
    """Return the text, or as much of it as there is room for."""
    if width_of(text, size) <= room:
        return text
    while text and width_of(text + "…", size) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def fitted(text: str, size: float, room: float, least: float = SMALLEST) -> tuple[list[str], float]:
    """Return a text in the lines that there is room for, and their size: as it is, else smaller, else in two lines, else cut.

    >>> fitted("Ur", 25, 100)
    (['Ur'], 25)
    """
    long = width_of(text, size)
    if long <= room:
        return [text], size
    if long * least / size <= room:
        return [text], int(size * room / long)
    most = next(at for at in range(len(text), 0, -1) if at == 1 or width_of(text[:at], least) <= room)
    at = max(text.rfind(" ", 0, most + 1), *(text.rfind(mark, 0, most) for mark in BREAKS)) + 1
    if not text[:at].strip() or width_of(text[at:], least) > room:  # then a break anywhere leaves more of it
        at = most
    return [text[:at].rstrip(), cut(text[at:].lstrip(), least, room)], least


def capital(text: str) -> str:
    """Return a text with a capital at its start, as a label has it."""
    return text[:1].upper() + text[1:]


def words(
    x: float,
    y: float,
    text: str,
    size: float = TEXT,
    *,
    fill: str = "var(--ink)",
    anchor: str = "start",
    is_bold: bool = False,
    is_serif: bool = False,
    more: str = "",
) -> str:
    """Return a line of text; `y` is its base line."""
    weight = "700" if is_bold else "500"
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-family="{SERIF if is_serif else SANS}" font-size="{number(size)}" '
        f'font-weight="{weight}" fill="{fill}" text-anchor="{anchor}"{more}>{escaped(text)}</text>'
    )


def piece(symbol: str, x: float, y: float, width: float, height: float | None = None, *, seat: int | None = None, more: str = "") -> str:
    """Return a symbol at its place, in the colour of `seat` if it has an owner."""
    colour = "" if seat is None else f' color="var(--seat-{seat + 1})"'
    high = width if height is None else height
    return f'<use href="#{symbol}" x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(high)}"{colour}{more}/>'


def number(value: float) -> str:
    """Return a coordinate as short as it can be written, to a hundredth.

    >>> number(3.0), number(1 / 3)
    ('3', '0.33')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


def seat_mark(seat: int, x: float, y: float, size: float) -> str:
    """Return the number of a seat on a disc of its colour, `x` and `y` the middle."""
    disc = f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(size / 2)}" fill="var(--seat-{seat + 1})"/>'
    inner = words(x, y + size * 0.24, str(seat + 1), size * 0.68, fill=f"var(--seat-{seat + 1}-on)", anchor="middle", is_bold=True)
    return disc + inner


def items_at(items: Iterable[Item], x: float, y: float, room: float) -> tuple[str, int]:
    """Return items in lines from the left, `y` the top of the first line, and the number of lines."""
    out, at, line = [], x, 0
    for item in items:
        if not item.is_seen:
            continue
        wide = PIECE * item.ratio if item.symbol else 0.0 if item.mark is None else PIECE * 0.75
        long = width_of(item.text, TEXT) * (BOLD_WIDER if item.is_strong else 1)
        whole = wide + (6 if wide and long else 0) + long
        if at > x and at + whole > x + room:
            at, line = x, line + 1
        top = y + ROW * line
        faded = ' opacity=".4"' if item.is_faded else ""
        if item.mark is not None:
            out.append(seat_mark(item.mark, at + wide / 2, top + ROW / 2, wide))
        elif item.symbol:
            out.append(piece(item.symbol, at, top + (ROW - PIECE) / 2, wide, PIECE, seat=item.seat, more=faded))
        if item.text:
            shift = wide + 6 if wide else 0
            fits = cut(item.text, TEXT, x + room - at - shift)
            out.append(words(at + shift, top + ROW / 2 + TEXT * 0.34, fits, is_bold=item.is_strong, more=faded))
        at += whole + (14 if item.text else 5)
    return "".join(out), line + 1


def picture(sheet: Sheet, board: Board, cards: Sequence[Card], line: Sequence[Item] = ()) -> str:
    """Return the whole picture: title, board, a line of what lies beside it, and the players."""
    out = []
    note_room = width_of(sheet.note, 24)
    title = cut(sheet.title, TITLE, (INNER - note_room - 30) / SERIF_WIDER)
    out.append(words(PAD, 50, title, TITLE, is_bold=True, is_serif=True))
    if sheet.note:
        out.append(words(WIDTH - PAD, 48, sheet.note, 24, fill="var(--ink-2)", anchor="end"))
    y = 70.0
    high = INNER * board.height / board.width
    frame = " ".join(map(number, (board.x, board.y, board.width, board.height)))
    out.append(f'<svg x="{PAD}" y="{number(y)}" width="{INNER}" height="{number(high)}" viewBox="{frame}">{board.markup}</svg>')
    y += high + GAP
    if line:
        drawn, lines = items_at(line, PAD + 4, y, INNER - 8)
        out.append(drawn)
        y += ROW * lines + GAP / 2
    drawn, y = _cards(sheet, cards, y)
    out.append(drawn)
    return _whole(sheet, "".join(out), y + PAD - GAP, _description(sheet, cards, line))


def _cards(sheet: Sheet, cards: Sequence[Card], y: float) -> tuple[str, float]:
    """Return the cards of the players in two or three columns, and where they end."""
    columns = 3 if len(cards) in (3, 5, 6) else 2
    wide = (INNER - GAP * (columns - 1)) / columns
    out = []
    for first in range(0, len(cards), columns):
        row = cards[first : first + columns]
        inner = [_rows(card, PAD + (wide + GAP) * at + 14, y + HEAD + 4, wide - 28) for at, card in enumerate(row)]
        high = HEAD + 12 + max(tall for _, tall in inner)
        for at, card in enumerate(row):
            x = PAD + (wide + GAP) * at
            edge = 'stroke="var(--act)" stroke-width="4"' if card.is_due else 'stroke="var(--line)" stroke-width="2"'
            out.append(
                f'<rect x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(high)}" rx="8" fill="var(--surface)" {edge}/>'
            )
            out.append(_card_head(sheet, card, x, y, wide))
            out.append(inner[at][0])
        y += high + GAP
    return "".join(out), y


def _card_head(sheet: Sheet, card: Card, x: float, y: float, wide: float) -> str:
    score = words(x + wide - 14, y + 37, card.score, 32, anchor="end", is_bold=True, is_serif=True) if card.score else ""
    room = wide - 62 - (width_of(card.score, 32, is_serif=True) + 18 if card.score else 8)
    more = ' text-decoration="line-through"' if card.is_out else ""
    lines, size = fitted(sheet.names[card.seat], TEXT + 1, room)
    top = y + 28 + size * 0.35 - (len(lines) - 1) * size * 0.55
    name = "".join(words(x + 56, top + at * size * 1.1, line, size, is_bold=card.is_due, more=more) for at, line in enumerate(lines))
    return seat_mark(card.seat, x + 30, y + 28, 34) + name + score


def _rows(card: Card, x: float, y: float, room: float) -> tuple[str, float]:
    out = []
    top = y
    if card.note:
        lines, size = fitted(card.note, 22, room)
        fill = "var(--act)" if card.is_due else "var(--ink-2)"
        out += [words(x, top + 24 + at * size * 1.2, line, size, fill=fill) for at, line in enumerate(lines)]
        top += 34 + (len(lines) - 1) * size * 1.2
    for row in card.rows:
        if any(item.is_seen for item in row):
            drawn, count = items_at(row, x, top, room)
            out.append(drawn)
            top += ROW * count
    return "".join(out), top - y


def _description(sheet: Sheet, cards: Sequence[Card], line: Sequence[Item]) -> str:
    told = [", ".join(item.told for item in line if item.told)]
    for card in cards:
        known = [card.score, card.note, *(item.told for row in card.rows for item in row)]
        told.append(f"{sheet.names[card.seat]}: {', '.join(text for text in known if text)}" if any(known) else sheet.names[card.seat])
    return "\n".join(text for text in told if text)


def _whole(sheet: Sheet, markup: str, height: float, description: str) -> str:
    """Return the file: classes and colours resolved, and each symbol that is used once, with those that it uses."""
    markup = _CLASS.sub(lambda match: sheet.look(match[1]), markup)
    there, wanted, defs = set(_ID.findall(markup)), list(dict.fromkeys(_USE.findall(markup))), ""
    for symbol in wanted:  # grows while it is read
        if symbol not in there:
            defs += sheet.symbols[symbol]
            there |= set(_ID.findall(sheet.symbols[symbol]))
            wanted += _USE.findall(sheet.symbols[symbol])
    inside = _coloured(f'<defs>{defs}</defs><rect width="{WIDTH}" height="{number(height)}" fill="var(--ground)"/>{markup}', sheet.palette)
    title = f"{sheet.title} ({sheet.note})" if sheet.note else sheet.title
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {number(height)}" width="{WIDTH}" height="{number(height)}" '
        f'role="img" aria-labelledby="title desc" lang="{escaped(sheet.lang)}"><title id="title">{escaped(title)}</title>'
        f'<desc id="desc">{escaped(description)}</desc>{inside}</svg>\n'
    )


def _coloured(markup: str, palette: Mapping[str, str]) -> str:
    """Return markup with the values of its custom properties. Raises KeyError for one that has neither a value nor another to fall back on."""

    def value(match: re.Match[str]) -> str:
        return palette[match[1]] if match[1] in palette or match[2] is None else match[2]

    while _VARIABLE.search(markup):
        markup = _VARIABLE.sub(value, markup)
    return markup
