"""The colours for colour-blind players keep pieces apart, for those who see red, green or blue badly too."""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path

import pytest
from django.conf import settings

from games.registry import GAMES
from voice import drawing

PALETTE = (Path(settings.BASE_DIR) / "static/css/palette.css").read_text()
# What meets on one board: the four kinds of tiles of Tigris & Euphrates, the five peoples of Babel.
TOGETHER = [("red", "blue", "green", "black"), ("red", "green", "blue", "gold", "purple")]
APART = 20  # hundredths of OKLab
# Machado, Oliveira and Fernandes 2009, severity 1, in linear RGB.
SIGHTS = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
LMS = ((0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566), (0.0883024619, 0.2817188376, 0.6299787005))
LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def times(matrix, vector):
    return [sum(weight * value for weight, value in zip(row, vector, strict=True)) for row in matrix]


def seen(colour: str, sight: str) -> list[float]:
    """Return a colour in OKLab (times 100) as somebody sees it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    light = [min(1.0, max(0.0, part)) for part in times(SIGHTS[sight], linear)]
    return [100 * part for part in times(LAB, [part ** (1 / 3) for part in times(LMS, light)])]


def nearest(palette: dict[str, str], sight: str) -> float:
    return min(
        math.dist(seen(palette[one], sight), seen(palette[other], sight))
        for together in TOGETHER
        for one, other in itertools.combinations(together, 2)
    )


def palette_of(selector: str) -> dict[str, str]:
    block = PALETTE.partition(selector)[2].partition("}")[0]
    return dict(re.findall(r"--art-(\w+): (#[0-9a-f]{6})", block))


@pytest.mark.parametrize("sight", SIGHTS)
def test_no_two_colours_of_a_game_are_alike(sight):
    assert nearest(palette_of(':root[data-colours="safe"] {'), sight) >= APART


def test_the_usual_colours_are_not_enough_for_everybody():
    """So the other set has a reason, and the measure finds faults."""
    assert nearest(palette_of(":root {"), "no red") < APART / 2


def test_pages_have_every_colour_that_the_symbols_name():
    """Symbols on a page have no colours of their own to fall back on."""
    art = Path(settings.BASE_DIR) / "static/art"
    defined = set(re.findall(r"(--art-\w+):", PALETTE.split("@media")[0]))
    for file in art.glob("*.svg"):
        drawn = "".join(drawing.sprite(f"art/{file.name}").values())
        named = set(re.findall(r"var\((--art-\w+)\)", drawn))
        assert named <= defined, file.name
        assert set(re.findall(r"var\((--art-\w+),", drawn)) <= {"--art-line", "--art-fine"}, file.name


@pytest.mark.parametrize("sprite", [entry.sprite for entry in GAMES.values()])
def test_every_game_has_bold_lines(sprite: str):
    drawn = drawing.sprite(sprite).values()
    assert sum("var(--art-line," in symbol for symbol in drawn) > len(drawn) / 2
    assert any("var(--art-fine," in symbol for symbol in drawn)
