"""Words and pictures of games for board templates: `{% noun %}`, `{% say %}`, `{% piece %}`.

They read `entry`, `lang`, `names` and `me` from the context, so a board template names only the thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.core.contract import Event, Phrase
from rules_docs import drawing, glossary, wording

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


@register.simple_tag(takes_context=True)
def squares(context: template.Context, row: Iterable[Mapping[str, Any]]) -> SafeString:
    """Return the squares of a row of a board as grid cells, joined as text: a page has hundreds of them.

    A square has `id`, `name` (a phrase) and `kingdom`, the number of what lights up with it; the page may have added `href` with
    `label` and `is_chosen` (and then the `picture` of what would lie there), or with `closed`, the reason, and `is_refused`.
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


@register.filter
def rule_address(rule: str, lang: str) -> str:
    """Return the address of a paragraph given as `ra#auction-3`."""
    from django.urls import reverse

    game, _, anchor = rule.partition("#")
    return reverse("rules:paragraph", args=[lang, game, anchor])


@register.filter
def book_address(game: str, lang: str) -> str:
    """Return the address of a game's rule book in the reader's language, or the one that stands in for it; "" for no book."""
    from rules_docs import content

    try:
        return content.book_address(game, lang)
    except (KeyError, OSError):
        return ""


@register.filter
def rule_label(rule: str, lang: str) -> str:
    """Return what a link to a paragraph says; the anchor itself where no book has it."""
    from rules_docs.content import paragraph_label

    game, _, anchor = rule.partition("#")
    try:
        return paragraph_label(game, anchor, lang)
    except (KeyError, FileNotFoundError):
        return anchor
