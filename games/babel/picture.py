"""A picture of a position of Babel: the five lands with columns and temples, the decks, and what both players have."""

from __future__ import annotations

from typing import Any, Final

from games.babel.components import PEOPLES
from games.babel.scene import scene
from games.babel.view import View
from games.core import svg
from games.core.svg import Board, Card, Item, Sheet

WIDTH: Final = 960
LAND: Final = WIDTH / len(PEOPLES)
CARD_WIDE, CARD_HIGH, STRIP = 84, 126, 33  # and what is seen of a card below another
COLUMN_X: Final = 46  # of the cards in a land
SITE: Final = 84  # height of a building site
PLATE: Final = 44
FEWEST: Final = 3  # cards for which a column has room, however short it is
COLOURS: Final = {
    "assyrians": "art-red",
    "hittites": "art-green",
    "medes": "art-blue",
    "sumerians": "art-gold",
    "persians": "art-purple",
}


def picture(view: View, sheet: Sheet) -> str:
    """Return the picture of what a view shows."""
    drawn = scene(view)
    above, below = (_room(drawn, side) for side in ("far", "near"))
    high = above + 2 * SITE + PLATE + below
    lands = "".join(_land(land, sheet, LAND * at, above, high) for at, land in enumerate(drawn["lands"]))
    markup = f'<rect width="{WIDTH}" height="{high}" fill="var(--art-panel)"/>{lands}'
    cards = [_card(view, drawn, player, sheet) for player in drawn["players"]]
    return svg.picture(sheet, Board(markup, 0, 0, WIDTH, high), cards, _decks(view, drawn["decks"], sheet))


def _room(drawn: dict[str, Any], side: str) -> int:
    longest: int = max(FEWEST, *(land[side]["count"] for land in drawn["lands"]))
    return CARD_HIGH + STRIP * (longest - 1) + 24


def _land(land: dict[str, Any], sheet: Sheet, x: float, above: int, high: int) -> str:
    """Return a land: the far column growing up from its site, the name, and the near column growing down from its own."""
    colour = COLOURS[land["people"]]
    middle = above + SITE
    name = sheet.noun(land["noun"])
    room = LAND - 62
    size = min(22.0, 22 * room / svg.width_of(name, 22, is_serif=True))
    return (
        f'<g transform="translate({svg.number(x)} 0)">'
        f'<rect x="4" y="4" width="{svg.number(LAND - 8)}" height="{high - 8}" rx="8" fill="var(--{colour})" fill-opacity=".16" '
        f'stroke="var(--{colour})" stroke-width="2"/>'
        + _column(land["far"], above, is_far=True)
        + _site(land["far"], above)
        + f'<rect x="6" y="{middle}" width="{svg.number(LAND - 12)}" height="{PLATE}" fill="var(--{colour})"/>'
        + f'<rect x="26" y="{middle + 5}" width="{svg.number(LAND - 38)}" height="{PLATE - 10}" rx="4" fill="var(--art-paper)" '
        + 'stroke="var(--art-ink)" stroke-width="2"/>'
        + f'<circle cx="29" cy="{middle + PLATE / 2}" r="19" fill="var(--art-paper)" stroke="var(--art-ink)" stroke-width="2"/>'
        + svg.piece(land["symbol"], 12, middle + PLATE / 2 - 17, 34)
        + svg.words(52, middle + PLATE / 2 + size * 0.33, name, size, fill="var(--art-ink)", is_bold=True, is_serif=True)
        + _site(land["near"], middle + PLATE)
        + _column(land["near"], middle + PLATE + SITE, is_far=False)
        + "</g>"
    )


def _site(side: dict[str, Any], y: float) -> str:
    """Return a building site: the pawn that is there, the temple, its height, and the levels that it has."""
    seat = side["number"] - 1
    pawn = svg.piece(side["pawn"], 10, y + 16, 50, seat=seat) if side["pawn"] else ""
    rungs = "".join(
        f'<rect class="ba-rung ba-rung--{rung["state"]}" x="{svg.number(LAND - 26)}" y="{svg.number(y + 16 + rung["y"] * 1.25)}" '
        'width="13" height="6"/>'
        for rung in side["rungs"]
    )
    height = svg.words(LAND - 42, y + 52, str(side["height"]), 30, fill="var(--art-text)", anchor="middle", is_bold=True, is_serif=True)
    return pawn + svg.piece(side["symbol"], 64, y + 6, 72) + height + rungs


def _column(side: dict[str, Any], y: float, *, is_far: bool) -> str:
    """Return the settlers of a side; the strip at the top of each card is seen, and the whole of the one in front."""
    cards = side["cards"]
    out = []
    for place in reversed(range(len(cards))) if is_far else range(len(cards)):
        top = y - CARD_HIGH - 8 - STRIP * place if is_far else y + 8 + STRIP * place
        out.append(svg.piece(cards[place]["symbol"], COLUMN_X, top, CARD_WIDE, CARD_HIGH))
    for place, card in enumerate(cards):
        run = card["run"]
        if run is None:
            continue
        first = y - CARD_HIGH - 8 - STRIP * (place + run["length"] - 1) if is_far else y + 8 + STRIP * place
        out.append(
            f'<path d="M{COLUMN_X - 5} {first + 3}h-9v{STRIP * run["length"] - 6}h9" fill="none" stroke="var(--art-text)" stroke-width="4"/>'
        )
        out.append(svg.piece(run["symbol"], COLUMN_X + CARD_WIDE + 6, first + STRIP * run["length"] / 2 - 24, 48))
    return "".join(out)


def _decks(view: View, decks: dict[str, Any], sheet: Sheet) -> list[Item]:
    return [
        Item(str(decks["temples"]), "ba-temple-back", f"{sheet.noun('temple_deck')}: {decks['temples']}"),
        *[Item("", card["symbol"], f"{card['level']}") for card in decks["known"]],
        Item(str(decks["people"]), "ba-card-back", f"{sheet.noun('people_deck')}: {decks['people']}", ratio=2 / 3),
        *([Item("", "ba-quarry", sheet.noun("quarry"))] if decks["in_quarry"] else []),
        *[Item("", pawn["symbol"], sheet.names[pawn["number"] - 1], seat=pawn["number"] - 1) for pawn in decks["in_quarry"]],
        Item(f"{svg.capital(sheet.noun('discard_pile'))}:", told=f"{sheet.noun('discard_pile')}: {decks['discarded']}"),
        *[Item(str(item["count"]), item["symbol"], is_faded=not item["count"]) for item in decks["discards"]],
    ]


def _card(view: View, drawn: dict[str, Any], player: dict[str, Any], sheet: Sheet) -> Card:
    seat = player["number"] - 1
    stock = next(stock for stock in drawn["stocks"] if stock["number"] == player["number"])
    count = view.hand_counts[seat]
    hand = [Item(str(count), "ba-card-back", f"{sheet.noun('hand')}: {count}", ratio=2 / 3)]
    rows = [hand + _stock(stock, sheet)]
    if player["hand"]:
        rows.append([Item(str(item["count"]), item["symbol"], ratio=2 / 3) for item in player["hand"]["held"] if item["count"]])
    heights = ", ".join(f"{sheet.noun(item['land'])} {item['height']}" for item in player["heights"] if item["height"])
    if heights:
        rows.append([Item(told=heights)])
    note = ", ".join(sheet.say(note) for note in player["notes"])
    return Card(seat, rows, str(view.scores[seat]), note, player["is_due"])


def _stock(stock: dict[str, Any], sheet: Sheet) -> list[Item]:
    """Return the temple cards in a stock: the playable one, and the levels below it from the top down."""
    if not stock["top"]:
        return []
    levels = [stock["top"], *stock["rest"]]
    told = f"{sheet.noun('stock')}: {', '.join(map(str, levels))}"
    return [Item(" ".join(map(str, stock["rest"])), stock["symbol"], told)]
