"""Addresses and labels of rule books and their paragraphs, for the templates of boards and pages."""

from __future__ import annotations

from django import template
from django.urls import reverse

from rules_docs import content, teaching

register = template.Library()


@register.filter
def rule_address(rule: str, lang: str) -> str:
    """Return the address of a paragraph given as `ra#auction-3`."""
    game, _, anchor = rule.partition("#")
    return reverse("rules:paragraph", args=[lang, game, anchor])


@register.filter
def book_address(game: str, lang: str) -> str:
    """Return the address of a game's rule book in the reader's language or its fallback; "" without a book."""
    try:
        return content.book_address(game, lang)
    except (KeyError, OSError):
        return ""


@register.filter
def is_taught(game: str) -> bool:
    """Return whether a game has an overview, a guided first game and a player aid."""
    return teaching.is_taught(game)


@register.filter
def rule_label(rule: str, lang: str) -> str:
    """Return the words of a link to a paragraph; the anchor itself if no book has it."""
    game, _, anchor = rule.partition("#")
    try:
        return content.paragraph_label(game, anchor, lang)
    except (KeyError, FileNotFoundError):
        return anchor
