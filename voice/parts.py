"""The part of a drawn map that matters, and drawings that several boards of one page share.

A board marks the layers of its map with `data-layer` where it may be shown in part, all with one frame (`viewBox`), and with `data-aside` what
may be left out beside the map. `data-layer="0.3 1.33"` is for a map of which a part may be smaller than usual (as a share of its width), and has
proportions of its own (width to height). A part is marked with its share of the map's width in tenths, rounded down
(`data-part="5"`). Nothing here knows a game.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from html.parser import HTMLParser
from typing import Final

from django.utils.safestring import SafeString, mark_safe

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # x, y, width, height

LEAST: Final = 0.5  # of the frame's width: where the part is on the map must stay plain
AROUND: Final = 0.08  # of the frame's width or height on each side of what matters
WORTH: Final = 0.85  # a part nearly as wide as the whole is shown whole
MARK: Final = " data-layer"
ASIDE: Final = " data-aside"
_TAGS: Final = re.compile(r"<svg\b[^>]*>|</svg>")
_OPENING: Final = re.compile(rf"<(\w+)\b[^>]*{ASIDE}[^>]*>")
_DEFS: Final = re.compile(r"<defs>.*?</defs>", re.DOTALL)
_FRAME: Final = re.compile(r'viewBox="([^"]+)"')
_SHAPE: Final = re.compile(rf'{MARK}="([\d.]+) ([\d.]+)"')
_MOVE: Final = re.compile(r"translate\(\s*(-?[\d.]+)[ ,]+(-?[\d.]+)\s*\)")


def ground_of(boards: Iterable[str]) -> frozenset[str]:
    """Return what all boards have alike: the map without pieces."""
    marks = [set(_drawn(board)[1]) for board in boards]
    return frozenset(set[str].intersection(*marks)) if marks else frozenset()


def part_of(boards: Sequence[str], ground: Collection[str]) -> Box | None:
    """Return the part of the map that the boards of one story are about; None if that is the whole map.

    If the pieces lie close together, the part holds all of them, else those that the story adds, moves or removes.
    """
    drawn = [_drawn(board) for board in boards]
    frame = next((frame for frame, _marks in drawn if frame), None)
    if frame is None:
        return None
    own = next(filter(None, map(_SHAPE.search, boards)), None)
    least, shape = map(float, own.groups()) if own else (LEAST, frame[2] / frame[3])
    pieces = {mark: at for _frame, marks in drawn for mark, at in marks.items() if mark not in ground}
    moved = {mark: at for mark, at in pieces.items() if not all(mark in marks for _frame, marks in drawn)}
    return _around(frame, list(pieces.values()), least, shape) or _around(frame, list(moved.values()), least, shape)


def show(board: SafeString, part: Box | None) -> SafeString:
    """Return the board with its map cut down to a part, which is larger by as much."""
    if part is None:
        return board
    box = " ".join(f"{number:g}" for number in part)

    def cut(frame: re.Match[str]) -> str:
        share = part[2] / float(frame[1].split()[2])
        return f'viewBox="{box}" data-part="{int(10 * share)}"'

    return mark_safe("".join(_FRAME.sub(cut, piece, count=1) if is_tag and MARK in piece else piece for piece, is_tag in _split(board)))


def asides(board: str) -> Iterator[str]:
    """Yield what the board marks as beside the map."""
    for opening in _OPENING.finditer(board):
        depth = 0
        for tag in re.finditer(rf"<(/?){opening[1]}\b[^>]*>", board[opening.start() :]):
            depth += -1 if tag[1] else 1
            if depth == 0:
                yield board[opening.start() : opening.start() + tag.end()]
                break


def without(board: SafeString, left_out: Collection[str]) -> SafeString:
    """Return the board without some of what is beside the map."""
    text = str(board)
    for one in left_out:
        text = text.replace(one, "")
    return mark_safe(text)


def share(boards: Sequence[SafeString]) -> tuple[list[SafeString], SafeString]:
    """Return the boards with each layer that several of them have drawn only once, and these layers, which the page needs too."""
    boards = _defined_once(boards)
    seen: dict[str, int] = {}
    for board in boards:
        for _tag, inside in _layers(board):
            seen[inside] = seen.get(inside, 0) + 1
    names = {
        inside: f"layer-{hashlib.sha256(inside.encode()).hexdigest()[:8]}"
        for inside, count in seen.items()
        if count > 1 and _may_share(inside)
    }
    if not names:
        return list(boards), mark_safe("")
    out = []
    for board in boards:
        text = str(board)
        for tag, inside in _layers(board):
            if inside in names:
                text = text.replace(f"{tag}{inside}</svg>", f'{tag}<use href="#{names[inside]}"/></svg>')
        out.append(mark_safe(text))
    layers = "".join(f'<g id="{name}">{inside}</g>' for inside, name in names.items())
    return out, mark_safe(f'<svg class="svg-defs" aria-hidden="true" focusable="false"><defs>{layers}</defs></svg>')


def _defined_once(boards: Sequence[SafeString]) -> list[SafeString]:
    """Return the boards with what they define (patterns) only in the first that does: the page must not name two things alike."""
    known: set[str] = set()
    out = []
    for board in boards:
        own, text = set(_DEFS.findall(board)), str(board)
        for one in own & known:
            text = text.replace(one, "")
        out.append(mark_safe(text))
        known |= own
    return out


def _may_share(inside: str) -> bool:
    """Whether it is worth it, and looks the same in another place: no HTML inside, nothing that is named for others."""
    return len(inside) > 400 and "<foreignObject" not in inside and not re.search(r"\sid=|url\(#", inside)


def _around(frame: Box, points: Sequence[Point], least: float, shape: float) -> Box | None:
    """Return the box of some proportions around points, with some room; None if it is nearly the frame, or there are no points."""
    if not points:
        return None
    left, top, width, height = frame
    xs, ys = [x for x, _y in points], [y for _x, y in points]
    wide = max(max(xs) - min(xs) + 2 * AROUND * width, (max(ys) - min(ys) + 2 * AROUND * height) * shape, least * width)
    high = wide / shape
    if wide > WORTH * width or high > height:
        return None
    x = min(max((min(xs) + max(xs) - wide) / 2, left), left + width - wide)
    y = min(max((min(ys) + max(ys) - high) / 2, top), top + height - high)
    return round(x), round(y), round(wide), round(high)


def _split(board: str) -> Iterator[tuple[str, bool]]:
    """Yield the markup in order, tags of `<svg>` apart."""
    at = 0
    for match in _TAGS.finditer(board):
        yield board[at : match.start()], False
        yield match[0], True
        at = match.end()
    yield board[at:], False


def _layers(board: str) -> Iterator[tuple[str, str]]:
    """Yield the opening tag and the inside of every marked layer."""
    depth, tag, inside = 0, "", list[str]()
    for piece, is_tag in _split(board):
        if depth:
            depth += 0 if not is_tag else -1 if piece == "</svg>" else 1
            if depth == 0:
                yield tag, "".join(inside)
            else:
                inside.append(piece)
        elif is_tag and MARK in piece:
            depth, tag, inside = 1, piece, []


def _drawn(board: str) -> tuple[Box | None, Mapping[str, Point]]:
    """Return the frame of the map, and everything in its layers that has a place, by what it is and where."""
    frame: Box | None = None
    found: dict[str, Point] = {}
    for tag, inside in _layers(board):
        if frame is None and (match := _FRAME.search(tag)):
            x, y, width, height = map(float, match[1].split())
            frame = x, y, width, height
        reader = _Places()
        reader.feed(inside)
        found |= reader.found()
    return frame, found


class _Places(HTMLParser):
    """Reads elements with a place: a shift, or x and y. What is inside a shifted element belongs to it."""

    def __init__(self) -> None:
        super().__init__()
        self._open: list[bool] = []  # for each open element, whether it is a shifted one
        self._shifts: list[int] = []  # the shifted elements that are open, as indices into `_marks`
        self._marks: list[tuple[list[str], Point]] = []

    def found(self) -> Mapping[str, Point]:
        return {"".join(text): at for text, at in self._marks}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open.append(self._note(tag, attrs))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._note(tag, attrs):
            self._shifts.pop()

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open.pop():
            self._shifts.pop()

    def handle_data(self, data: str) -> None:
        if self._shifts:
            self._marks[self._shifts[-1]][0].append(data)

    def _note(self, tag: str, attrs: list[tuple[str, str | None]]) -> bool:
        """Note the element; returns whether what is inside it is placed from it."""
        text = f"<{tag} {attrs}>"
        if self._shifts:
            self._marks[self._shifts[-1]][0].append(text)
            return False
        facts = dict(attrs)
        if move := _MOVE.search(facts.get("transform") or ""):
            self._shifts.append(len(self._marks))
            self._marks.append(([text], (float(move[1]), float(move[2]))))
            return True
        try:
            x, y = (float(facts[axis] or "") + float(facts.get(side) or 0) / 2 for axis, side in (("x", "width"), ("y", "height")))
        except (KeyError, ValueError):
            return False
        self._marks.append(([text], (x, y)))
        return False
