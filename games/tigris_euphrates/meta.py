"""What is on the Tigris & Euphrates box."""

from __future__ import annotations

from typing import Final

from games.core.contract import Event, Meta, OptionSpec
from games.core.phrases import N_
from games.tigris_euphrates.components import SEATS

RULES_VERSION: Final = 1

POINTS: Final = frozenset({"tile_point", "tile_point_king", "revolt_won", "war_won", "monument_point"})


def scored_in(event: Event) -> str | None:
    """Return the colour in which an event gave points."""
    return f"round.{event.params['colour']}" if event.key in POINTS else None


META: Final = Meta(
    key="tigris_euphrates",
    title=N_("Tigris & Euphrates"),
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
            label=N_("Open scores"),
            help=N_(
                "Everyone can see every player's points and treasures during the game. Under the standard rules, they are hidden "
                "behind screens."
            ),
            rule="tigris_euphrates#hidden-5",
        ),
    ),
    rules_version=RULES_VERSION,
    automatic=frozenset({"treasure"}),
    bot_levels=("apprentice", "journeyman", "scribe", "master"),
    turn_marks=frozenset({"drew"}),
    scored_in=scored_in,
    conflicts=frozenset({"revolt_began", "war_began"}),
    sounds={"war_began": "war", "revolt_began": "war"},
    pictures={
        "drew": "te-tile-down",
        "swapped": "te-tile-down",
        "catastrophe_placed": "te-catastrophe",
        "catastrophe_covered": "te-catastrophe",
        "united": "te-union",
        "treasure_taken": "te-treasure",
    },
    theme=N_("Found kingdoms between two rivers, and win in the colour you are weakest in."),
    minutes=(60, 90),  # our estimate: the rule book does not say
    starts=N_("The player who starts is drawn by lot, and play goes clockwise."),
    bots_weigh=N_(
        "In Tigris & Euphrates, bots look after their weakest colour: the points that leaders and monuments should still bring, and the odds of every conflict."
    ),
    bots_lack=N_("They hardly plan further than their next turn, and your moves tell them nothing about the tiles in your hand."),
    weight="heavy",
)
