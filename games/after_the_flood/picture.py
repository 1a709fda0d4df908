"""A picture of a position of After the Flood: the map with its pieces, the stock, and what the three players have."""

from __future__ import annotations

from typing import Any, Final

from games.after_the_flood.components import RATINGS, SYMBOLS, TURNS
from games.after_the_flood.scene import scene
from games.after_the_flood.view import View
from games.core import svg
from games.core.svg import Board, Card, Item, Sheet

FRAME: Final = (85, 5, 1110, 888)
HOUSE: Final = "M-28 22v-16h9v-14h9v-14h20v14h9v14h9v16z"
ROOF: Final = "M-19 6v-14h9v-14h20v14h9v14z"
SHIELD: Final = "M-19-22h38v20c0 13-8 20-19 26-11-6-19-13-19-26z"
PEOPLE: Final = ('<circle{look} r="19"/>', '<path{look} d="M-4-22h8l19 40h-46z"/>', '<path{look} d="M-18-18h36v36h-36z"/>')  # by seat
NUMBER_Y: Final = (11, 15, 11)


def picture(view: View, sheet: Sheet) -> str:
    """Return the picture of what a view shows."""
    drawn = scene(view)
    markup = (
        f'<rect class="af-land" x="{FRAME[0]}" y="{FRAME[1]}" width="{FRAME[2]}" height="{FRAME[3]}"/>'
        + sheet.drawing("ground")
        + sheet.drawing("names")
        + "".join(_pieces(row, sheet) for row in drawn["pieces"])
    )
    cards = [_card(view, drawn, player, sheet) for player in drawn["players"]]
    return svg.picture(sheet, Board(markup, *FRAME), cards, _stock(view, drawn["ledger"], sheet))


def _pieces(row: dict[str, Any], sheet: Sheet) -> str:
    seat = row["number"] - 1
    out = []
    for city in row["cities"]:
        grown = " af-roof--grown" if city["is_grown"] else ""
        mark = svg.piece(f"zg-seat-{seat + 1}", -11, 1, 22)
        out.append(_at(city, f'<path{sheet.look("af-house", seat)} d="{HOUSE}"/><path class="af-roof{grown}" d="{ROOF}"/>{mark}', seat))
    for army in row["armies"]:
        mark = svg.piece(f"zg-seat-{seat + 1}", 6, -30, 22, seat=seat)
        out.append(_at(army, f'<path{sheet.look("af-shield", seat)} d="{SHIELD}"/>{_number(army, 10, seat)}{mark}', seat))
    for worker in row["workers"]:
        shape = PEOPLE[seat].replace("{look}", sheet.look("af-people", seat))
        out.append(_at(worker, shape + _number(worker, NUMBER_Y[seat], seat), seat))
    return "".join(out)


def _at(place: dict[str, Any], markup: str, seat: int) -> str:
    return f'<g transform="translate({place["x"]} {place["y"]})" color="var(--seat-{seat + 1})">{markup}</g>'


def _number(item: dict[str, Any], y: float, seat: int) -> str:
    return svg.words(0, y, str(item["count"]), 29, fill=f"var(--seat-{seat + 1}-on)", anchor="middle", is_bold=True)


def _stock(view: View, ledger: dict[str, Any], sheet: Sheet) -> list[Item]:
    """Return the turn, the goods that are left in the stock, and the order of play in the turn."""
    turn = (
        [Item(f"{view.turn} / {TURNS}", "zg-hourglass", f"{sheet.noun('turn')} {view.turn} / {TURNS}", is_strong=True)] if view.turn else []
    )
    seats = [who["number"] - 1 for who in ledger["order"]]
    label = f"{svg.capital(sheet.noun('order_of_play'))}:"
    order = [Item(label, told=f"{label} {', '.join(sheet.names[seat] for seat in seats)}"), *(Item(mark=seat) for seat in seats)]
    left = [item for item in ledger["stock"] if not item["is_endless"]]
    stock = [Item(str(item["count"]), item["symbol"], sheet.count(item["good"], item["count"])) for item in left]
    return turn + stock + (order if seats else [])


def _card(view: View, drawn: dict[str, Any], player: dict[str, Any], sheet: Sheet) -> Card:
    seat = player["number"] - 1
    people, standing = player["people"], player["standing"]
    crew = [
        _counted("worker", people["available"], sheet, seat),
        _counted("army", people["armies"], sheet, seat),
    ]
    if standing["rating"]:
        letter = RATINGS[view.ranking.index(seat)].upper()
        crew.append(Item(f"{letter} {standing['equipment']}", told=f"{sheet.noun(standing['rating'])}: {standing['equipment']}"))
    empire = [Item(sheet.noun(standing["empire"]), SYMBOLS["empire"], sheet.noun(standing["empire"]), seat)] if standing["empire"] else []
    boxes = []
    for box in drawn["boxes"]:
        row = box["rows"][seat]
        text = str(row["count"]) + (f"+{row['used']}" if row["used"] else "")
        boxes.append(Item(text, box["symbol"], f"{sheet.noun(box['box'])}: {text}", is_faded=text == "0"))
    goods = [
        Item(str(item["count"]), item["symbol"], sheet.count(item["good"], item["count"])) for item in player["goods"] if item["count"]
    ]
    notes = [sheet.say(note) for note in player["notes"][:-1]]  # the last one says the points
    score = str(view.scores[seat] if view.outcome is None else view.outcome.scores[seat])
    return Card(seat, [empire, crew, boxes, goods], score, ", ".join(notes), player["is_due"])


def _counted(noun: str, count: int, sheet: Sheet, seat: int) -> Item:
    return Item(str(count), SYMBOLS[noun], sheet.count(noun, count), seat, is_faded=not count)
