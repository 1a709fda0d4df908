"""The club's own log: each change writes one line, and members read it as sentences in their language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from portal.accounts.models import User
from portal.accounts.pseudonyms import shown
from portal.clubs.models import Club, ClubEntry

# Names are in their base form, so that no language needs to inflect them.
SENTENCES: Final[Mapping[str, str]] = {
    "founded": gettext_noop("%(actor)s created the club."),
    "edited": gettext_noop("%(actor)s changed the description."),
    "renamed": gettext_noop("%(actor)s changed the name from “%(old)s” to “%(new)s”."),
    "made_private": gettext_noop("%(actor)s made the club private."),
    "made_public": gettext_noop("%(actor)s made the club public."),
    "joining_open": gettext_noop("%(actor)s opened the club to everyone."),
    "joining_request": gettext_noop("%(actor)s changed how people join: they now send a request."),
    "joining_invitation": gettext_noop("%(actor)s changed how people join: they now need an invitation."),
    "link_renewed": gettext_noop("%(actor)s made a new link; the old one no longer works."),
    "closed": gettext_noop("%(actor)s closed the club."),
    "closed_by_site": gettext_noop("The operators of the site closed the club."),
    "handed_by_site": gettext_noop("The operators of the site handed the club over to %(subject)s."),
    "joined": gettext_noop("%(subject)s joined."),
    "joined_by_link": gettext_noop("%(subject)s joined through the link."),
    "asked": gettext_noop("%(subject)s asked to join."),
    "request_withdrawn": gettext_noop("%(subject)s withdrew their request to join."),
    "request_granted": gettext_noop("%(subject)s joined; %(actor)s accepted the request."),
    "request_declined": gettext_noop("%(actor)s declined %(subject)s's request to join."),
    "invited": gettext_noop("%(actor)s invited %(subject)s."),
    "invitation_withdrawn": gettext_noop("%(actor)s withdrew the invitation to %(subject)s."),
    "invitation_accepted": gettext_noop("%(subject)s joined by invitation."),
    "invitation_declined": gettext_noop("%(subject)s declined the invitation."),
    "left": gettext_noop("%(subject)s left the club."),
    "removed": gettext_noop("%(actor)s removed %(subject)s."),
    "banned": gettext_noop("%(actor)s banned %(subject)s."),
    "ban_lifted": gettext_noop("%(actor)s lifted the ban on %(subject)s."),
    "officer_made": gettext_noop("%(actor)s made %(subject)s an officer."),
    "officer_unmade": gettext_noop("%(actor)s made %(subject)s an ordinary member again."),
    "handed_over": gettext_noop("%(actor)s handed the club over to %(subject)s."),
    "announced": gettext_noop("%(actor)s posted the announcement “%(title)s”."),
    "announcement_pinned": gettext_noop("%(actor)s pinned the announcement “%(title)s”."),
    "announcement_unpinned": gettext_noop("%(actor)s unpinned the announcement “%(title)s”."),
    "announcement_deleted": gettext_noop("%(actor)s deleted the announcement “%(title)s”."),
    "evening_made": gettext_noop("%(actor)s added the event “%(title)s” to the calendar."),
    "evening_edited": gettext_noop("%(actor)s changed the event “%(title)s”."),
    "evening_called_off": gettext_noop("%(actor)s cancelled the event “%(title)s”."),
    "season_made": gettext_noop("%(actor)s created the season “%(name)s”."),
    "season_edited": gettext_noop("%(actor)s changed the season “%(name)s”."),
    "season_ended": gettext_noop("%(actor)s ended the season “%(name)s”."),
    "season_deleted": gettext_noop("%(actor)s deleted the planned season “%(name)s”."),
    "league_started": gettext_noop("%(actor)s started the league “%(name)s” in the season “%(season)s”."),
    "league_deadline": gettext_noop("%(actor)s moved the deadline for pairing %(pairing)s in “%(name)s” to %(deadline)s. %(reason)s"),
    "league_voided": gettext_noop("%(actor)s declared pairing %(pairing)s in “%(name)s” void: %(reason)s"),
    "league_withdrawn": gettext_noop("%(actor)s withdrew %(entrant)s from “%(name)s”: %(reason)s"),
    "league_left": gettext_noop("%(entrant)s left the club and is out of the league “%(name)s”."),
    "duplicates_made": gettext_noop("%(actor)s opened %(tables)s duplicate tables: “%(title)s”."),
    "duplicates_closed": gettext_noop("%(actor)s closed the open tables of “%(title)s”."),
    "duplicates_ended": gettext_noop("%(actor)s ended the duplicate tables “%(title)s”."),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log as a reader sees it."""

    at: datetime
    text: str


def note(club: Club, verb: str, actor: User | None, subject: User | None = None, **values: Any) -> None:
    """Write one line of the log. `verb` is a key of SENTENCES; `values` are plain text or numbers that it names."""
    ClubEntry.objects.create(club=club, verb=verb, actor=actor, subject=subject, values=values)


def line_of(entry: ClubEntry) -> Line:
    """Return an entry (with its people loaded) as a sentence; it says so where an account is gone."""
    gone = _("a closed account")
    names = {
        "actor": shown(entry.actor.username) if entry.actor is not None else gone,
        "subject": shown(entry.subject.username) if entry.subject is not None else gone,
    }
    values = {key: shown(value) if key == "entrant" else value for key, value in entry.values.items()}
    template = SENTENCES.get(entry.verb)
    return Line(entry.at, _(template) % {**values, **names} if template else entry.verb)
