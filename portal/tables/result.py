"""The end of a game in words: places, and where each point came from."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext, ngettext

from games.core.contract import ScoreLine
from games.registry import Entry
from portal.tables.selectors import TablePage
from portal.tables.speaker import Speaker
from voice import drawing, glossary, wording


def result_of(page: TablePage, speaker: Speaker, seats: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what the page of a finished game shows; `seats` are those of the page, by index."""
    outcome = page.outcome
    assert outcome is not None
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
    return {"title": title, "lede": speaker.key(f"end.{outcome.reason}"), "places": places, "derivation": derivation}


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
        "sum": gettext("lowest colour counts: %(names)s") % {"names": glossary.and_list(least, speaker.lang)}
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
    try:
        symbol = drawing.symbol_id(entry.key, noun_id)
    except KeyError:
        symbol = None
    return {"symbol": symbol, "name": glossary.noun(entry.key, noun_id, lang), "count": count}
