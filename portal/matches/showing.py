"""What pages say of a match: the rows of its table, and the same as a text to copy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from portal.matches.results import Line
from portal.matches.selectors import MatchPage


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player as a row of the table. Rates are per cent; `username` is empty for a level, and for a bot that is closed."""

    name: str
    username: str
    line: Line

    @property
    def rate(self) -> float | None:
        return None if self.line.win_rate is None else 100 * self.line.win_rate

    @property
    def low(self) -> float:
        return 100 * self.line.low

    @property
    def high(self) -> float:
        return 100 * self.line.high


def player_rows(page: MatchPage) -> list[PlayerRow]:
    """Return the players in the order in which they were named; a level's name has a capital, a bot account's is as it is written."""
    return [
        PlayerRow(
            name=name if player.name else name[:1].upper() + name[1:],
            username=player.user.username if player.user is not None and player.user.is_active else "",
            line=line,
        )
        for player, name, line in zip(page.players, page.names, page.lines, strict=True)
    ]


def copied(page: MatchPage, rows: Sequence[PlayerRow], address: str) -> str:
    """Return a match as lines of plain text in the reader's language: what was played, each player, and the address."""
    match = page.match
    head = _("Match %(n)s: %(game)s, games played: %(played)s of %(games)s") % {
        "n": match.pk,
        "game": _(page.entry.game.meta.title),
        "played": page.played,
        "games": match.games,
    }
    lines = [
        _("%(name)s: %(rate)s%% of the wins (%(low)s to %(high)s%%), mean score %(score)s, mean place %(place)s")
        % {
            "name": row.name,
            "rate": _number(row.rate),
            "low": _number(row.low),
            "high": _number(row.high),
            "score": _number(row.line.mean_score),
            "place": _number(row.line.mean_place, 2),
        }
        for row in rows
        if row.rate is not None
    ]
    return "\n".join([head, *lines, address])


def _number(value: float | None, digits: int = 1) -> str:
    return number_format(round(value or 0, digits), digits)
