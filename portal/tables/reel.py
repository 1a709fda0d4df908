"""The reel: what happened at a table, step by step, each with the board as the reader could see it then.

Every step is complete: its pictures are drawn from the reader's view of the position after it, with the same templates as the page, so
the reel can tell nothing that the page did not tell. Pieces of markup that a step shares with the one before are sent as marks.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from operator import itemgetter
from typing import Any, Final

from django.db.models import Subquery

from games.core.contract import CHANCE, SCORER, Event
from games.registry import game
from portal.common.kept import Kept
from portal.tables.drawn import add_drawn
from portal.tables.loading import Loaded, event_for
from portal.tables.models import ActionRecord
from portal.tables.page import PLAYER_TEMPLATE, log_line, shown_seat
from portal.tables.parts import Parts
from portal.tables.past import Entry, Moment, moments_since
from portal.tables.phrases import SITE_PHRASES
from portal.tables.play import BY_HAND
from portal.tables.question import add_marks, add_recent
from portal.tables.selectors import Log, LogLine, TablePage, Turn
from portal.tables.speaker import Speaker
from portal.tables.why import why_address
from voice import drawing, wording

MOST_MOMENTS: Final = 80  # the newest; what is older can be read in the log
RECENT_MOMENTS: Final = 20  # for somebody who has not moved
MOST_PICTURES: Final = 2  # of a turn
MOST_KEPT_BYTES: Final = 4_000_000  # of the reels of spectators, packed, in a process
_NUMBER: Final = re.compile(r"\d+")

_kept: Kept[bytes] = Kept(MOST_KEPT_BYTES, len)


class Follower(Parts):
    """Pieces of markup of one step after the other: sent where they differ from the step before, or at first from the page."""

    def __init__(self, have: str = "") -> None:
        super().__init__(have)
        self._now: set[str] = set()

    def has(self, part_id: str, digest: str) -> bool:
        self._now.add(f"{part_id}:{digest}")
        return super().has(part_id, digest)

    def go_on(self) -> None:
        """Begin the next step."""
        self._have, self._now = frozenset(self._now), set()


@dataclass(slots=True)
class _Turn:
    """Steps of one player in a row, for one line of the strip."""

    seat: int
    first: int
    last: int = 0
    texts: list[tuple[bool, str]] | None = None  # each with whether it only leads to another one
    points: int = 0
    pictures: dict[str, None] = field(default_factory=dict)  # of what was done, in that order


def reel_of(loaded: Loaded, page: TablePage, speaker: Speaker, *, since: int, have: str = "") -> dict[str, Any] | None:
    """Return what happened since `since`, a version, as the page's script reads it; None if that was nothing but the reader's own moves.

    The reader's own moves at the start and at the end are left out: nobody is shown what they have just done. `page` is what the reader may
    see now, and `have` names the pieces of markup that the reader's page has.
    """
    if page.view is None or since >= page.version:
        return None
    if page.my_seat is not None:
        return _reel_of(loaded, page, speaker, since, have)
    # All spectators see the same: what one of a thousand asks for is drawn once.
    known = blake2b(have.encode(), digest_size=16).digest()
    key = (page.id, page.seal.commitment, page.version, since, speaker.lang, known, repr(page.seats))
    kept = _kept.get(key)
    if kept is None:
        kept = zlib.compress(json.dumps(_reel_of(loaded, page, speaker, since, have)).encode(), 1)
        _kept.put(key, kept)
    told: dict[str, Any] | None = json.loads(zlib.decompress(kept))
    return told


def _reel_of(loaded: Loaded, page: TablePage, speaker: Speaker, since: int, have: str) -> dict[str, Any] | None:
    before, moments = moments_since(loaded, since, MOST_MOMENTS, own=page.my_seat)
    while moments and _is_own(moments[0], page):
        before = moments.pop(0).state
    others = max((at for at, moment in enumerate(moments) if moment.actor >= 0 and not _is_own(moment, page)), default=-1)
    own = next((at for at, moment in enumerate(moments) if at > others and _is_own(moment, page)), None)
    del moments[len(moments) if own is None else own :]
    told: list[tuple[Moment, list[LogLine], int]] = []
    meta = loaded.game.meta
    acting = CHANCE  # a draw is told when chance has acted; the turn is that of the seat which has asked for it
    for moment in moments:
        acting = moment.actor if moment.actor >= 0 else acting
        if lines := lines_of(moment, page):
            told.append((moment, lines, acting))
    if not told:
        return None
    parts = Follower(have)
    base = picture_of(loaded, page, speaker, parts, before, ())
    steps: list[dict[str, Any]] = []
    turns: list[_Turn] = []
    for moment, lines, acting in told:
        _add_turn(turns, acting if moment.actor != SCORER else SCORER, lines, len(steps), page)
        for number, line in enumerate(lines):
            step = step_of(line, speaker) | {"why": why_address(page, line.actor, line.by, line.seq)}
            # Points are told with the pieces that earn them, everything else with what it has changed.
            if number == (len(lines) - 1 if moment.actor == SCORER else 0):
                step |= picture_of(loaded, page, speaker, parts, moment.state, lines)
            steps.append(step)
            if turns:
                turns[-1].last = len(steps) - 1
                turns[-1].points += sum(points for seat, points in step["gains"] if seat == turns[-1].seat + 1)
                if line.actor == turns[-1].seat or turns[-1].texts is None:
                    turns[-1].texts = [*(turns[-1].texts or []), (line.event.key in meta.leads, step["text"])]
                    turns[-1].pictures |= dict.fromkeys(pictures_of(line.event, speaker))
    if not turns and (last := next((step for step in reversed(steps) if step["seat"]), None)):  # a deal, or a draw whose turn came before
        turns.append(_Turn(last["seat"] - 1, 0, len(steps) - 1, [(False, last["text"])]))
    if len(turns) > 1 and turns[-1].seat == page.my_seat and all(leads for leads, _text in turns[-1].texts or ()):
        of_reader = turns.pop()  # that it is one's own turn, the page says already
        turns[-1].last = of_reader.last
    strip = [_told(turn, page) for turn in turns if turn.texts]
    return {"since": since, "version": page.version, "base": base, "steps": steps, "turns": strip}


def _is_own(moment: Moment, page: TablePage) -> bool:
    return (moment.actor == page.my_seat or page.by_hand) and moment.by in BY_HAND


def since_last_turn(loaded: Loaded, seat: int | None) -> int:
    """Return the version of the seat's last move before those of others; for who has made none, one some records ago.

    So in the middle of a turn it is still what happened since the turn before. One statement.
    """
    records = ActionRecord.objects.filter(table_id=loaded.table.pk)
    own = None
    if seat is not None:
        by_hand = records.filter(by__in=BY_HAND)
        if not loaded.table.by_hand:
            others = records.filter(actor__gte=0).exclude(actor=seat).order_by("-seq").values("seq")[:1]
            by_hand = by_hand.filter(actor=seat, seq__lt=Subquery(others))
        own = by_hand.order_by("-seq").values_list("version", flat=True).first()
    if own is None:
        own = records.filter(seq=max(0, loaded.table.seq - RECENT_MOMENTS)).values_list("version", flat=True).first()
    return own or 0


def picture_of(
    loaded: Loaded, page: TablePage, speaker: Speaker, parts: Follower, state: Any, lines: Sequence[LogLine], marks: Sequence[str] = ()
) -> dict[str, Any]:
    """Return board and players as the reader saw them in a position; what the lines name is marked, or the places with the ids `marks`."""
    game = loaded.game
    view = game.view_for(state, page.my_seat)
    due = game.actors(state)
    seats = [replace(seat, is_due=seat.index in due) for seat in page.seats]
    then = replace(page, view=view, seats=seats, turn=Turn(), log=Log(list(reversed(lines)), [], []))
    scene = game.scene(view)
    add_recent(scene, then)
    add_marks(scene, marks)
    shown = [shown_seat(seat) for seat in seats]
    context: dict[str, Any] = {"seats": shown[page.my_seat or 0 :] + shown[: page.my_seat or 0]}
    add_drawn(context, scene, then, speaker, parts, PLAYER_TEMPLATE)
    parts.go_on()
    return {"board": context["board_html"], "players": context["players_html"]}


def lines_of(moment: Moment | Entry, page: TablePage) -> list[LogLine]:
    """Return the events of a record that are told, as the reader of `page` may read them."""
    quiet = page.entry.game.meta.quiet
    events = [event_for(data, page.my_seat) for data in moment.events]
    return [LogLine(moment.seq, moment.version, moment.at, moment.actor, event, moment.by) for event in events if event.key not in quiet]


def step_of(line: LogLine, speaker: Speaker) -> dict[str, Any]:
    """Return what the script reads of one event: the sentence, whose it is, dice and points."""
    told = log_line(line, speaker)
    return {
        "version": line.version,
        "seat": told["number"] or 0,
        "text": told["text"],
        "by": told["by"],
        "rule": told["rule"],
        "sound": game(speaker.game).meta.sounds.get(line.event.key, ""),
        "dice": dice_of(line.event),
        "gains": gains_of(line.event),
    }


def dice_of(event: Event) -> list[dict[str, Any]]:
    """Return the faces that were rolled and their total, side by side: the attacker's `dice`, and the defender's if it rolls."""
    return [
        {"faces": [int(face) for face in _NUMBER.findall(faces)], "total": event.params.get(total)}
        for side, total in (("dice", "n"), ("defence", "m"))
        if isinstance(faces := event.params.get(side), str)
    ]


def gains_of(event: Event) -> list[tuple[int, int]]:
    """Return the points of an event as (number of the seat, points)."""
    seat, points = event.params.get("seat"), event.params.get("points")
    return [(seat + 1, points)] if isinstance(seat, int) and isinstance(points, int) and seat >= 0 and points else []


def pictures_of(event: Event, speaker: Speaker) -> list[str]:
    """Return the symbols of what an event did, as far as its sentence tells it to this reader: what the game says, then the pieces named."""
    if event.key in SITE_PHRASES:
        return []
    done = game(speaker.game).meta.pictures.get(event.key)
    found = [done.format_map(event.params)] if done else []
    for noun_id in wording.nouns_of(event, me=speaker.me, game=speaker.game):
        with suppress(KeyError):  # a place, a name
            found.append(drawing.symbol_id(speaker.game, noun_id))
    return found


def _add_turn(turns: list[_Turn], acting: int, lines: Sequence[LogLine], at: int, page: TablePage) -> None:
    """Begin another turn when somebody else acts; where the game says when a turn starts, at that event."""
    starts = page.entry.game.meta.turn_starts
    begun = next((line.event.params.get("seat") for line in lines if line.event.key in starts), None)
    if isinstance(begun, int):
        turns.append(_Turn(begun, at))
    elif acting >= 0 and (not turns or (not starts and turns[-1].seat != acting)):
        turns.append(_Turn(acting, at))


def _told(turn: _Turn, page: TablePage) -> dict[str, Any]:
    return {
        "seat": turn.seat + 1,
        "name": page.names[turn.seat],
        "texts": [text for _leads, text in sorted(turn.texts or [], key=itemgetter(0))],
        "points": turn.points,
        "pictures": list(turn.pictures)[:MOST_PICTURES],
        "first": turn.first,
        "last": turn.last,
    }
