"""Running text with pieces, outside the chapters of a book.

`[[tile:pharaoh]]` is a picture of the piece with its name, `[[pic:pharaoh]]` the picture alone (the sentence names the piece in a form that
fits), `[[term:epoch_1]]` the name alone.
"""

from __future__ import annotations

import re
from typing import Final

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from voice import drawing, glossary

KINDS: Final = ("tile", "pic", "term")
_MACRO: Final = re.compile(r"\[\[([^\[\]]+)\]\]")


def rendered(game: str, text: str, lang: str) -> SafeString:
    """Return the HTML of a text. Raises KeyError for a piece or term that is not there."""
    done: list[str] = []
    at = 0
    for match in _MACRO.finditer(text):
        done += [escape(text[at : match.start()]), _macro(game, match[1], lang)]
        at = match.end()
    return mark_safe("".join([*done, escape(text[at:])]))


def spoken(game: str, text: str, lang: str) -> str:
    """Return the words of a text, pieces by their names. Raises KeyError for a piece or term that is not there."""
    return _MACRO.sub(lambda match: f" {glossary.noun(game, match[1].partition(':')[2], lang)} ", text)


def plain(game: str, text: str, lang: str) -> str:
    """Return a text without markup: pieces by their names, pictures alone left out. Raises KeyError for a piece or term that is not there."""

    def said(match: re.Match[str]) -> str:
        kind, _, rest = match[1].partition(":")
        return "" if kind == "pic" else glossary.noun(game, rest, lang)

    return " ".join(_MACRO.sub(said, text).split())


def fault_in(game: str, text: str, lang: str) -> str:
    """Return what is wrong with a text; "" if nothing is."""
    for macro in _MACRO.findall(text):
        kind, _, rest = macro.partition(":")
        if kind not in KINDS:
            return f"[[{macro}]]: expected {', '.join(f'[[{known}:…]]' for known in KINDS)}"
        try:
            glossary.noun(game, rest, lang)
            if kind != "term":
                drawing.symbol_id(game, rest)
        except KeyError as error:
            return str(error.args[0])
    return ""


def _macro(game: str, macro: str, lang: str) -> SafeString:
    kind, _, rest = macro.partition(":")
    if kind == "term":
        return escape(glossary.noun(game, rest, lang))
    picture = drawing.piece(game, rest, lang, css="piece piece--inline", decorative=True)
    return picture if kind == "pic" else format_html('<span class="piece-name">{}{}</span>', picture, glossary.noun(game, rest, lang))
