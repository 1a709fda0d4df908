"""Drawn boards and pieces for pages: the game's own template and sprite, without sending anything twice.

A board inlines only the symbols it uses, from the sprite parsed once; small pieces in running text point at the sprite
file, which browsers keep.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from django.contrib.staticfiles import finders
from django.template import Context, Engine
from django.templatetags.static import static
from django.utils import translation
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games import registry
from games.core.contract import Ask
from games.registry import Entry
from voice import glossary

COMMON_SPRITE: Final = "art/common.svg"
COMMON_PREFIX: Final = "zg-"
_SYMBOL: Final = re.compile(r'<symbol id="([^"]+)".*?</symbol>', re.DOTALL)
_USE: Final = re.compile(r'href="#([a-z][a-z0-9-]*)"')
_SPACE: Final = re.compile(r">\s+<")
_FALLBACK: Final = re.compile(r"var\((--art-[a-z0-9]+),#[0-9a-f]+\)")  # pages have the palette; a sprite alone has not


@cache
def sprite(path: str) -> dict[str, str]:
    """Return the symbols of a sprite file as {id: markup}, for pages. Raises FileNotFoundError if there is no such static file."""
    found = finders.find(path)
    if not isinstance(found, str):
        raise FileNotFoundError(f"no static file {path}")
    with open(found, encoding="utf-8") as file:
        return {match[1]: _FALLBACK.sub(r"var(\1)", _SPACE.sub("><", match[0])) for match in _SYMBOL.finditer(file.read())}


def symbols(path: str, ids: Iterable[str]) -> SafeString:
    """Return the `<symbol>`s of the ids and of those they use, each once; `zg-` ones are from the common sprite."""
    wanted = dict.fromkeys(ids)
    done: dict[str, str] = {}
    while wanted:
        symbol = next(iter(wanted))
        del wanted[symbol]
        source = sprite(COMMON_SPRITE if symbol.startswith(COMMON_PREFIX) else path)
        if symbol in done or symbol not in source:
            continue
        done[symbol] = source[symbol]
        wanted |= dict.fromkeys(_USE.findall(source[symbol]))
    return mark_safe("".join(done.values()))


def used_symbols(markup: str) -> list[str]:
    """Return the ids that `<use href="#…">` in the markup points at, each once."""
    return list(dict.fromkeys(_USE.findall(markup)))


def symbol_defs(path: str, markup: str) -> SafeString:
    """Return one hidden `<svg>` with the symbols that the markup uses; nothing when it uses none."""
    inside = symbols(path, used_symbols(markup))
    if not inside:
        return mark_safe("")
    return mark_safe(f'<svg class="svg-defs" aria-hidden="true" focusable="false"><defs>{inside}</defs></svg>')


def render_board(
    entry: Entry,
    view: Any,
    lang: str,
    *,
    names: Sequence[str],
    own: Mapping[int, Any] | None = None,
    seats: Collection[int] | None = None,
    ask: Ask | None = None,
    chosen: str = "",
    base_url: str = "",
    static_only: bool = False,
    with_symbols: bool = True,
    **extra: Any,
) -> SafeString:
    """Return the game's board for a view, in a language, with the symbols it needs.

    The area of a seat in `own` is drawn as that seat sees it, with its hand; with `seats`, only the areas of these are drawn.
    `static_only` draws a picture: no links, no ids, so that one page can have several boards. Such a page gathers the symbols of all its
    boards itself (`with_symbols=False`, then `symbol_defs`). The template gets `scene`, `view`, `entry`, `lang`, `names`, `ask`, `chosen`,
    `base_url`, `static_only` and what `extra` adds.
    """
    scene = entry.game.scene(view)
    for seat, seen in (own or {}).items():
        scene["players"][seat] = entry.game.scene(seen)["players"][seat]
    if seats is not None:
        scene["players"] = [area for seat, area in enumerate(scene["players"]) if seat in seats]
    context = {
        "scene": scene,
        "view": view,
        "entry": entry,
        "lang": lang,
        "names": names,
        "ask": ask,
        "chosen": chosen,
        "base_url": base_url,
        "static_only": static_only,
        "LANGUAGE_CODE": lang,
        **extra,
    }
    template = Engine.get_default().get_template(entry.board_template)
    with translation.override(lang):
        board = template.render(Context(context, use_l10n=False))  # coordinates need a decimal point
    return mark_safe(symbol_defs(entry.sprite, board) + board if with_symbols else board)


@cache
def symbol_id(game: str, noun_id: str) -> str:
    """Return the sprite symbol of a piece. Raises KeyError when the game has no picture of it.

    The game names those of its pieces; for other things (a sun, fame) it is the sprite's prefix and the id.
    """
    entry = registry.entry(game)
    known = sprite(entry.sprite)
    named = entry.symbols.get(noun_id)
    prefix = next(iter(known)).split("-", 1)[0]
    found = named or f"{prefix}-{noun_id.replace('_', '-')}"
    if found not in known:
        raise KeyError(f"{entry.sprite} has no picture of {noun_id!r} ({found})")
    return found


def piece(game: str, noun_id: str, lang: str, *, css: str = "piece", decorative: bool = False) -> SafeString:
    """Return a small picture of a piece, named in a language, or unnamed when its name is beside it."""
    href = f"{static(registry.entry(game).sprite)}#{symbol_id(game, noun_id)}"
    if decorative:
        return format_html(
            '<svg class="{}" viewBox="0 0 64 64" aria-hidden="true"><use href="{}"/></svg>',
            css,
            href,
        )
    name = glossary.noun(game, noun_id, lang)
    return format_html(
        '<svg class="{}" viewBox="0 0 64 64" role="img" aria-label="{}"><use href="{}"/></svg>',
        css,
        name,
        href,
    )
