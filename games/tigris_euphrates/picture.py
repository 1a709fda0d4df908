"""A picture of a position of Tigris & Euphrates: the board as the page has it, kingdoms and strengths included, and the players below it."""

from __future__ import annotations

from typing import Any, Final

from games.core import svg
from games.core.svg import Board, Card, Item, Sheet
from games.tigris_euphrates.components import SYMBOLS
from games.tigris_euphrates.scene import CELL, scene
from games.tigris_euphrates.view import View

FRAME: Final = (4, 4, 1096, 776)
STRENGTH_AT: Final = (48, 57)  # on a square


def picture(view: View, sheet: Sheet) -> str:
    """Return the picture of what a view shows."""
    drawn = scene(view)
    board = Board(_board(drawn, sheet), *FRAME)
    return svg.picture(sheet, board, [_card(view, player, sheet) for player in drawn["players"]], _supply(drawn["supply"], sheet))


def _board(drawn: dict[str, Any], sheet: Sheet) -> str:
    out = [sheet.drawing("ground")]
    out += [svg.piece("te-cell-corner", place["x"], place["y"], CELL) for place in drawn["corners"]]
    for item in drawn["tiles"]:
        if "plate" in item:
            out.append(f'<path class="te-plate" d="{item["plate"]}"/>')
        out.append(_piece(item))
    out += [_piece(item) for item in drawn["leaders"]]
    for mark in drawn["marks"]:
        if mark["mark"] == "union":
            out.append(_piece(mark))
        else:
            out.append(f'<rect class="te-rival" x="{mark["x"]}" y="{mark["y"]}" width="{CELL}" height="{CELL}" rx="12"/>')
    out += [_realm(realm) for realm in drawn["outlines"]]
    out += [_strength(item) for item in drawn["strengths"]]
    return "".join(out)


def _piece(item: dict[str, Any]) -> str:
    return svg.piece(item["symbol"], item["x"], item["y"], item["size"])


def _realm(realm: dict[str, Any]) -> str:
    x, y = realm["x"] + 6, realm["y"] + 6
    return (
        f'<path class="te-realm__halo" d="{realm["path"]}"/><path class="te-realm__line" d="{realm["path"]}"/>'
        f'<circle class="te-realm__tag" cx="{x}" cy="{y}" r="15"/>'
        + svg.words(x, y + 7, str(realm["number"]), 20, fill="var(--art-white)", anchor="middle", is_bold=True)
    )


def _strength(item: dict[str, Any]) -> str:
    """Return the number at a leader: dark on light in a war, light on dark red in a revolt."""
    x, y = item["x"] + STRENGTH_AT[0], item["y"] + STRENGTH_AT[1]
    fill, edge = ("art-white", "art-red2") if item["is_revolt"] else ("art-ink", "art-white")
    around = svg.words(
        x,
        y,
        str(item["n"]),
        23,
        fill="none",
        anchor="middle",
        is_bold=True,
        more=f' stroke="var(--{edge})" stroke-width="12" stroke-linejoin="round"',
    )
    return around + svg.words(x, y, str(item["n"]), 23, fill=f"var(--{fill})", anchor="middle", is_bold=True)


def _supply(supply: dict[str, Any], sheet: Sheet) -> list[Item]:
    return [
        Item(str(supply["bag"]), "te-tile-down", sheet.count("tile", supply["bag"])),
        Item(str(supply["treasures"]), "te-treasure", sheet.count("treasure", supply["treasures"])),
        *[Item("", monument["symbol"], is_faded=not monument["is_left"]) for monument in supply["monuments"]],
    ]


def _card(view: View, player: dict[str, Any], sheet: Sheet) -> Card:
    seat = player["number"] - 1
    left = player["catastrophes"]["left"]
    court = [
        Item("", leader["symbol"], sheet.count(leader["role"], 1), is_faded=leader["square"] is not None) for leader in player["leaders"]
    ]
    court.append(Item(str(left), SYMBOLS["catastrophe"], sheet.count("catastrophe", left), is_faded=not left))
    if player["hand"]:
        hand = [
            Item(str(item["count"]), item["symbol"], sheet.count(item["kind"], item["count"]), is_faded=not item["count"])
            for item in player["hand"]
        ]
    else:
        hand = [Item(str(player["hand_count"]), "te-tile-down", sheet.count("tile", player["hand_count"]))]
    totals = player["totals"]
    points = (
        [
            Item(
                str(item["count"]),
                item["symbol"],
                sheet.count(item["colour"], item["count"]),
                is_strong=item["is_least"],
            )
            for item in totals["colours"]
        ]
        if totals
        else []
    )
    if totals and totals["treasures"]:
        points.append(Item(str(totals["treasures"]), "te-treasure", sheet.count("treasure", totals["treasures"])))
    score = "" if view.outcome is None else str(view.outcome.scores[seat])
    return Card(
        seat,
        [court + ([] if player["hand"] else hand), hand if player["hand"] else [], points],
        score,
        _note(player, sheet),
        player["is_due"],
    )


def _note(player: dict[str, Any], sheet: Sheet) -> str:
    return ", ".join(sheet.say(note) for note in player["notes"])
