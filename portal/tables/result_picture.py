"""The result of a game as a picture of 1200 x 630 px: what other sites show beside a link to it, and what people keep.

The pages' own fonts and colours by day. It is drawn without the page: places, names and points are all it knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Final

from django.contrib.staticfiles import finders

from rules_docs.heads import preview_path

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

SIZE: Final = (1200, 630)
SEATS: Final = ("#3368a8", "#cf6a00", "#3b9b88", "#5f1954", "#764f00", "#1f1912")  # as in tokens.css
ON_SEATS: Final = ("#ffffff", "#1c0d02", "#04211b", "#ffffff", "#ffffff", "#ffffff")
GROUND, SURFACE, LINE, INK, INK_2 = "#f3f2ee", "#fcfbf9", "#dad6cd", "#221f1b", "#524d45"
LEFT, WIDE, HIGH = 60, 480, 252  # of the game's own picture
RIGHT, END = 590, 1140  # of the list
ROW: Final = 84
TOKEN: Final = 22  # radius
# In the order of `unicode-range` in base.css: each file has only its own part of the letters.
PARTS: Final = (("cyrillic", ((0x400, 0x45F), (0x490, 0x491), (0x2116, 0x2116))), ("latin-ext", ((0x100, 0x17F), (0x218, 0x21B))))
LATIN: Final = "latin"
LATIN_LETTERS: Final = frozenset((*range(0x20, 0x7F), *range(0xA0, 0x100), *range(0x2010, 0x2027), 0x2212))
BOLD, PLAIN = b"Bold", b"Medium"


@dataclass(frozen=True, slots=True)
class Row:
    """A player: `place` from 1, `number` of the seat from 1."""

    place: int
    number: int
    name: str
    points: int


def drawn(game_key: str, title: str, lines: Sequence[str], rows: Sequence[Row]) -> bytes:
    """Return the picture as a PNG: the title of the game, `lines` below it, and the players from the first place down."""
    from PIL import Image, ImageDraw  # takes a while to load, and few processes ever need it

    image = Image.new("RGB", SIZE, GROUND)
    draw = ImageDraw.Draw(image)
    titles = _wrapped(title, "serif", 54, BOLD, WIDE)[:2]
    y = (SIZE[1] - HIGH - 40 - 64 * len(titles) - 42 * len(lines)) // 2
    image.paste(_small(game_key), (LEFT, y))
    y += HIGH + 34
    for line in titles:
        _write(draw, (LEFT, y), line, "serif", 54, BOLD, INK)
        y += 64
    y += 6
    for line in lines:
        _write(draw, (LEFT, y), _cut(line, "sans", 30, PLAIN, WIDE), "sans", 30, PLAIN, INK_2)
        y += 42
    high = ROW * len(rows)
    top = (SIZE[1] - high) // 2
    draw.rounded_rectangle((RIGHT - 20, top - 16, END + 20, top + high + 16), 16, fill=SURFACE, outline=LINE, width=2)
    for index, row in enumerate(rows):
        _draw_row(image, draw, row, top + ROW * index, is_first=index == 0)
    out = BytesIO()
    image.quantize(128, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(out, "PNG")  # a fifth of the default's time
    return out.getvalue()


@cache
def _small(game_key: str) -> Image:
    """Return the game's own picture, small and with round corners."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDE, HIGH), GROUND)
    corners = Image.new("L", (2 * WIDE, 2 * HIGH), 0)
    ImageDraw.Draw(corners).rounded_rectangle((0, 0, 2 * WIDE - 1, 2 * HIGH - 1), 32, fill=255)
    with Image.open(str(finders.find(preview_path(game_key)))) as preview:
        image.paste(preview.convert("RGB").resize((WIDE, HIGH), Image.Resampling.LANCZOS), mask=corners.resize((WIDE, HIGH)))
    return image


@cache
def _disc(colour: str) -> Image:
    """Return the token of a seat on the ground of the list."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (8 * TOKEN, 8 * TOKEN), SURFACE)  # drawn four times as large: Pillow does not smooth edges
    ImageDraw.Draw(image).ellipse((0, 0, 8 * TOKEN - 1, 8 * TOKEN - 1), fill=colour)
    return image.resize((2 * TOKEN, 2 * TOKEN), Image.Resampling.LANCZOS)


def _draw_row(image: Image, draw: ImageDraw, row: Row, top: int, *, is_first: bool) -> None:
    """Draw a line of the list; those who have won are set in bold."""
    middle = top + ROW // 2
    if not is_first:
        draw.line((RIGHT, top, END, top), LINE, 2)
    weight = BOLD if row.place == 1 else PLAIN
    place, points, number = f"{row.place}.", str(row.points).replace("-", "−"), str(row.number)
    _write(draw, (RIGHT, middle), place, "serif", 36, weight, INK_2, "lm")
    x = RIGHT + 56 + TOKEN
    image.paste(_disc(SEATS[row.number - 1]), (x - TOKEN, middle - TOKEN))
    _write(draw, (x, middle), number, "sans", 26, BOLD, ON_SEATS[row.number - 1], "mm")
    _write(draw, (END, middle), points, "serif", 40, weight, INK, "rm")
    begin = x + TOKEN + 18
    room = END - begin - round(_length(points, "serif", 40, weight)) - 20
    _write(draw, (begin, middle), _cut(row.name, "sans", 34, weight, room), "sans", 34, weight, INK, "lm")


@cache
def _font(family: str, part: str, size: int, weight: bytes) -> FreeTypeFont:
    from PIL import ImageFont

    font = ImageFont.truetype(str(finders.find(f"css/fonts/zig-{family}-{part}.woff2")), size)
    font.set_variation_by_name(weight)
    return font


def _part(letter: str) -> str:
    code = ord(letter)
    return next((part for part, ranges in PARTS if any(first <= code <= last for first, last in ranges)), LATIN)


def has_letters_for(name: str) -> bool:
    """Say whether the fonts have all letters of a name; the others would be empty boxes."""
    return all(_part(letter) != LATIN or ord(letter) in LATIN_LETTERS for letter in name)


def _runs(text: str) -> Iterator[tuple[str, str]]:
    """Split a text where its letters are in different files."""
    run, current = "", ""
    for letter in text:
        part = _part(letter)
        if run and part != current:
            yield current, run
            run = ""
        current, run = part, run + letter
    if run:
        yield current, run


def _length(text: str, family: str, size: int, weight: bytes) -> float:
    return sum(_font(family, part, size, weight).getlength(run) for part, run in _runs(text))


def _write(
    draw: ImageDraw, at: tuple[float, float], text: str, family: str, size: int, weight: bytes, fill: str, anchor: str = "la"
) -> None:
    """Write a line whose letters may be in several files; `anchor` as in Pillow."""
    x, y = at
    x -= _length(text, family, size, weight) * {"l": 0, "m": 0.5, "r": 1}[anchor[0]]
    for part, run in _runs(text):
        font = _font(family, part, size, weight)
        draw.text((x, y), run, fill, font, "l" + anchor[1])
        x += font.getlength(run)


def _cut(text: str, family: str, size: int, weight: bytes, room: float) -> str:
    if _length(text, family, size, weight) <= room:
        return text
    while text and _length(text + "…", family, size, weight) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def _wrapped(text: str, family: str, size: int, weight: bytes, room: float) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and _length(longer, family, size, weight) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return [_cut(line, family, size, weight, room) for line in lines]
