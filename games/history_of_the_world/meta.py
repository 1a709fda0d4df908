"""What is on the History of the World box."""

from __future__ import annotations

from typing import Final

from games.core.contract import Meta, OptionSpec
from games.core.phrases import N_
from games.history_of_the_world.components import SEATS

RULES_VERSION: Final = 1

META: Final = Meta(
    key="history_of_the_world",
    title=N_("History of the World"),
    designers=("Steve Kendall", "Phil Kendall", "Gary Dicken"),
    publisher="Z-Man Games",
    edition="Z-Man Games 2018, after a Hungarian rule book; map and cards reconstructed",
    year=2018,
    seats=SEATS,
    options=(
        OptionSpec(
            key="draft",
            default="standard",
            choices=(N_("standard"), N_("classic")),
            label=N_("Card draft"),
            help=N_("Standard: look through the pile and take a card. Classic: draw a card, then keep it or give it to another player."),
            rule="history_of_the_world#draft-8",
        ),
    ),
    rules_version=RULES_VERSION,
    quiet=frozenset({"left_it", "rolls_again", "conquest_ended", "guard_set"}),
    leads=frozenset({"turn_began", "looked_at_events", "looked_at_empires"}),
    turn_marks=frozenset({"turn_began"}),
    conflicts=frozenset({"attacked", "attacked_by_fleet"}),
    round_scores=frozenset({"scored"}),
    sounds={"attacked": "war", "attacked_by_fleet": "war"},
    pictures={
        "kingdom_played": "hw-event-kingdom",
        "played": "hw-event-improvement",
        "kingdom_founded": "hw-army",
        "founded": "hw-army",
        "gained": "hw-army",
        "occupied": "hw-army",
        "removed": "hw-army-fallen",
        "replaced": "hw-army",
        "zone_added": "hw-fleet",
        "attacked": "hw-army",
        "attacked_by_fleet": "hw-fleet",
        "rolled": "zg-dice",
        "rolled_again": "zg-dice",
        "defender_rolled_again": "zg-dice",
        "won": "hw-army",
        "won_tie": "hw-army",
        "tied": "hw-army-fallen",
        "lost": "hw-army-fallen",
        "retreated": "hw-army-fallen",
        "besieged": "hw-siege",
        "raided": "hw-marauder",
        "plundered": "hw-ruin",
        "fort_built": "hw-fort",
        "city_built": "hw-city",
        "monument_built": "hw-monument",
    },
    theme=N_("Five epochs, forty empires: yours rises, conquers and falls before the next."),
    minutes=(120, 180),  # our estimate: the rule book does not say
    starts=N_("Markers start on 1, 2, 3 and so on, by lot. The player whose marker is on 1 is the first to choose an empire."),
    bots_weigh=N_(
        "In History of the World, bots plan each empire's campaign with exact odds for the dice, and choose empires by what the map offers them."
    ),
    bots_lack=N_("They hardly plan further than the empire they are playing."),
    weight="medium",
    bot_levels=("apprentice", "journeyman", "scribe", "master"),
)
