"""What registry-wide tests need to know about Babel (see `test_every_game` and `test_every_bot`)."""

from games.babel import game
from games.babel.components import PEOPLES, SYMBOLS

SPRITE = set(SYMBOLS.values())

REASONS = {"apprentice": 6, "journeyman": 6, "scribe": 8, "master": 8}
THOUGHT = ("value", 8040, 40)
# The master wins some 65 % of whole games against scribes; what it gains in the last third of six of them is noise of that size.
GAIN = {"apprentice": 3, "journeyman": 3, "scribe": 1, "master": -3}
READINGS = 29


def check_drawing(drawing, state, seat):
    """Compare a drawing with the position: all cards drawn, with existing pictures."""
    view = game.view_for(state, seat)
    near = 0 if seat is None else seat
    for people, drawn in zip(PEOPLES, drawing["lands"], strict=True):
        for side, index in (("near", near), ("far", 1 - near)):
            assert tuple(card["people"] for card in drawn[side]["cards"]) == view.columns[index].get(people, ())
            assert tuple(drawn[side]["levels"]) == view.temples[index].get(people, ())
            assert {card["symbol"] for card in drawn[side]["cards"]} | {drawn[side]["symbol"]} <= SPRITE
    assert sum(stock["hand_count"] for stock in drawing["stocks"]) == sum(view.hand_counts)
    if seat is None:
        assert {name.partition("-")[0] for name in drawing["targets"]} == {"land"}
    if not game.actors(state):
        assert [row["goal"] for row in drawing["score"]["rows"]] == [None, None]
