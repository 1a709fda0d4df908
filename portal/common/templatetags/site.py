"""Words and marks that many pages need."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

register = template.Library()

LEVELS = {"apprentice": gettext_noop("apprentice"), "scribe": gettext_noop("scribe"), "master": gettext_noop("master")}


@register.filter
def level_name(level: str) -> str:
    """Return the name of a bot level in the reader's language."""
    return _(LEVELS[level]) if level in LEVELS else level


@register.filter
def listed(names: Iterable[str]) -> str:
    """Return names with commas between them."""
    return ", ".join(names)


@register.filter
def free_seats(count: int) -> str:
    """Return "1 seat free", "2 seats free"."""
    return ngettext("%(count)d seat free", "%(count)d seats free", count) % {"count": count}


@register.filter
def message(text: str) -> str:
    """Return a message id in the reader's language (labels that stand in a game's package)."""
    return _(text) if text else ""
