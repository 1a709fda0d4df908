"""What registry-wide tests need to know about After the Flood (see `test_every_game` and `test_every_bot`)."""

from games.after_the_flood import game
from games.after_the_flood.components import BOXES, OTHERS, SEATS, SYMBOLS

SPRITE = set(SYMBOLS.values())

REASONS = {"apprentice": 8, "journeyman": 8, "scribe": 8, "master": 8}
THOUGHT = ("value", 3000, 600)
GAIN = {"apprentice": 20, "journeyman": 25, "scribe": 3, "master": 0}
READINGS = 40


def check_drawing(drawing, state, seat):
    """Compare a drawing with the position: every piece drawn and named once, with existing pictures."""
    full = game.state_to_json(state)
    holders = {item["area"]: {held["number"] - 1: held for held in item["holders"]} for item in drawing["infos"]}
    for index in range(SEATS):
        told = {area: held[index] for area, held in holders.items() if index in held}
        drawn = drawing["pieces"][index]
        on_map = {place: count for place, count in full["workers"][index].items() if place in OTHERS}
        assert {area: item["workers"] for area, item in told.items() if item["workers"]} == on_map
        assert {it["area"]: it["count"] for it in drawn["workers"]} == on_map
        assert {area: item["armies"] for area, item in told.items() if item["armies"]} == full["armies"][index]
        assert {it["area"]: it["count"] for it in drawn["armies"]} == full["armies"][index]
        cities = {area: area in full["grown"] for area in full["cities"][index]}
        assert {area: item["is_grown"] for area, item in told.items() if item["has_city"]} == cities
        assert {it["area"]: it["is_grown"] for it in drawn["cities"]} == cities
        boxed = {box: count for box, count in full["workers"][index].items() if box in BOXES}
        shown = {}
        for table in drawing["boxes"]:
            line = table["rows"][index]
            shown |= {table["box"]: line["count"]} | ({table["used"]: line["used"]} if table["used"] else {})
        assert {box: count for box, count in shown.items() if count} == boxed
        player = drawing["players"][index]
        assert {item["good"]: item["count"] for item in player["goods"] if item["count"]} == full["goods"][index]
        assert {item["symbol"] for item in player["goods"]} <= SPRITE
    if not game.actors(state):
        assert [player["standing"]["majorities"] for player in drawing["players"]] == [0] * SEATS
