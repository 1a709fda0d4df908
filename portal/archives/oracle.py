"""The figures of archived games once more, by plain SQL over the tables: what tests and the measurement compare with. For logs without undo."""

from __future__ import annotations

from typing import Any, Final

from django.db import connection

from archives.figures import DEPTH, PEOPLE, WIN, WITHIN

_GAMES: Final = """
    SELECT t.id, t.outcome FROM tables_table t
    WHERE t.game = %(game)s AND t.seat_count = %(seats)s AND t.status = 'finished' AND t.finish_number IS NOT NULL
      AND t.club_id IS NULL AND t.privacy = 'public' AND t.position IS NULL AND NOT t.by_hand AND t.lesson = ''
      AND (NOT %(people)s OR NOT EXISTS (SELECT 1 FROM tables_seat s WHERE s.table_id = t.id AND s.user_id IS NULL))
"""
_PLACED: Final = f"""
    WITH games AS ({_GAMES}), seats AS (
        SELECT s.*, CASE WHEN s.place = 1 THEN {WIN} / count(*) FILTER (WHERE s.place = 1) OVER (PARTITION BY s.table_id) ELSE 0 END win
        FROM tables_seat s JOIN games ON games.id = s.table_id
    )
"""  # noqa: S608
_ACTED: Final = "tables_actionrecord r JOIN games ON games.id = r.table_id AND r.actor >= 0"


def totals(game: str, seats: int, company: str) -> dict[str, Any]:
    """Return number of games, sums by seat, and counts of lengths, scores and reasons, in the form of `Figures.totals`."""
    given: dict[str, Any] = {"game": game, "seats": seats, "people": company == PEOPLE}

    def rows(statement: str) -> list[list[Any]]:
        with connection.cursor() as cursor:
            cursor.execute(_PLACED + statement, given)
            return [list(row) for row in cursor.fetchall()]

    names = ("games", "wins", "places", "squares", "scores")
    sums = rows('SELECT count(*), sum(win), sum(place), sum(place * place), sum(score) FROM seats GROUP BY "index" ORDER BY "index"')
    return {
        "games": rows("SELECT count(*) FROM games")[0][0],
        "seats": [dict(zip(names, map(int, row), strict=True)) for row in sums],
        "lengths": rows(f"SELECT n, count(*) FROM (SELECT count(*) n FROM {_ACTED} GROUP BY r.table_id) x GROUP BY n ORDER BY n"),  # noqa: S608
        "scores": rows("SELECT score, count(*) FROM seats GROUP BY score ORDER BY score"),
        "winning": rows("SELECT score, count(*) FROM seats WHERE place = 1 GROUP BY score ORDER BY score"),
        "reasons": rows("SELECT outcome->>'reason', count(*) FROM games GROUP BY 1 ORDER BY 1"),
    }


def openings(game: str, seats: int, company: str) -> dict[str, tuple[int, int, int, int]]:
    """Return by line (each move with a line break) games, wins, places and squares of whoever made its last move; of all lines."""
    statement = f"""{_PLACED}, acted AS (
            SELECT r.table_id, r.actor, r.text, row_number() OVER (PARTITION BY r.table_id ORDER BY r.seq) nth FROM {_ACTED} AND r.seq <= {WITHIN}
        ), lines AS (
            SELECT table_id, actor, nth, string_agg(text || chr(10), '') OVER (PARTITION BY table_id ORDER BY nth) line FROM acted WHERE nth <= {DEPTH}
        )
        SELECT line, count(*), sum(win), sum(place), sum(place * place)
        FROM lines JOIN seats ON seats.table_id = lines.table_id AND seats."index" = lines.actor GROUP BY line"""  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(statement, {"game": game, "seats": seats, "people": company == PEOPLE})
        return {line: (int(games), int(wins), int(places), int(squares)) for line, games, wins, places, squares in cursor.fetchall()}
