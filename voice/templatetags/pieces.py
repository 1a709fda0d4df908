"""Words and pictures of games for board templates: `{% noun %}`, `{% say %}`, `{% piece %}`.

They read `entry`, `lang`, `names` and `me` from the context, so a board template only names the thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.core.contract import Event, Phrase
from voice import drawing, glossary, wording

register = template.Library()


@register.simple_tag(takes_context=True)
def noun(context: template.Context, noun_id: str, count: int | None = None) -> str:
    """Return the noun of an id in the reader's language."""
    return glossary.noun(context["entry"].key, noun_id, context["lang"], count)


@register.simple_tag(takes_context=True)
def say(context: template.Context, what: Phrase | Event) -> str:
    """Return a sentence of the game in the reader's language."""
    return wording.say(
        what,
        context["lang"],
        names=context["names"],
        me=context.get("me"),
        game=context["entry"].key,
    )


@register.simple_tag(takes_context=True)
def piece(context: template.Context, noun_id: str, css: str = "piece") -> SafeString:
    """Return a small named picture of a piece that points at the sprite file."""
    return drawing.piece(context["entry"].key, noun_id, context["lang"], css=css)


@register.simple_tag
def seat_mark(number: int) -> SafeString:
    """Return the icon of a seat, counted from 1; the page has the symbols. The name beside it says the same."""
    shape = '<svg class="seat-mark" data-seat="{0}" viewBox="0 0 64 64" aria-hidden="true"><use href="#zg-seat-{0}"/></svg>'
    return format_html(shape, number)


@register.simple_tag(takes_context=True)
def squares(context: template.Context, row: Iterable[Mapping[str, Any]]) -> SafeString:
    """Return the squares of a row of a board as grid cells, joined as text: a page has hundreds of them.

    A square has `id`, `name` (a phrase) and `kingdom`, the number of the group highlighted with it; the page may have added `href` with
    `label` and `is_chosen` (and then the `picture` of the piece that would be there), or with `closed`, the reason, and `is_refused`.
    """
    return mark_safe("".join([_square(cell, escape(say(context, cell["name"]))) for cell in row]))


def _square(cell: Mapping[str, Any], name: str) -> str:
    start = f'<b role="gridcell" data-k="{cell["kingdom"]}"' if cell["kingdom"] else '<b role="gridcell"'
    if not cell.get("href"):
        return f'{start} id="{cell["id"]}" aria-label="{name}"></b>'
    start = f'{start}><a id="{cell["id"]}" href="{escape(cell["href"])}"'
    if cell.get("closed"):
        why = escape(gettext("not possible: %(reason)s") % {"reason": cell["closed"]})
        css = ' class="is-refused"' if cell.get("is_refused") else ""
        return f'{start} tabindex="-1"{css} aria-label="{name}, {why}"></a></b>'
    told = gettext("chosen") if cell["is_chosen"] else gettext("possible")
    if cell["label"]:
        told = f"{told}: {cell['label']}"
    inside = ""
    css = " data-target"
    if cell["is_chosen"]:
        css += ' class="is-chosen" aria-current="true"'
        if cell["picture"]:
            inside = f'<svg class="grid-map__ghost" viewBox="0 0 64 64"><use href="#{cell["picture"]}"/></svg>'
    return f'{start}{css} aria-label="{name}, {escape(told)}">{inside}</a></b>'
