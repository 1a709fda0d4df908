"""Words and pictures of games for board templates: `{% noun %}`, `{% say %}`, `{% piece %}`.

They read `entry`, `lang`, `names` and `me` from the context, so a board template names only the thing.
"""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString

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


@register.filter
def rule_address(rule: str, lang: str) -> str:
    """Return the address of a paragraph given as `ra#auction-3`."""
    from django.urls import reverse

    game, _, anchor = rule.partition("#")
    return reverse("rules:paragraph", args=[lang, game, anchor])


@register.filter
def rule_label(rule: str, lang: str) -> str:
    """Return what a link to a paragraph says; the anchor itself where no book has it."""
    from rules_docs.content import paragraph_label

    game, _, anchor = rule.partition("#")
    try:
        return paragraph_label(game, anchor, lang)
    except (KeyError, FileNotFoundError):
        return anchor
