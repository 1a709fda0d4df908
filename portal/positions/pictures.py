"""Pictures of positions, for other sites: a game draws them as SVG (`games/core/svg.py`), and a process of its own makes PNGs of that.

Whoever asks gets what a visitor may see, or in a position file what the chosen seat sees; a picture is made from a view, never from a state.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from math import ceil
from pathlib import Path
from typing import Any, Final

from django.core.cache import cache
from django.utils import translation
from django.utils.translation import gettext

from games.core.contract import Phrase
from games.core.svg import Sheet
from games.registry import Entry
from portal.common.limits import count_use
from portal.positions import looks
from portal.tables.result_picture import has_letters_for
from voice import glossary, wording

LEAST, MOST, STEP, USUAL = 320, 1600, 40, 1000  # widths of a PNG in px
KEPT_S: Final = 600
AT_ONCE: Final = 1  # PNGs that a process of the site has drawn at the same time
WAIT_S: Final = 0.3  # a thread that waits answers nobody else
DRAWN_A_MINUTE: Final = 20  # of one network; what is in the cache is not counted
MOST_KEPT: Final = 32_000_000  # bytes that go into the cache within KEPT_S: a position has endless variants
STOPPED_S: Final = 10  # the slowest that has been measured takes less than one on an idle machine
RENDERER: Final = Path(__file__).parent / "render.py"
_SIZE: Final = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')

_drawing = threading.BoundedSemaphore(AT_ONCE)


class Busy(Exception):
    """Too many pictures are being drawn; the same one can be had a little later."""


def svg_of(entry: Entry, view: Any, names: Sequence[str], *, lang: str, theme: str = "", note: str = "") -> str | None:
    """Return the picture of a view; None for a game that has none. `note` says which position it is; theme "" is the light one."""
    if entry.game.picture is None:
        return None
    with translation.override(lang):
        title = gettext(entry.game.meta.title)

    def say(phrase: Phrase) -> str:
        return wording.say(phrase, lang, names=names, game=entry.key)

    def count(noun: str, n: int) -> str:
        return wording.fill(f"{{n:count {noun}}}", {"n": n}, lang, game=entry.key)

    sheet = Sheet(
        title=title,
        note=note,
        lang=lang,
        names=names,
        say=say,
        noun=lambda noun: glossary.noun(entry.key, noun, lang),
        count=count,
        symbols=looks.symbols(entry),
        drawing=lambda name: looks.drawn(entry, name, lang),
        styles=looks.styles(entry.key, theme),
        palette=looks.palette(entry.key, theme),
    )
    return entry.game.picture(view, sheet)


def names_in_fonts(names: Sequence[str]) -> list[str]:
    """Return the names for a PNG: its fonts have Latin and Cyrillic letters, and a name with others becomes the number of its seat."""
    return [name if has_letters_for(name) else gettext("Player %(number)s") % {"number": at} for at, name in enumerate(names, 1)]


def png_of(svg: str, width: int, network: str) -> bytes:
    """Return a picture as PNG, `width` px wide, drawn for `network` if it isn't kept.

    Raises Busy while others are being drawn, TooMany when enough has been drawn for that network.
    """
    key = f"picture:{tag_of(svg, width)}"
    found: bytes | None = cache.get(key)
    if found is None:
        if not _drawing.acquire(timeout=WAIT_S):
            raise Busy
        try:
            count_use("picture-drawn", network, limit=DRAWN_A_MINUTE, window_s=60)
            found = _drawn(svg, width)
        finally:
            _drawing.release()
        if _may_keep(len(found)):
            cache.set(key, found, KEPT_S)
    return found


def _may_keep(size: int) -> bool:
    """Count bytes for the cache, and say whether they are within what may be kept in this window; never more than two windows are kept."""
    key = f"picture-bytes:{int(time.time()) // KEPT_S}"
    try:
        cache.add(key, 0, KEPT_S)
        return bool(cache.incr(key, size) <= MOST_KEPT)
    except Exception:  # a cache that is down keeps nothing
        return False


def _drawn(svg: str, width: int) -> bytes:
    command = [sys.executable, "-I", str(RENDERER), str(width)]
    try:
        done = subprocess.run(command, input=svg.encode(), capture_output=True, timeout=STOPPED_S, check=True)
    except subprocess.TimeoutExpired:
        raise Busy from None
    return done.stdout


def tag_of(svg: str, width: int = 0) -> str:
    """Return what changes whenever a picture of this width (0: the SVG itself) does."""
    return hashlib.sha256(f"{width}\n{svg}".encode()).hexdigest()[:32]


def height_of(svg: str, width: int) -> int:
    """Return the height in px of a picture that is `width` px wide."""
    match = _SIZE.search(svg)
    assert match is not None
    return ceil(float(match[2]) * width / float(match[1]))  # as resvg has it
