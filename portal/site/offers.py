"""What the front page says of each game: theme, players, length, weight, the picture of its board, and how to start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext, gettext_noop, ngettext

from games.core.contract import Meta
from games.registry import GAMES, Entry
from portal.accounts.models import User
from portal.tables.forms import default_seats
from portal.tables.how import kept_address
from portal.tables.newcomers import finished_games
from rules_docs.teaching import is_taught
from rules_docs.turns import turn_of

WEIGHTS: Final = {"light": gettext_noop("light"), "medium": gettext_noop("medium"), "heavy": gettext_noop("heavy")}


@dataclass(frozen=True, slots=True)
class Offer:
    """One game on the front page. What a game does not tell is empty."""

    entry: Entry
    meta: Meta
    bots: int  # that "Play now" seats
    players: str
    length: str
    weight: str
    pips: tuple[bool, ...]  # the weight as marks, of as many as there are steps
    board: str  # address of the drawn board
    how: str  # address of the page that plays a turn
    learn: str  # address of the overview, for people who have not finished a game of it


def offers(lang: str, user: User | None) -> list[Offer]:
    """Return the games in the order of the registry, as one person, or a visitor, sees them."""
    known = finished_games(user) if user is not None else set()
    return [_offer(entry, lang, is_known=entry.key in known) for entry in GAMES.values()]


def _offer(entry: Entry, lang: str, *, is_known: bool) -> Offer:
    meta = entry.game.meta
    has_turn = turn_of(entry.key) is not None
    steps = list(WEIGHTS)
    return Offer(
        entry=entry,
        meta=meta,
        bots=default_seats(entry) - 1,
        players=players_of(meta),
        length=length_of(meta),
        weight=gettext(WEIGHTS[meta.weight]) if meta.weight else "",
        pips=tuple(at <= steps.index(meta.weight) for at in range(len(steps))) if meta.weight else (),
        board=kept_address("how-board", entry.key, lang) if has_turn else "",
        how=reverse("how", args=[entry.key]) if has_turn else "",
        learn=reverse("learn", args=[entry.key]) if is_taught(entry.key) and not is_known else "",
    )


def players_of(meta: Meta) -> str:
    """Return "2 to 5 players"."""
    low, high = meta.seats[0], meta.seats[-1]
    if low == high:
        return ngettext("%(n)s player", "%(n)s players", low) % {"n": low}
    return gettext("%(low)s to %(high)s players") % {"low": low, "high": high}


def length_of(meta: Meta) -> str:
    """Return "45 min", "30–60 min" or "2–3 h"; "" if the game does not say."""
    if meta.minutes is None:
        return ""
    is_hours = all(minutes % 60 == 0 and minutes > 60 for minutes in meta.minutes)
    low, high = (minutes // 60 if is_hours else minutes for minutes in meta.minutes)
    span = str(low) if low == high else f"{low}–{high}"
    return (gettext("%(span)s h") if is_hours else gettext("%(span)s min")) % {"span": span}
