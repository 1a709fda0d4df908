"""The control of a replay in words: the step, its addresses, the marks of the slider, and from which seats one may look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext

from portal.tables.access import may_see
from portal.tables.reel import Follower
from portal.tables.replay import SPECTATORS, Replay, asked
from portal.tables.speaker import Speaker
from portal.tables.study import may_study


@dataclass(frozen=True, slots=True)
class Ways:
    """Where the steps of a replay are: the names of the page and of its steps as JSON, and what their addresses say besides."""

    page: str
    steps: str
    query: Mapping[str, str] = field(default_factory=dict)

    def address(self, name: str, table_id: int) -> str:
        return reverse(name, args=[table_id], query=self.query or None)


HERE: Final = Ways("table-replay", "table-replay-steps")


def control_of(replay: Replay, step: int, speaker: Speaker, ways: Ways = HERE) -> dict[str, Any]:
    """Return what the templates show of a step: its picture, what is said of it, and the ways to other steps."""
    told = replay.told(step, speaker) if step else None
    text = " ".join(filter(None, (told["text"], told["by"]))) if told else gettext("The first position")
    seat = asked(replay)
    return {
        "step": step,
        "count": replay.count,
        "seat": seat,
        "name": gettext("Step %(n)s of %(all)s") % {"n": step, "all": replay.count},
        "text": text,
        "told": told,
        "gains": [{"number": number, "points": _signed(points)} for number, points in told["gains"]] if told else [],
        "dice": [side | {"best": side["faces"].index(max(side["faces"]))} for side in told["dice"]] if told else [],
        "url": ways.address(ways.page, replay.page.id),
        "steps_url": ways.address(ways.steps, replay.page.id),
        "query": ways.query,
        "keys": _keys(replay, step, ways),
        "here": address(replay, step, ways=ways),
        "marks": marks_of(replay),
        **replay.picture(step, speaker, Follower()),
    }


def _keys(replay: Replay, step: int, ways: Ways) -> list[dict[str, Any]]:
    """Return the ways to the first, previous, next and last step; without an address where there is none."""
    keys = (
        ("first", gettext("First position"), "i-skip", 0),
        ("back", gettext("One step back"), "i-prev", step - 1),
        ("on", gettext("One step on"), "i-next", step + 1),
        ("last", gettext("Last position"), "i-skip", replay.count),
    )
    return [
        {
            "id": name,
            "label": label,
            "icon": icon,
            "looks": {"first": "replay__end replay__turned", "last": "replay__end"}.get(name, ""),
            "url": address(replay, to, ways=ways) if 0 <= to <= replay.count and to != step else None,
        }
        for name, label, icon, to in keys
    ]


def address(replay: Replay, step: int, seat: str | None = None, *, ways: Ways = HERE) -> str:
    """Return the address of a step from the same seat, or from another one."""
    query = {**ways.query, "step": step} | ({"seat": given} if (given := asked(replay) if seat is None else seat) else {})
    return f"{reverse(ways.page, args=[replay.page.id])}?{urlencode(query)}"


def new_study_address(replay: Replay, step: int) -> str | None:
    """Return where a study from a step is started, if the game may be studied."""
    return f"{reverse('study-new', args=[replay.page.id])}?{urlencode({'step': step})}" if may_study(replay) else None


def edit_address(replay: Replay, step: int) -> str | None:
    """Return where the position of a step can be changed, if the game may be studied and everybody may see its table."""
    if not may_study(replay) or not may_see(replay.loaded, None):
        return None
    return reverse("position-editor", args=[replay.page.entry.key], query={"table": replay.page.id, "step": step})


def study_address(replay: Replay, step: int) -> str | None:
    """Return where a practice table from a step is opened, if the game may be studied."""
    if not may_study(replay):
        return None
    query = {"step": step} | ({"seat": replay.seat + 1} if asked(replay) and replay.seat is not None else {})
    return f"{reverse('table-study', args=[replay.page.id])}?{urlencode(query)}"


def seats_of(replay: Replay, step: int) -> list[dict[str, Any]]:
    """Return the seats from which the reader may look, spectators first; [] for only one."""
    if not replay.may_choose:
        return []
    everybody = {"number": None, "name": gettext("Everyone"), "url": address(replay, step, SPECTATORS), "is_shown": replay.seat is None}
    return [
        everybody,
        *(
            {"number": seat + 1, "name": name, "url": address(replay, step, str(seat + 1)), "is_shown": seat == replay.seat}
            for seat, name in enumerate(replay.page.names)
        ),
    ]


def marks_of(replay: Replay) -> list[dict[str, Any]]:
    """Return the marks below the slider: where each stands, in percent of its length, and what it is."""
    return [{"at": f"{100 * step / replay.count:.2f}%", "step": step, "kind": kind} for step, kind in replay.marks]


def _signed(points: int) -> str:
    return f"+{points}" if points > 0 else f"\N{MINUS SIGN}{-points}"
