"""A picture of a position of History of the World: the map with its pieces, the empires of the epoch, and what the players have."""

from __future__ import annotations

import re
from typing import Any, Final

from games.core import svg
from games.core.svg import Board, Card, Item, Sheet
from games.history_of_the_world.scene import scene
from games.history_of_the_world.view import View

FRAME: Final = (90, 6, 1466, 824)
DISC: Final = 34
ICON: Final = 17  # of a sign on the map
REGION_SIZE: Final = 25
_BOX: Final = re.compile(
    r'<foreignObject class="([^"]*)" x="([\d.-]+)" y="([\d.-]+)" width="([\d.]+)" height="([\d.]+)">(.*?)</foreignObject>', re.DOTALL
)
_ICON: Final = re.compile(r'class="hw-sign hw-sign--icon"[^>]*><use href="#([a-z-]+)"')
_WORDS: Final = re.compile(r"<p>([^<]*)</p>")


def picture(view: View, sheet: Sheet) -> str:
    """Return the picture of what a view shows."""
    drawn = scene(view)
    names = sheet.drawing("names")
    markup = sheet.drawing("ground") + _icons(names) + _battlefield(drawn["fight"]) + _pieces(drawn, sheet) + _regions(names)
    cards = [_card(view, player, sheet) for player in drawn["players"]]
    return svg.picture(sheet, Board(markup, *FRAME), cards, [*_order(drawn["order"], sheet), *_fight(drawn["fight"], sheet)])


def _icons(names: str) -> str:
    """Return the icons of the provinces, where the page has them: in the middle of a name's box, or at the end that is nearer to the place."""
    out = []
    for classes, *corner, inner in _BOX.findall(names):
        found = _ICON.findall(inner)
        x, y, wide, high = map(float, corner)
        top = y + high - ICON if "hw-name--over" in classes else y if "hw-name--under" in classes else y + (high - ICON) / 2
        for at, symbol in enumerate(found):
            out.append(svg.piece(symbol, x + wide / 2 + ICON * (at - len(found) / 2), top, ICON))
    return "".join(out)


def _regions(names: str) -> str:
    """Return the names of the regions; a place of two words may take two lines."""
    out = []
    for classes, *corner, inner in _BOX.findall(names):
        match = _WORDS.search(inner)
        if classes != "hw-region-name" or match is None:
            continue
        x, y, wide, high = map(float, corner)
        lines = _wrapped(match[1].strip(), wide)
        for at, line in enumerate(lines):
            base = y + high / 2 + REGION_SIZE * (at - (len(lines) - 1) / 2 + 0.35)
            edge = ' stroke="var(--surface)" stroke-width="5" stroke-linejoin="round" opacity=".8"'
            out.append(
                svg.words(x + wide / 2, base, line, REGION_SIZE, fill="none", anchor="middle", is_bold=True, is_serif=True, more=edge)
            )
            out.append(svg.words(x + wide / 2, base, line, REGION_SIZE, anchor="middle", is_bold=True, is_serif=True))
    return "".join(out)


def _wrapped(text: str, room: float) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and svg.width_of(longer, REGION_SIZE, is_serif=True) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _battlefield(fight: dict[str, Any] | None) -> str:
    if fight is None:
        return ""
    return f'<g fill="none" stroke="var(--bad)" stroke-width="6" stroke-linejoin="round"><use href="#shape-{fight["number"]}"/></g>'


def _pieces(drawn: dict[str, Any], sheet: Sheet) -> str:
    out = [f'<use href="#hw-shape-{it["kind"]}" x="{it["x"]}" y="{it["y"]}"/>' for it in drawn["built"]]
    for row in drawn["pieces"]["seats"]:
        out += [_army(it, row["number"], sheet, is_standing=it["is_standing"]) for it in row["armies"]]
    fight = drawn["fight"]
    if fight is not None:
        out.append(_army(fight, fight["sides"][0]["number"], sheet, is_standing=True))
    out += [svg.piece(it["symbol"], it["x"] - DISC / 2, it["y"] - DISC / 2, DISC) for it in drawn["discs"]]
    return "".join(out)


def _army(it: dict[str, Any], number: int, sheet: Sheet, *, is_standing: bool) -> str:
    look = sheet.look("hw-army" if is_standing else "hw-army hw-army--fallen", number - 1)
    return f'<use{look} href="#hw-shape-{number}" x="{it["x"]}" y="{it["y"]}"/>'


def _order(order: dict[str, Any], sheet: Sheet) -> list[Item]:
    """Return the epoch and its empires in order, those that have been called with their owners."""
    if not order["noun"]:
        return []
    items = [Item(f"{sheet.noun(order['noun'])}:", told=sheet.noun(order["noun"]), is_strong=True)]
    for it in order["items"]:
        owner = None if it["owner"] is None else it["owner"]["number"] - 1
        name = sheet.noun(it["empire"])
        told = name if owner is None else f"{name}: {sheet.names[owner]}"
        items.append(
            Item(f"{it['order']} {name}", told=told, mark=owner, is_strong=it["is_now"], is_faded=it["is_called"] and owner is None)
        )
    return items


def _fight(fight: dict[str, Any] | None, sheet: Sheet) -> list[Item]:
    if fight is None:
        return []
    place = f"{svg.capital(sheet.noun('battle'))}: {sheet.noun(fight['province'])}"
    items = [Item(place, told=place, is_strong=True)]
    for side in fight["sides"]:
        seat = side["number"] - 1
        dice = side["dice"]
        items.append(Item(told=f"{sheet.names[seat]}: {', '.join(map(str, dice))}", mark=seat))
        items += [Item(symbol=f"hw-die-{die}", seat=seat) for die in dice]
    return items


def _card(view: View, player: dict[str, Any], sheet: Sheet) -> Card:
    seat = player["number"] - 1
    cards, supply = player["cards"], player["supply"]
    row = [Item(str(supply["armies"]), supply["symbol"], sheet.count("army", supply["armies"]), seat)]
    events = "–".join(cards["numerals"])
    if events:
        row.append(Item(events.replace("–", " "), "hw-event-improvement", ", ".join(sheet.noun(epoch) for epoch in cards["epochs"])))
    empire = [Item(sheet.noun(cards["empire"]), told=sheet.noun(cards["empire"]))] if cards["empire"] else []
    notes = [sheet.say(note) for note in player["notes"][1:]]  # the first one says the points
    score = str(view.scores[seat] if view.outcome is None else view.outcome.scores[seat])
    return Card(seat, [empire, row], score, ", ".join(notes), player["is_due"])
