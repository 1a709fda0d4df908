"""What pages and API show of matches: they are public, and so is all of this."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, OuterRef, Prefetch, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from games.registry import Entry, entry
from portal.accounts.models import User
from portal.accounts.pseudonyms import named
from portal.bots.models import BotAccount
from portal.common.templatetags.site import level_name
from portal.matches.feeding import seat_of
from portal.matches.models import Game, Match, Player
from portal.matches.refusals import MatchNotFound
from portal.matches.results import Line, lines
from portal.matches.services import REASONS
from portal.tables.models import Seat, Table
from portal.tables.pace import Pace, pace_of


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game of a match. Lists are by seat; empty without a result."""

    number: int  # from 1
    deal: int  # from 1: games with the same number share their draws
    table: int | None  # None while nobody may see it, or when it is gone
    is_sealed: bool  # another game with the same deal isn't over
    is_over: bool
    players: Sequence[int]
    places: Sequence[int]
    scores: Sequence[int]
    due: Sequence[int]  # players whose decision the game waits for; none while nobody may see it


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A match with the results that may be known."""

    match: Match
    entry: Entry
    pace: Pace
    players: Sequence[Player]
    names: Sequence[str]
    lines: Sequence[Line]
    played: int  # with a result
    without_result: int
    running: int

    @property
    def reason(self) -> str:
        """Why the match was stopped, in the language of the reader; or nothing."""
        return (
            str(REASONS[self.match.reason]) % {"name": named(self.match.reason_name, self.match.reason_name)} if self.match.reason else ""
        )


def matches() -> QuerySet[Match]:
    """Return all matches with what a page of them needs: three statements."""
    rows = Prefetch("rows", Game.objects.only("match_id", "number", "ended_at", "places", "scores").order_by("number"))
    return Match.objects.select_related("owner").prefetch_related(Prefetch("players", Player.objects.select_related("user")), rows)


def listed(player: str = "") -> QuerySet[Match]:
    """Return matches for the list, the latest first, with `over` (games that have ended): two statements, whatever their length.

    `player` is a bot account's name: only matches in which it plays.
    """
    players = Prefetch("players", Player.objects.select_related("user"))
    found = Match.objects.annotate(over=Count("rows", filter=Q(rows__ended_at__isnull=False))).prefetch_related(players).order_by("-id")
    return found.filter(pk__in=Player.objects.filter(user__username=player).values("match")) if player else found


def name_of(player: Player) -> str:
    """Return the name of a player as readers see it."""
    return named(player.name, is_bot=True) if player.name else level_name(player.bot_level)


def match_page(match_id: int) -> MatchPage:
    """Return a match. Three statements. Raises MatchNotFound."""
    found = matches().filter(pk=match_id).first()
    if found is None:
        raise MatchNotFound
    return page_of_match(found)


def page_of_match(match: Match) -> MatchPage:
    """Return the same from a row of `matches`, without a statement."""
    players, games = list(match.players.all()), list(match.rows.all())
    over = [game for game in games if game.ended_at is not None]
    found = lines(match, games)
    played = found[0].games
    return MatchPage(
        match=match,
        entry=entry(match.game),
        pace=pace_of(match.pace),
        players=players,
        names=[name_of(player) for player in players],
        lines=found,
        played=played,
        without_result=len(over) - played,
        running=len(games) - len(over),
    )


def version_of(match_id: int) -> str:
    """Return what changes whenever a match looks different to its readers. One statement. Raises MatchNotFound."""
    over = Count("rows", filter=Q(rows__ended_at__isnull=False))
    seen = Q(rows__ended_at=None) & (Q(rows__table__duplicate=None) | Q(rows__table__duplicate__revealed_at__isnull=False))
    moved = Coalesce(Sum("rows__table__version", filter=seen), 0)  # another player is due; of a sealed deal nobody learns that
    counted = Match.objects.filter(pk=match_id).annotate(opened=Count("rows"), over=over, moved=moved)
    found = counted.values_list("state", "opened", "over", "moved").first()
    if found is None:
        raise MatchNotFound
    return "-".join(map(str, found))


def may_cancel(match: Match, by: User | None) -> bool:
    """Return whether somebody may cancel a match now. One statement at most."""
    if by is None or match.state not in (Match.State.QUEUED, Match.State.RUNNING):
        return False
    return match.owner_id == by.pk or BotAccount.objects.filter(owner=by, user__in=match.players.values("user")).exists()


def games_of(match_id: int) -> QuerySet[Game]:
    """Return the games of a match, for `game_lines`."""
    left = Seat.objects.filter(table=OuterRef("table"), left_user__isnull=False).values("index")
    return Game.objects.filter(match=match_id).select_related("match", "table", "table__duplicate").annotate(left_seats=ArraySubquery(left))


def game_lines(games: Sequence[Game]) -> list[GameLine]:
    """Return games as everybody may see them."""
    return [_line(game) for game in games]


def _line(game: Game) -> GameLine:
    seats, table = game.match.seats, game.table
    by_seat = sorted(range(seats), key=lambda player: seat_of(player, game.number, seats))
    is_sealed = table is not None and table.duplicate is not None and table.duplicate.revealed_at is None
    is_playing = table is not None and not is_sealed and table.status == Table.Status.PLAYING
    left = cast(Any, game).left_seats  # of `games_of`
    # Where a level has taken a seat over, nobody waits for the player who left it.
    due = [by_seat[seat] for seat in table.due if seat >= 0 and seat not in left] if table is not None and is_playing else []
    return GameLine(
        number=game.number + 1,
        deal=(game.number // seats if game.match.is_paired else game.number) + 1,
        table=table.pk if table is not None and not is_sealed and table.status != Table.Status.ABANDONED else None,
        is_sealed=is_sealed,
        is_over=game.ended_at is not None,
        players=by_seat,
        places=[game.places[player] for player in by_seat] if game.places else [],
        scores=[game.scores[player] for player in by_seat] if game.places else [],
        due=due,
    )
