"""The end of a game in words: places, the points of each round, where each point came from, and the board before it was cleared."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from games.core.contract import ScoreLine
from games.registry import Entry
from portal.tables import outside
from portal.tables.forms import OPEN
from portal.tables.page import shown_seat
from portal.tables.replay import Replay
from portal.tables.replay_page import address, control_of, new_study_address, study_address
from portal.tables.selectors import TablePage
from portal.tables.speaker import Speaker
from rules_docs import heads
from voice import drawing, glossary, wording

SHADES: Final = 4  # of the cells with points


def result_context(page: TablePage, speaker: Speaker, replay: Replay) -> dict[str, Any]:
    """Return what `tables/table.html` shows of a finished game besides what every table has."""
    result = _result(page, speaker, replay)
    return {
        "result": result,
        "head": _head(page, speaker, result),
        "replay": control_of(replay, replay.before_the_end, speaker),
        "head_title": result["title"],
        "replay_url": address(replay, 0),
        "study_url": study_address(replay, replay.before_the_end),
        "new_study_url": new_study_address(replay, replay.before_the_end),
        "report_url": reverse("table-report", args=[page.id]) if page.seal.secret is not None else None,
        "new_url": reverse("table-new"),
        "picture_url": picture_address(page, speaker.lang) + "&save=1",
        "again": _again(page, replay),
        "rematches": page.my_seat is not None and replay.loaded.table.position is None and _has_others(page),
    }


def _result(page: TablePage, speaker: Speaker, replay: Replay) -> dict[str, Any]:
    outcome = page.outcome
    assert outcome is not None
    seats = [shown_seat(seat) for seat in page.seats]
    order = sorted(range(page.seat_count), key=lambda index: (outcome.places[index], index))
    winners = [page.names[index] for index in order if outcome.places[index] == 1]
    points = outcome.scores[order[0]]
    title = ngettext("%(names)s won with %(points)s point", "%(names)s won with %(points)s points", points) % {
        "names": glossary.and_list(winners, speaker.lang),
        "points": points,
    }
    derivations = [_derivation(page, speaker, index) for index in range(page.seat_count)]
    places = [
        {
            "place": outcome.places[index],
            "number": index + 1,
            "name": page.names[index],
            "note": seats[index]["note"],
            "profile": seats[index]["profile"],
            "points": outcome.scores[index],
            "ascending": derivations[index]["ascending"],
        }
        for index in order
    ]
    shown_open = page.my_seat if page.my_seat is not None else order[0]
    derivation = [derivations[index] | {"is_open": index == shown_open} for index in order]
    return {
        "title": title,
        "lede": speaker.key(f"end.{outcome.reason}"),
        "places": places,
        "derivation": derivation,
        "matrix": _matrix(page, speaker, order, replay),
    }


def _head(page: TablePage, speaker: Speaker, result: dict[str, Any]) -> heads.Head | None:
    """Return what other sites show beside a link to the result; nothing for a table that not everybody may see."""
    if not is_for_others(page):
        return None
    title = f"{gettext(page.entry.game.meta.title)}: {result['title']}"
    places = ", ".join(f"{place['name']} {place['points']}" for place in result["places"])
    head = heads.of_page(reverse("table", args=[page.id]), speaker.lang, title, places, page.entry.key)
    return replace(head, picture=heads.absolute(picture_address(page, speaker.lang)))


def running_head(page: TablePage, lang: str) -> heads.Head | None:
    """Return what other sites show beside a link to a game that runs: its players and its position; nothing where not everybody may see it."""
    if page.status != "playing" or not is_for_others(page):
        return None
    title = gettext("%(game)s, table %(id)s") % {"game": gettext(page.entry.game.meta.title), "id": page.id}
    head = heads.of_page(reverse("table", args=[page.id]), lang, title, ", ".join(page.names), page.entry.key)
    return outside.step_preview(page.entry.game, head, page.id, lang)


def is_for_everybody(page: TablePage) -> bool:
    """Say whether anyone may see the table, on the site and elsewhere."""
    return not page.by_link and (page.circle is None or not page.circle.is_private)


def is_for_others(page: TablePage) -> bool:
    """Say whether other sites may show the table: not while it is in an unrevealed set, either."""
    return is_for_everybody(page) and not page.is_sealed


def step_pictures(page: TablePage, step: int, lang: str) -> dict[str, str]:
    """Return the addresses of the pictures of a step by their form; {} where there are none."""
    if not is_for_others(page) or page.entry.game.picture is None:
        return {}
    query = {"lang": lang, "step": str(step)}
    return {form: outside.table_picture(page.id, form, query) for form in ("svg", "png")}


def picture_address(page: TablePage, lang: str) -> str:
    return reverse("table-result-picture", args=[page.id], query={"lang": lang})


def _has_others(page: TablePage) -> bool:
    return any(seat.username and not seat.is_me for seat in page.seats)


def _again(page: TablePage, replay: Replay) -> list[tuple[str, str]]:
    """Return the fields of the form that opens another table like this one: its game, options and bots, seats of people open.

    [] for a practice table, which started somewhere else.
    """
    if replay.loaded.table.position is not None:
        return []
    others = [seat for seat in page.seats if seat.index != page.my_seat][: page.seat_count - 1]
    fields = [("game", page.entry.key), ("seats", str(page.seat_count))]
    fields += [(f"seat-{number}", seat.bot_level or OPEN) for number, seat in enumerate(others, 1)]
    for spec in page.entry.game.meta.options:
        value = page.options.get(spec.key, spec.default)
        if not isinstance(spec.default, bool):
            fields.append((f"option-{spec.key}", str(value)))
        elif value:
            fields.append((f"option-{spec.key}", "on"))
    circle = page.circle
    if circle is not None and circle.role is not None and not circle.is_closed:
        fields.append(("club", circle.slug))
    if not replay.loaded.table.is_rated:
        fields.append(("unrated", "on"))
    return fields


def _matrix(page: TablePage, speaker: Speaker, order: list[int], replay: Replay) -> dict[str, Any]:
    """Return the points of each player and round; a game of one round has the lines of that round instead.

    A cell leads to the step that scored it, if the game says which events score rounds and the game was played from the start; or to the
    steps that added to it, one after the other, in a game that scores all through.
    """
    outcome = page.outcome
    assert outcome is not None
    cells: list[dict[str, int]] = []
    is_one_round = all(len(rounds) == 1 for rounds in outcome.derivation)
    for rounds in outcome.derivation:
        if is_one_round:
            cells.append({f"score.{line.key}": line.points for _, lines in rounds for line in lines})
        else:
            cells.append({f"round.{key}": sum(line.points for line in lines) for key, lines in rounds})
    columns = _in_order([list(row) for row in cells])
    best = {column: max(row.get(column, 0) for row in cells) for column in columns}
    most = max([1, *best.values()])
    gained = replay.gained()
    steps = gained or ({} if is_one_round else _steps(replay))
    least = outcome.total == "least"
    rows = []
    for index in order:
        row = []
        for column in columns:
            points = cells[index].get(column)
            found = steps.get((index, column), [])
            row.append(
                {
                    "points": None if points is None else str(points).replace("-", "−"),
                    "url": address(replay, found[0]) if found and points is not None else None,
                    "steps": " ".join(map(str, found)),
                    "label": gettext("%(name)s, %(round)s: show it in the replay")
                    % {"name": page.names[index], "round": speaker.key(column)},
                    "shade": round(SHADES * max(0, points or 0) / most),
                    "is_best": len(order) > 1 and points is not None and points == best[column] > 0,
                    "is_least": least and points == outcome.scores[index],
                }
            )
        rows.append({"number": index + 1, "name": page.names[index], "cells": row, "total": outcome.scores[index]})
    return {
        "columns": [_column(column, page.entry, speaker) for column in columns],
        "rows": rows,
        "is_least": least,
        "is_linked": bool(steps),
        "is_gained": bool(gained),
    }


def _column(key: str, entry: Entry, speaker: Speaker) -> dict[str, Any]:
    """Return the head of a column: its picture, if what is counted has one, else its name up to the first comma."""
    name = speaker.key(key)
    return {"name": name, "short": name.partition(",")[0], "symbol": _symbol(entry, key.partition(".")[2])}


def _in_order(rows: list[list[str]]) -> list[str]:
    """Return the columns of all rows, each where it stands latest: a player may have missed a round."""
    places: dict[str, int] = {}
    for row in rows:
        for place, column in enumerate(row):
            places[column] = max(place, places.get(column, 0))
    return sorted(places, key=places.__getitem__)


def _steps(replay: Replay) -> dict[tuple[int, str], list[int]]:
    """Return the step that scored each seat's round, if the game says which events do."""
    if not replay.loaded.game.meta.round_scores or replay.loaded.table.position is not None:
        return {}
    return {(seat, f"round.{key}"): [step] for (seat, key), step in replay.scored_rounds().items()}


def _signed(points: int) -> str:
    return wording.fill("{n:signed}", {"n": points}, "en")


def _derivation(page: TablePage, speaker: Speaker, index: int) -> dict[str, Any]:
    """Return the points of a seat, round by round; if the lowest one is the score, also which one that is."""
    outcome = page.outcome
    assert outcome is not None
    sums = [sum(line.points for line in lines) for _, lines in outcome.derivation[index]]
    is_least = outcome.total == "least"
    rounds = [
        {
            "name": speaker.key(f"round.{key}"),
            "points": str(points) if is_least else _signed(points),
            "lines": [_score_line(line, page.entry, speaker) for line in lines],
            "is_least": is_least and points == min(sums),
        }
        for (key, lines), points in zip(outcome.derivation[index], sums, strict=True)
    ]
    least = [speaker.key(f"round.{key}") for (key, _), points in zip(outcome.derivation[index], sums, strict=True) if points == min(sums)]
    return {
        "number": index + 1,
        "name": page.names[index],
        "points": outcome.scores[index],
        "rounds": rounds,
        "sum": gettext("weakest colour: %(names)s") % {"names": glossary.and_list(least, speaker.lang)}
        if is_least
        else " ".join(_signed(points) for points in sums),
        "ascending": ", ".join(str(points) for points in sorted(sums)) if is_least else "",
    }


def _score_line(line: ScoreLine, entry: Entry, speaker: Speaker) -> dict[str, Any]:
    return {
        "text": speaker.key(f"score.{line.key}"),
        "points": _signed(line.points),
        "rule": speaker.rule(line.rule),
        "pieces": [_piece(entry, noun_id, count, speaker.lang) for noun_id, count in line.pieces.items()],
    }


def _piece(entry: Entry, noun_id: str, count: int, lang: str) -> dict[str, Any]:
    return {"symbol": _symbol(entry, noun_id), "name": glossary.noun(entry.key, noun_id, lang), "count": count}


def _symbol(entry: Entry, noun_id: str) -> str | None:
    try:
        return drawing.symbol_id(entry.key, noun_id)
    except KeyError:
        return None
