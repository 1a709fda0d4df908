"""What registry-wide tests need to know about Tigris & Euphrates (see `test_every_game` and `test_every_bot`)."""

from games.tigris_euphrates.components import SYMBOLS

SPRITE = set(SYMBOLS.values())

REASONS = {"apprentice": 5, "journeyman": 5, "scribe": 8, "master": 8}
THOUGHT = ("value", 500, 160)
GAIN = {"apprentice": 3, "journeyman": 2, "scribe": 2, "master": 0}
READINGS = 63
NAMES_EVERY_MODULE = True  # under "Files" of its README


def check_drawing(drawing, state, seat):
    """Compare a drawing with the position: pieces in their places, kingdoms disjoint."""
    pieces = [*drawing["tiles"], *drawing["leaders"]]
    assert {piece["symbol"] for piece in pieces} <= SPRITE
    on_board = sum(board.bit_count() for board in state.tiles) + state.catastrophes.bit_count() + len(state.built)
    assert len(drawing["tiles"]) == on_board + state.treasures.bit_count()
    assert len(drawing["leaders"]) == sum(square >= 0 for square in state.leaders)
    kingdoms = state.kingdoms
    numbered = {label: target["kingdom"] for label, target in drawing["targets"].items() if target.get("kingdom")}
    if state.union < 0:
        assert len(drawing["kingdoms"]) == len(kingdoms)
        assert len(numbered) == sum(kingdom.bit_count() for kingdom in kingdoms)
