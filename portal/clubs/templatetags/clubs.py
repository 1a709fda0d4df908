"""Words for the pages of clubs."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from portal.accounts.models import User
from portal.clubs.members import owned_by
from portal.clubs.models import Attendance, Club, Membership
from portal.clubs.selectors import about_of
from portal.clubs.waiting import invitations_of
from portal.common.templatetags.site import moment

register = template.Library()
register.filter(moment)
register.simple_tag(owned_by, name="owned_clubs")

ROLES = {
    Membership.Role.OWNER: gettext_noop("owner"),
    Membership.Role.OFFICER: gettext_noop("officer"),
    Membership.Role.MEMBER: gettext_noop("member"),
}
ANSWERS = {
    Attendance.Answer.YES: gettext_noop("I'm coming"),
    Attendance.Answer.MAYBE: gettext_noop("Maybe"),
    Attendance.Answer.NO: gettext_noop("I'm not coming"),
}


@register.filter
def role_name(role: str) -> str:
    """Return the name of a role in the reader's language."""
    return _(ROLES[Membership.Role(role)])


@register.simple_tag
def answers() -> list[tuple[str, str]]:
    """Return the possible answers to a club night, with their words in the reader's language."""
    return [(answer.value, _(words)) for answer, words in ANSWERS.items()]


@register.filter
def about(club: Club) -> tuple[str, str]:
    """Return (text, language) of a club's description, for the reader."""
    return about_of(club)


@register.filter
def until(at: datetime, style: str = "SHORT_DATE_FORMAT") -> str:
    """Return the last day of something, with the time if it ends before that day does in the reader's time zone."""
    local = timezone.localtime(at)
    day = formats.date_format(local, style)
    return day if (local.hour, local.minute) == (23, 59) else f"{day}, {formats.date_format(local, 'H:i')}"


@register.simple_tag
def club_invitations(user: object) -> int:
    """Return how many invitations wait for the reader, without a query."""
    return invitations_of(user.pk) if isinstance(user, User) and user.pk and not user.is_guest else 0
