"""The ladder's figures as Markdown tables, and the places in a page where they stand.

In `docs/bots.md`, what is between `<!-- ladder ra -->` and `<!-- /ladder -->` is written from `ladder.json`, and `make check` holds it to that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from games.core.contract import AnyGame
from games.core.figures import EdgeFigures, Figures, OrderFigures
from games.core.ladder import edges, goal

PLACE: Final = re.compile(r"(<!-- ladder (\w+) -->\n).*?(<!-- /ladder -->)", re.DOTALL)
PLACES: Final = ("first", "second", "third", "fourth", "fifth", "sixth")  # in the order of play
NOT_YET: Final = "not measured yet"


def rewritten(page: str, table_of: Callable[[str], str]) -> str:
    """Return a page with the tables of each game named in it in their places."""
    return PLACE.sub(lambda found: f"{found[1]}{table_of(found[2])}{found[3]}", page)


def tables(game: AnyGame, figures: Figures) -> str:
    """Return the tables of a game: its ladder, other edges that were measured, and what the order of play is worth."""
    rungs = edges(game, game.meta.seats)
    usual = {(edge.better, edge.than, edge.seats) for edge in rungs}
    more = [edge for edge in figures.edges if edge.key not in usual]
    rows = [_edge_row(edge.better, edge.than, edge.seats, figures.edge(edge.better, edge.than, edge.seats)) for edge in rungs]
    rows += [_edge_row(edge.better, edge.than, edge.seats, edge) for edge in more]
    text = _table(
        ["one", "among", "seats", "games", "wins", "95 % interval", "times fair share", "goal", "mean score", "ms a move: p50, p95, most"],
        rows,
    )
    if figures.balance:
        widest = max(row.seats for row in figures.balance)
        head = [
            "level in every seat",
            "seats",
            "games",
            *(f"wins of the {place}" for place in PLACES[:widest]),
            "mean points in this order",
        ]
        text += "\n" + _table(head, [_order_row(row, widest) for row in figures.balance])
    sources = {row.source for row in figures.edges} | {row.source for row in figures.balance}
    if sources:
        found = "; ".join(sorted({f"{source.date}, {source.cores} cores, {source.machine}" for source in sources}))
        commands = "; ".join(f"`{command}`" for command in sorted({source.command for source in sources}))
        text += f"\nMeasured: {found}.\nCommands: {commands}.\n"
    return text


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _edge_row(better: str, than: str, seats: int, found: EdgeFigures | None) -> list[str]:
    names = [better, than, str(seats)]
    aim = f"{100 * goal(seats):.0f} %"
    if found is None:
        return [*names, "", NOT_YET, "", "", aim, "", ""]
    return [
        *names,
        str(found.games),
        f"{100 * found.win_rate:.1f} %",
        f"{100 * found.low:.1f} .. {100 * found.high:.1f} %",
        f"{found.win_rate * seats:.2f}",
        aim,
        f"{found.mean_score:.1f} to {found.other_mean_score:.1f}",
        f"{_ms(found.p50_ms)}, {_ms(found.p95_ms)}, {_ms(found.max_ms)}",
    ]


def _ms(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def _order_row(row: OrderFigures, widest: int) -> list[str]:
    rates = zip(row.win_rates, row.low, row.high, strict=True)
    told = [f"{100 * rate:.1f} % ({100 * low:.1f} .. {100 * high:.1f})" for rate, low, high in rates]
    points = ", ".join(f"{score:.1f}" for score in row.mean_scores)
    return [row.level, str(row.seats), str(row.games), *told, *[""] * (widest - row.seats), points]
