"""The box of Tigris & Euphrates."""

from __future__ import annotations

from typing import Final

from games.core.contract import Meta, OptionSpec
from games.core.phrases import N_
from games.tigris_euphrates.components import SEATS

RULES_VERSION: Final = 1

META: Final = Meta(
    key="tigris_euphrates",
    title="Tigris & Euphrates",
    designers=("Reiner Knizia",),
    publisher="Hans im Glück",
    edition="Hans im Glück 1997, standard board",
    year=1997,
    seats=SEATS,
    options=(
        OptionSpec(
            key="open_totals",
            default=False,
            choices=(False, True),
            label=N_("Totals are open"),
            help=N_("Everybody sees the points and treasures of all players during the game. By the rules they lie behind screens."),
            rule="tigris_euphrates#hidden-5",
        ),
    ),
    stage="beta",
    rules_version=RULES_VERSION,
    automatic=frozenset({"treasure"}),
)
