"""Where pieces are on the drawn map: points of the areas, in the units of templates/games/after_the_flood/ground.html.

An area has a point for its row of workers (in Sumer: for its city) and one for its armies; if the two are the same, they share a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

Point = tuple[int, int]

ROWS: Final[dict[str, tuple[Point, Point]]] = {
    "sippar": ((372, 244), (372, 244)),
    "babylon": ((424, 350), (424, 350)),
    "nippur": ((624, 422), (624, 422)),
    "shuruppak": ((534, 538), (534, 538)),
    "umma": ((780, 538), (780, 538)),
    "uruk": ((640, 646), (640, 646)),
    "ur": ((800, 722), (800, 722)),
    "lagash": ((928, 630), (928, 630)),
    "eridu": ((966, 792), (966, 792)),
    "egypt": ((218, 428), (206, 478)),
    "amorites": ((242, 270), (242, 314)),
    "hittites": ((203, 134), (203, 134)),
    "mittani": ((322, 98), (494, 126)),
    "assyria": ((514, 236), (596, 200)),
    "kassites": ((656, 300), (688, 340)),
    "guti": ((834, 362), (830, 404)),
    "elam": ((1052, 546), (1072, 596)),
    "chaldea": ((708, 836), (708, 836)),
    "akkad": ((302, 544), (302, 582)),
    "isin": ((378, 664), (378, 698)),
    "larsa": ((530, 782), (530, 782)),
    "dilmun": ((1125, 836), (1125, 836)),
}
WORKER: Final = 42  # widths of pieces, including the space between them
ARMY: Final = 46
CITY: Final = 60


def row(middle: Point, widths: Sequence[int]) -> list[Point]:
    """Return the centres of pieces in a row around a point."""
    x = middle[0] - sum(widths) / 2
    points = []
    for width in widths:
        points.append((round(x + width / 2), middle[1]))
        x += width
    return points
