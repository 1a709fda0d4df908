"""How the pages of a game look, as its pictures need it: colours by day and by night, classes as attributes, symbols, drawings.

All of it is read from the style sheets, sprites and templates of the pages, so a picture looks like the page, and changes with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from django.contrib.staticfiles import finders
from django.template import Context, Engine
from django.utils import translation

from games.core.svg import SANS, SERIF
from games.registry import Entry
from voice import drawing

DARK: Final = "dark"
MAP: Final = "art/{key}_map.svg"  # shapes of a map that the page loads once
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_LIGHT_DARK: Final = re.compile(r"light-dark\(([^(),]*),([^(),]*)\)")
_PROPERTY: Final = re.compile(r"--([a-z0-9-]+)\s*:\s*([^;{}]+)")
_CLASS: Final = re.compile(r"\.([a-z][a-z0-9_-]*)")
_FONT: Final = re.compile(r"(italic\s+)?(\d+)\s+([\d.]+)px(?:/\S+)?\s+var\(--(sans|serif)\)")
_SHAPE: Final = re.compile(r'<g\s[^>]*?id="([^"]+)"[^>]*>.*?</g>', re.DOTALL)
_PATH: Final = re.compile(r'<path\s[^>]*?id="([^"]+)"[^>]*?/>', re.DOTALL)
_ELSEWHERE: Final = re.compile(r'href="[^"#]*#([^"]+)"')
_SPACE: Final = re.compile(r"\s+")
ATTRIBUTES: Final = frozenset(
    [
        "fill",
        "fill-opacity",
        "stroke",
        "stroke-width",
        "stroke-opacity",
        "stroke-linecap",
        "stroke-linejoin",
        "stroke-dasharray",
        "opacity",
        "text-anchor",
        "letter-spacing",
        "color",
        "paint-order",
    ]
)


@cache
def palette(key: str, theme: str) -> Mapping[str, str]:
    """Return the custom properties of tokens, pieces and a game, by day or (theme "dark") by night."""
    found: dict[str, str] = {}
    for path in (f"css/games/{key}.css", "css/tokens.css"):  # what a game sets comes before what is there for all
        for selector, body in _rules(_file(path)):
            if selector in (":root", f'[data-game="{key}"]'):
                for name, value in _PROPERTY.findall(body):
                    found.setdefault(name, value.strip())
    for selector, body in _rules(_file("css/palette.css")):
        if selector == ":root" or (theme == DARK and selector == ':root[data-theme="dark"]'):
            found |= {name: value.strip() for name, value in _PROPERTY.findall(body)}
    return {name: _shade(value, theme) for name, value in found.items()}


@cache
def styles(key: str, theme: str) -> Mapping[str, Mapping[str, str]]:
    """Return what each class of a game's board looks like, as presentation attributes; rules for some screens only are left out."""
    found: dict[str, dict[str, str]] = {}
    for selector, body in _rules(_file(f"css/games/{key}.css")):
        for one in selector.split(","):
            match = _CLASS.fullmatch(one.strip())
            if match:
                found.setdefault(match[1], {}).update(_attributes(body, theme))
    return found


def _attributes(body: str, theme: str) -> Iterator[tuple[str, str]]:
    for declaration in body.split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if name in ATTRIBUTES:
            yield name, _shade(value, theme)
        elif name == "font" and (match := _FONT.match(value)):
            yield "font-family", SERIF if match[4] == "serif" else SANS
            yield "font-size", match[3]
            yield "font-weight", "700" if int(match[2]) >= 600 else "500"


def _shade(value: str, theme: str) -> str:
    return _LIGHT_DARK.sub(lambda match: match[2 if theme == DARK else 1].strip(), value)


def _rules(css: str) -> Iterator[tuple[str, str]]:
    """Yield selector and body of the rules that hold on every screen, in the file's order; `@layer` is looked into, other `@` are not."""
    at, css = 0, _COMMENT.sub("", css)
    while (start := css.find("{", at)) >= 0:
        selector = css[at:start].rsplit(";", 1)[-1].strip()
        end = _end_of(css, start)
        if selector.startswith("@layer"):
            yield from _rules(css[start + 1 : end])
        elif not selector.startswith("@"):
            yield selector.strip("} \n"), css[start + 1 : end]
        at = end + 1


def _end_of(css: str, start: int) -> int:
    depth = 0
    for at in range(start, len(css)):
        depth += {"{": 1, "}": -1}.get(css[at], 0)
        if not depth:
            return at
    return len(css)


@cache
def _file(path: str) -> str:
    found = finders.find(path)
    if not isinstance(found, str):
        raise FileNotFoundError(f"no static file {path}")
    with open(found, encoding="utf-8") as file:
        return file.read()


@cache
def symbols(entry: Entry) -> Mapping[str, str]:
    """Return the symbols of a game and the common ones by id, and the shapes of its map, if its page has one."""
    return _shapes(entry) | drawing.sprite(drawing.COMMON_SPRITE) | drawing.sprite(entry.sprite)


def _shapes(entry: Entry) -> dict[str, str]:
    try:
        found = _file(MAP.format(key=entry.key))
    except FileNotFoundError:
        return {}
    return {match[1]: _SPACE.sub(" ", match[0]) for pattern in (_PATH, _SHAPE) for match in pattern.finditer(found)}


@cache
def drawn(entry: Entry, name: str, lang: str) -> str:
    """Return a part of a game's board that never changes ("ground", "names"), from the template of that name, in a language."""
    template = Engine.get_default().get_template(f"games/{entry.key}/{name}.html")
    with translation.override(lang):
        markup = template.render(Context({"entry": entry, "static_only": True, "lang": lang, "LANGUAGE_CODE": lang}, use_l10n=False))
    return _ELSEWHERE.sub(r'href="#\1"', _SPACE.sub(" ", markup).replace("> <", "><"))
