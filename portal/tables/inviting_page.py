"""Invitations in words: the panel of a table's owner before the start, and the page of an invited person."""

from __future__ import annotations

from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext, gettext_noop, ngettext

from portal.accounts.models import User
from portal.accounts.pseudonyms import name_of
from portal.tables.facts import facts_of
from portal.tables.invited import Invited
from portal.tables.inviting import MAX_MESSAGE_CHARS, link_to, may_watch_by_link, tells_no_more, terms_of
from portal.tables.loading import Loaded
from portal.tables.models import Invitation, Table
from portal.tables.pace import pace_of
from portal.tables.seating import is_free
from portal.tables.selectors import TablePage
from rules_docs.heads import picture_of

STATES: Final = {
    Invitation.State.PENDING: gettext_noop("No answer yet"),
    Invitation.State.ACCEPTED: gettext_noop("Accepted"),
    Invitation.State.DECLINED: gettext_noop("Declined"),
    Invitation.State.COUNTERED: gettext_noop("Suggests a change"),
    Invitation.State.EXPIRED: gettext_noop("Expired"),
}


def inviting_context(page: TablePage, user: User | None) -> dict[str, Any]:
    """Return the panel of an open table's owner: the link, and each invitation with its answer."""
    link = link_to(page.link_code)
    return {
        "link": link,
        "invitations": [_line(one, page) for one in page.invitations],
        "share_text": gettext("Play %(game)s with me") % {"game": gettext(page.entry.game.meta.title)},
        "may_link": page.circle is None,
        "may_mail": page.circle is None and user is not None and not user.is_guest,
    }


def _line(one: Invited, page: TablePage) -> dict[str, Any]:
    return {
        "info": one,
        "state": gettext(STATES[Invitation.State(one.state)]),
        "wish": wish_of(one) if one.state == Invitation.State.COUNTERED else "",
        "is_countered": one.state == Invitation.State.COUNTERED,
        "profile": reverse("profile", args=[one.name]) if one.is_person and one.name else None,
    }


def wish_of(one: Invited | Invitation) -> str:
    """Return what a counter-offer asks for, without its message; "" if it only says something."""
    wishes = []
    if one.seats is not None:
        wishes.append(ngettext("%(n)s player", "%(n)s players", one.seats) % {"n": one.seats})
    if one.is_rated is not None:
        wishes.append(gettext("rated") if one.is_rated else gettext("unrated"))
    return ", ".join(wishes)


def invitation_context(loaded: Loaded, found: Invitation | None, user: User | None) -> dict[str, Any]:
    """Return what an invited person sees, or with `found=None` who follows the table's link."""
    table, meta = loaded.table, loaded.game.meta
    owner = found.by if found is not None else table.owner
    people = [loaded.name_of(seat.index) for seat in loaded.seats if not is_free(seat)]
    is_closed = tells_no_more(loaded, found, user)
    free = sum(map(is_free, loaded.seats))
    is_open = table.status == Table.Status.OPEN
    by = name_of(owner) if owner is not None else ""
    title = gettext(meta.title)
    if by:
        headline = gettext("%(name)s invites you to %(game)s") % {"name": by, "game": title}
    else:
        headline = gettext("You are invited to %(game)s") % {"game": title}
    return {
        "entry": loaded.entry,
        "by": by,
        "headline": headline,
        "picture": picture_of(loaded.entry.key),
        "is_closed": is_closed,
        "may_watch": may_watch_by_link(loaded, found, user),
        "facts": []
        if is_closed
        else [
            *facts_of(loaded.entry, table.seat_count, table.options, pace_of(table.pace), table.starts_at if is_open else None),
            gettext("rated") if table.is_rated else gettext("unrated"),
        ],
        "people": [] if is_closed else people,
        "free_count": free,
        "terms": terms_of(table),
        "is_open": is_open and (found is None or found.is_open),
        "is_full": found is None and free <= table.kept,
        "has_started": table.status == Table.Status.PLAYING,
        "invitation": found,
        "is_countered": found is not None and found.state == Invitation.State.COUNTERED,
        "wish": wish_of(found) if found is not None else "",
        "counts": meta.seats,
        "seats": table.seat_count,
        "is_rated": table.is_rated,
        "message_length": MAX_MESSAGE_CHARS,
        "is_visitor": user is None,
    }
