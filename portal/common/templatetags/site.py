"""Words and marks that many pages need."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta

from django import template
from django.forms import BoundField
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext, pgettext, pgettext_lazy

from portal.common.quick.static import static

register = template.Library()

WEEK = timedelta(days=6)
DAYS = (  # from Monday, short enough for a button
    pgettext_lazy("day of the week, short", "Mon"),
    pgettext_lazy("day of the week, short", "Tue"),
    pgettext_lazy("day of the week, short", "Wed"),
    pgettext_lazy("day of the week, short", "Thu"),
    pgettext_lazy("day of the week, short", "Fri"),
    pgettext_lazy("day of the week, short", "Sat"),
    pgettext_lazy("day of the week, short", "Sun"),
)
FOLDED = re.compile(r"([._@])(?=\w)")
FOLD = mark_safe("<wbr>")  # noqa: S308: a constant
LEVELS = {
    "apprentice": gettext_noop("apprentice"),
    "journeyman": gettext_noop("journeyman"),
    "scribe": gettext_noop("scribe"),
    "master": gettext_noop("master"),
}


@register.simple_tag
def icon(name: str) -> SafeString:
    """Return an icon of the sprite file `art/ui.svg`; the words beside it say the same."""
    return format_html('<svg class="icon" aria-hidden="true"><use href="{}#i-{}"/></svg>', static("art/ui.svg"), name)


@register.filter
def control(field: BoundField) -> SafeString:
    """Return the input of a field; a refused one gets the focus, since its form may be far down the page."""
    return field.as_widget(attrs={"autofocus": True} if field.errors else None)


@register.filter
def level_name(level: str) -> str:
    """Return the name of a bot level in the reader's language."""
    return _(LEVELS[level]) if level in LEVELS else level


@register.filter
def near(at: datetime) -> str:
    """Return a moment that is near, in the reader's time zone: the time alone today, with the day of the week, or with the date."""
    local = timezone.localtime(at)
    if local.date() == timezone.localdate():
        return date_format(local, "H:i")
    if abs(at - timezone.now()) < WEEK:
        return f"{_day(local)} {date_format(local, 'H:i')}"
    return date_format(local, "j M H:i")


@register.filter
def moment(at: datetime) -> str:
    """Return day of the week, date and time in the reader's language and time zone."""
    local = timezone.localtime(at)
    facts = {"day": _day(local), "date": date_format(local, "DATE_FORMAT"), "time": date_format(local, "H:i")}
    return pgettext("a moment", "%(day)s %(date)s, %(time)s") % facts


def _day(local: datetime) -> str:
    """Return a short name of the day of the week; Django's own ones of some languages are not what people write."""
    return str(DAYS[local.weekday()])


@register.filter
def listed(names: Iterable[str]) -> str:
    """Return names joined by commas."""
    return ", ".join(names)


@register.filter
def foldable(text: str) -> SafeString:
    """Return names or an address as HTML that a line may break only between words, and after each dot, underscore and at sign."""
    return format_html_join("", "{}{}", ((part, FOLD if place % 2 else "") for place, part in enumerate(FOLDED.split(text))))


@register.filter
def free_seats(count: int) -> str:
    """Return "1 seat free", "2 seats free"."""
    return ngettext("%(count)d seat free", "%(count)d seats free", count) % {"count": count}


@register.filter
def days(count: int) -> str:
    """Return "1 day", "90 days"."""
    return ngettext("%(n)d day", "%(n)d days", count) % {"n": count}


@register.filter
def message(text: str) -> str:
    """Return a message id in the reader's language (for labels from a game's package)."""
    return _(text) if text else ""
