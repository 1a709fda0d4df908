"""Words and numbers for the pages of seasons and leagues."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from portal.contests.models import Honour, League
from portal.contests.season_forms import league_words as words
from portal.contests.season_selectors import honour_name as name_of

register = template.Library()


@register.filter
def honour_name(honour: Honour) -> str:
    """Return the name in an honour; a bot level in the reader's language."""
    return name_of(honour)


@register.filter
def names(honours: Iterable[Honour]) -> str:
    """Return the names in honours joined by commas."""
    return ", ".join(name_of(honour) for honour in honours)


@register.filter
def league_words(league: League) -> str:
    """Return the form of a league in words."""
    return words(league)


@register.filter
def points_short(value: float) -> str:
    """Return points or wins: whole ones without decimals, halves with one, thirds with two, in the reader's language."""
    rounded = round(value, 2)
    decimals = 0 if rounded == int(rounded) else 1 if rounded * 10 == int(rounded * 10) else 2
    return number_format(rounded, decimals)


@register.filter
def points(value: str) -> str:
    """Return the points of an honour, as they are stored, with their word."""
    return _("Points: %(points)s") % {"points": points_short(float(value))}
