"""The box of After the Flood."""

from __future__ import annotations

from typing import Final

from games.core.contract import Meta, OptionSpec
from games.core.phrases import N_

RULES_VERSION: Final = 1

META: Final = Meta(
    key="after_the_flood",
    title="After the Flood",
    designers=("Martin Wallace",),
    publisher="Warfrog (Treefrog Line)",
    edition="Warfrog 2008, after a Hungarian rule book",
    year=2008,
    seats=(3,),
    options=(
        OptionSpec(
            key="ur_textile",
            default="always",
            choices=("always", "weaver"),
            label=N_("Textile of Ur"),
            help=N_("Whether a city in Ur brings its textile always, or only to who has a worker in Weaving."),
            rule="after_the_flood#collect-5",
        ),
        OptionSpec(
            key="tool_stock",
            default="limited",
            choices=("limited", "unlimited"),
            label=N_("Stock of tools"),
            help=N_("Whether tool makers can make a tool only while one of the twelve pieces is left."),
            rule="after_the_flood#tools-3",
        ),
    ),
    stage="beta",
    rules_version=RULES_VERSION,
    quiet=frozenset({"ended_action", "went_on"}),
)
