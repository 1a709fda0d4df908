"""What is on the After the Flood box."""

from __future__ import annotations

from typing import Final

from games.core.contract import Meta, OptionSpec
from games.core.phrases import N_

RULES_VERSION: Final = 1

META: Final = Meta(
    key="after_the_flood",
    title=N_("After the Flood"),
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
            label=N_("Ur's textile"),
            help=N_("Whether a city in Ur always gives its textile, or only if its owner has a worker in Weaving."),
            rule="after_the_flood#collect-5",
        ),
        OptionSpec(
            key="tool_stock",
            default="limited",
            choices=("limited", "unlimited"),
            label=N_("Tool stock"),
            help=N_("Whether tool makers can only make tools while any of the twelve tool pieces are left."),
            rule="after_the_flood#tools-3",
        ),
    ),
    rules_version=RULES_VERSION,
    bot_levels=("apprentice", "journeyman", "scribe", "master"),
    quiet=frozenset({"ended_action", "went_on"}),
    leads=frozenset({"paid", "repeated"}),
    conflicts=frozenset({"attacked", "destroyed"}),
    round_scores=frozenset({"scored"}),
    sounds={"attacked": "war", "destroyed": "war", "bid": "bid"},
    pictures={
        "built": "af-city",
        "relocated": "af-city",
        "grew": "af-growth",
        "passed": "af-pass",
        "declined": "af-worker",
        "free_worker": "af-worker",
        "placed": "af-worker",
        "left_home": "af-worker",
        "founded": "af-empire",
        "came_back": "af-empire",
        "garrisoned": "af-army",
        "recruited": "af-army",
        "attacked": "af-army",
        "went_on": "af-army",
        "occupied": "af-army",
        "reinforced": "af-army",
        "hit": "zg-dice",
        "missed": "zg-dice",
        "destroyed": "af-city",
        "made_tool": "af-tools",
    },
    theme=N_("Trade your way from grain to lapis lazuli, and lead one short-lived empire after another."),
    minutes=(120, 180),  # our estimate: the rule book does not say
    starts=N_("The order of play in the first turn is drawn by lot."),
    bots_weigh=N_("In After the Flood, bots weigh trades, workers, cities and whole campaigns, with the exact odds of each battle."),
    bots_lack=N_("They find it hard to save up for something that pays only turns later."),
    weight="heavy",
)
