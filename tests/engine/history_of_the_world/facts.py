"""What registry-wide tests need to know about History of the World (see `test_every_game` and `test_every_bot`)."""

import re
from pathlib import Path

from games.history_of_the_world import game
from games.history_of_the_world.components import PROVINCES, SYMBOLS

ART = Path(__file__).parents[3] / "static/art/history_of_the_world.svg"
SPRITE = set(re.findall(r'id="([\w-]+)"', ART.read_text(encoding="utf-8")))

REASONS = {"apprentice": 8, "journeyman": 8, "scribe": 8, "master": 8}
THOUGHT = ("region", 2500, 2500)  # sieges and retreats are evaluated whatever the budget
# The apprentice's mistakes are mostly in the draft, and the drafts of four epochs are over by then.
GAIN = {"apprentice": 10, "journeyman": -6, "scribe": 5, "master": -3}
READINGS = 44


def check_drawing(drawing, state, seat):
    """Compare a drawing with the position: every piece drawn and named once, with existing pictures."""
    full = game.state_to_json(state)
    drawn = {row["number"] - 1: {it["province"] for it in row["armies"]} for row in drawing["pieces"]["seats"]}
    assert drawn == {index: set(held) for index, held in enumerate(full["armies"])}
    told = {item["province"]: item for part in drawing["regions"] for item in part["provinces"]}
    assert set(told) == set(PROVINCES)
    holders = {name: item["holder"]["number"] - 1 for name, item in told.items() if item["holder"]}
    assert holders == {name: index for index, held in enumerate(full["armies"]) for name in held}
    for field, kind in (("capitals", "capital"), ("cities", "city"), ("monuments", "monument"), ("forts", "fort")):
        assert {it["province"] for it in drawing["pieces"]["built"] if it["kind"] == kind} == set(full[field])
        assert {name for name, item in told.items() if kind in [built["kind"] for built in item["built"]]} == set(full[field])
    assert set(SYMBOLS.values()) <= SPRITE
    if not game.actors(state):
        assert drawing["turn"] is None
