"""Where pieces are on the drawn map, in the units of templates/games/history_of_the_world/ground.html. The drawing is our own."""

from __future__ import annotations

from typing import Final

from games.history_of_the_world.components import PROVINCES, ZONES, load

Point = tuple[int, int]

_MAP: Final = load("map")
SLOTS: Final[dict[str, dict[str, Point]]] = {  # province -> kind of piece -> its centre
    province: {kind: (x, y) for kind, (x, y) in _MAP["provinces"][province].items()} for province in PROVINCES
}
DISCS: Final[dict[str, Point]] = {zone: (x, y) for zone, (x, y) in ((zone, _MAP["zones"][zone]) for zone in ZONES)}
