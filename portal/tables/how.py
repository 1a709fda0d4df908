"""How a game plays: the board for the front page, and a turn from a recorded game as pictures and as steps of the reel.

Everybody sees the same, so it is drawn once per process and language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final
from urllib.parse import urlencode
from zlib import crc32

from django.urls import reverse
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe

from games.registry import Entry
from portal.tables.drawn import add_drawn
from portal.tables.page import PLAYER_TEMPLATE, shown_seat
from portal.tables.parts import Parts
from portal.tables.question import add_recent
from portal.tables.reel import Follower, dice_of, gains_of
from portal.tables.selectors import Log, LogLine, May, Seal, SeatInfo, TablePage, Turn
from portal.tables.speaker import Speaker, rule_link
from rules_docs.content import ROOT
from rules_docs.pages import look_version
from rules_docs.turns import FILE, ShownTurn, turn_of
from voice import drawing

NEVER: Final = datetime(2000, 1, 1, tzinfo=UTC)
READING_MS: Final = (1800, 48)  # that a step stays: at least, and for each letter of its text


@dataclass(frozen=True, slots=True)
class Still:
    """One step as the page shows it without its reel: the sentence, its paragraph, the board and the players after it."""

    number: int
    text: str
    rule: dict[str, str]
    board: SafeString
    players: SafeString


@dataclass(frozen=True, slots=True)
class HowItPlays:
    """A turn in one language: the position before it (number 0) and after each step, and the same for the reel."""

    stills: Sequence[Still]
    steps: dict[str, Any]


@cache
def version_of(key: str) -> str:
    """Return what changes with the look of the boards or with the turn of a game: part of the addresses of what is drawn from it."""
    return f"{crc32((look_version()[0] + (ROOT / key / FILE).read_text('utf-8')).encode()):08x}"


def kept_address(route: str, key: str, lang: str) -> str:
    """Return the address of what is drawn of a game, which browsers keep until it changes."""
    return f"{reverse(route, args=[key])}?{urlencode({'lang': lang, 'v': version_of(key)})}"


@cache
def picture(entry: Entry, lang: str) -> SafeString | None:
    """Return the board of a game in full play, as a picture with its symbols; None for a game without a recorded turn."""
    turn = turn_of(entry.key)
    if turn is None:
        return None
    view = entry.game.view_for(turn.pictured, None)
    return drawing.render_board(entry, view, lang, names=turn.names[lang], static_only=True)


@cache
def how_it_plays(entry: Entry, lang: str) -> HowItPlays | None:
    """Return the turn that shows how a game plays; None for a game without one."""
    turn = turn_of(entry.key)
    if turn is None:
        return None
    with translation.override(lang):
        return HowItPlays(_stills(entry, turn, lang), _steps(entry, turn, lang))


def _stills(entry: Entry, turn: ShownTurn, lang: str) -> list[Still]:
    names = turn.names[lang]
    drawn = [draw(entry, names, lang, turn.start)]
    drawn += [draw(entry, names, lang, step.state, step.events) for step in turn.steps]
    told = [("", {}), *((step.text[lang], rule_link(step.rule, lang)) for step in turn.steps)]
    return [
        Still(number, text, rule, board, players) for number, ((text, rule), (board, players)) in enumerate(zip(told, drawn, strict=True))
    ]


def _steps(entry: Entry, turn: ShownTurn, lang: str) -> dict[str, Any]:
    """Return the turn as `reel.js` reads it; each step stays as long as its text takes to read."""
    parts = Follower()

    def still(state: Any, events: Sequence[Any] = ()) -> dict[str, str]:
        board, players = draw(entry, turn.names[lang], lang, state, events, parts=parts)
        parts.go_on()
        return {"board": board, "players": players}

    base = still(turn.start)
    least, each = READING_MS
    steps = [
        {
            "version": number,
            "seat": max(step.actor + 1, 0),
            "text": step.text[lang],
            "by": "",
            "rule": rule_link(step.rule, lang),
            "sound": next((sound for event in step.events if (sound := entry.game.meta.sounds.get(event.key))), ""),
            "dice": next((dice for event in reversed(step.events) if (dice := dice_of(event))), []),
            "gains": [gain for event in step.events for gain in gains_of(event)],
            "hold": least + each * len(step.text[lang]),
            **still(step.state, step.events),
        }
        for number, step in enumerate(turn.steps, 1)
    ]
    return {"since": 0, "version": len(steps), "base": base, "steps": steps, "turns": []}


def draw(
    entry: Entry,
    names: Sequence[str],
    lang: str,
    state: Any,
    events: Sequence[Any] = (),
    *,
    parts: Parts | None = None,
    seat: int | None = None,
    links: Mapping[str, str] | None = None,
) -> tuple[SafeString, SafeString]:
    """Return the board and the players as a seat sees them, or somebody who watches; what the events name is marked.

    `links` {id of a target: address} makes links of what the board shows.
    """
    due = entry.game.actors(state)
    seats = [SeatInfo(index, name, None, None, "", False, index in due, "", None) for index, name in enumerate(names)]
    lines = [LogLine(number, 1, NEVER, -1, event, "") for number, event in enumerate(events)]
    page = page_of_position(entry, seats, entry.game.view_for(state, seat), Log(list(reversed(lines)), [], []))
    scene = entry.game.scene(page.view)
    add_recent(scene, page)
    for name, href in (links or {}).items():
        if name in scene["targets"]:
            scene["targets"][name] |= {"href": href, "label": "", "is_chosen": False, "picture": ""}
    context: dict[str, Any] = {"seats": [shown_seat(seat) for seat in seats]}
    add_drawn(context, scene, page, Speaker(entry.key, lang, names, seat), parts or Parts(), PLAYER_TEMPLATE)
    return context["board_html"], mark_safe(context["players_html"])


def page_of_position(entry: Entry, seats: list[SeatInfo], view: Any, log: Log) -> TablePage:
    """Return what a spectator would get if a position without a table were played at one."""
    return TablePage(
        id=0,
        entry=entry,
        status="playing",
        version=0,
        options={},
        seats=seats,
        my_seat=None,
        is_owner=False,
        bot_fill="",
        is_rated=False,
        circle=None,
        view=view,
        turn=Turn(),
        log=log,
        may=May(join=False, leave=False, start=False, undo=False, redo=False),
        seal=Seal("", None, []),
        stream=None,
        outcome=None,
        created_at=NEVER,
        started_at=None,
        finished_at=None,
    )
