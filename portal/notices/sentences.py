"""The sentence of each notice, in the reader's language. They say who, which game and what is asked in general; nothing that is hidden."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Final

from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _

from games.registry import GAMES
from portal.accounts.pseudonyms import named
from portal.common.templatetags.site import moment
from portal.notices.models import BOTS, Kind, Notice
from voice.glossary import and_list

# A list of names is a value like any other: in languages that inflect names, sentences put it behind a colon or into brackets.
SENTENCES: Final[Mapping[tuple[Kind, str], str]] = {
    (Kind.TURN, "your_turn"): gettext_noop("It's your turn in %(game)s with %(names)s."),
    (Kind.TIME, "time_short"): gettext_noop("You are running out of time in %(game)s."),
    (Kind.TIME, "timed_out"): gettext_noop("You ran out of time in %(game)s. A bot plays until you come back."),
    (Kind.TIME, "timed_out_for_good"): gettext_noop("You ran out of time in %(game)s, and a bot took over."),
    (Kind.INVITATION, "invited"): gettext_noop("%(who)s invites you to a game of %(game)s."),
    (Kind.INVITATION, "accepted"): gettext_noop("%(who)s accepted your invitation to %(game)s."),
    (Kind.INVITATION, "declined"): gettext_noop("%(who)s declined your invitation to %(game)s."),
    (Kind.INVITATION, "countered"): gettext_noop("%(who)s suggests other terms for %(game)s."),
    (Kind.INVITATION, "taken_back"): gettext_noop("%(who)s withdrew the invitation to %(game)s."),
    (Kind.GAME, "soon"): gettext_noop("Your game of %(game)s with %(names)s starts soon: %(at)s."),
    (Kind.GAME, "started"): gettext_noop("%(game)s with %(names)s has started."),
    (Kind.GAME, "asked"): gettext_noop("%(who)s asks everyone to vote in %(game)s."),
    (Kind.GAME, "called_off"): gettext_noop("The players ended your game of %(game)s without a result."),
    (Kind.GAME, "ended_by_site"): gettext_noop("The operators of the site ended your game of %(game)s without a result."),
    (Kind.GAME, "won"): gettext_noop("You won your game of %(game)s with %(names)s."),
    (Kind.GAME, "lost"): gettext_noop("Your game of %(game)s is over. Winner: %(winners)s."),
    (Kind.GAME, "shared"): gettext_noop("Your game of %(game)s is over. These players share first place: %(winners)s."),
    (Kind.CLUB, "invited"): gettext_noop("%(who)s invites you to the club %(club)s."),
    (Kind.CLUB, "granted"): gettext_noop("You are now a member of the club %(club)s."),
    (Kind.CLUB, "declined"): gettext_noop("The club %(club)s declined your request to join."),
    (Kind.CLUB, "evening"): gettext_noop("Club night at %(club)s: %(title)s, %(at)s."),
    (Kind.CLUB, "cancelled"): gettext_noop("The club night at %(club)s was cancelled: %(title)s, %(at)s."),
    (Kind.SEASON, "pairing"): gettext_noop("A new game waits for you in %(league)s: %(game)s with %(names)s. Play it by %(at)s."),
    (Kind.SEASON, "deadline"): gettext_noop("Your game in %(league)s isn't finished: %(game)s with %(names)s. The deadline is %(at)s."),
    (Kind.MENTION, "at_table"): gettext_noop("%(who)s mentioned you in the chat of %(game)s."),
    (Kind.FRIEND, "asked"): gettext_noop("%(who)s asks to be friends with you."),
    (Kind.FRIEND, "accepted"): gettext_noop("%(who)s accepted: you are friends now."),
    (Kind.TEST, "test"): gettext_noop("This is a test from Ziggurat. It works: notices reach you here."),
    (Kind.MENTION, "in_club"): gettext_noop("%(who)s mentioned you in the club %(club)s."),
}


def sentence(notice: Notice) -> str:
    """Return what a notice says, in the active language and time zone. One of a later release says only which kind it is."""
    text = SENTENCES.get((Kind(notice.kind), notice.key))
    if text is None:
        return str(Kind(notice.kind).label)
    bots = notice.facts.get(BOTS, ())
    return _(text) % {name: _said(name, value, bots) for name, value in notice.facts.items()}


def _said(name: str, value: Any, bots: Collection[str]) -> str:
    if name == "game":
        return _(GAMES[value].game.meta.title) if value in GAMES else str(value)
    if name == "at":
        return moment(datetime.fromisoformat(value))
    if isinstance(value, list):
        return and_list([named(one, one in bots) for one in value], get_language() or "en")
    return named(str(value), value in bots)
