"""The board of a table and its players' areas, put together from cached pieces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from portal.tables.parts import Parts, joined
from portal.tables.selectors import TablePage
from portal.tables.speaker import Speaker


def add_drawn(
    context: dict[str, Any], scene: dict[str, Any], page: TablePage, speaker: Speaker, parts: Parts, player_template: str
) -> None:
    """Add the board and, for each seat, its player's area."""
    drawn = {
        "scene": scene,
        "view": page.view,
        "entry": page.entry,
        "lang": speaker.lang,
        "names": page.names,
        "on_table": True,
        "static_only": False,
    }
    template = page.entry.board_template
    context["board_html"] = _board(scene["parts"], template, drawn, parts)
    players = []
    for seat in context["seats"]:
        player = scene["players"][seat["info"].index]
        seat["is_out"] = player["is_out"]
        seat["facts"] = [speaker.say(note) for note in player["notes"]]
        seat["score"] = next((note.params["score"] for note in player["notes"] if "score" in note.params), None)
        held = [
            (name, f"{name}-{player['number']}", (player["number"], page.names, [player[value] for value in values]))
            for name, values in scene["held"].items()
        ]
        shown: Callable[[], dict[str, Any]] = partial(dict, drawn, player=player)
        holdings = joined([parts.part(part_id, f"{template}#{name}", speaker.lang, key, shown) for name, part_id, key in held])
        info = seat["info"]
        # A clock's time is a text that depends on the reader's time zone and on the day.
        head = (info.name, info.is_due, info.bot_level, seat["is_out"], seat["fact"], seat["facts"], seat["score"], seat.get("clock"))
        section = parts.part(f"seat-{player['number']}", player_template, speaker.lang, (head, held), partial(dict, seat=seat))
        players.append(parts.held(f"seat-{player['number']}", section, holdings))
    context["players_html"] = joined(players)


def _board(spec: Mapping[str, Any], template: str, drawn: dict[str, Any], parts: Parts) -> SafeString:
    """Return the parts of a board in order.

    A part with parts of its own is a frame that includes them in its hole. Similar parts (`row-3`) share the partial named before the
    number.
    """
    scene, lang, names = drawn["scene"], drawn["lang"], drawn["names"]
    pieces = []
    for name, values in spec.items():
        if isinstance(values, Mapping):
            inside = _board(values, template, drawn, parts)
            pieces.append(parts.held(name, parts.part(name, f"{template}#{name}", lang, names, partial(dict, drawn)), inside))
            continue
        stem, _, number = name.rpartition("-")
        shown: Callable[[], dict[str, Any]] = partial(dict, drawn)
        partial_name = name
        if stem and number.isdecimal():
            partial_name = stem
            shown = partial(dict, drawn, part_id=name, **{stem: scene[name]})
        key = (name, names, [scene[value] for value in values])
        pieces.append(parts.part(name, f"{template}#{partial_name}", lang, key, shown))
    return mark_safe(joined(pieces))
