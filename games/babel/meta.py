"""What is on Babel's box."""

from __future__ import annotations

from typing import Final

from games.babel.components import SEATS, START_HANDS
from games.core.contract import Event, Meta, OptionSpec
from games.core.phrases import N_

RULES_VERSION: Final = 1

LEVELS: Final = frozenset({"built", "built_from_other", "skipped", "skipped_from_other", "stole"})


def scored_in(event: Event) -> str | None:
    """Return the land in which an event raised a temple."""
    return f"score.{event.params['land'].removeprefix('land_')}" if event.key in LEVELS else None


META: Final = Meta(
    key="babel",
    title=N_("Babel"),
    designers=("Uwe Rosenberg", "Hagen Dorgathen"),
    publisher="Kosmos",
    edition="Kosmos 2000, after a Russian rule book",
    year=2000,
    seats=SEATS,
    options=(
        OptionSpec(
            key="start_hands",
            default="5/5",
            choices=tuple(START_HANDS),
            label=N_("Starting cards"),
            help=N_("Cards for the starting player/the other player. A later edition uses 3/5."),
            rule="babel#setup-4",
        ),
    ),
    rules_version=RULES_VERSION,
    bot_levels=("apprentice", "journeyman", "scribe", "master"),
    turn_starts=frozenset({"drew", "drew_nothing"}),
    turn_marks=frozenset({"drew", "drew_nothing"}),
    scored_in=scored_in,
    conflicts=frozenset({"destroyed", "stole", "expelled", "switched", "halved"}),
    sounds={"destroyed": "war", "stole": "war", "switched": "war", "expelled": "war"},
    pictures={
        "drew": "ba-card-back",
        "built": "ba-temple-{n}",
        "built_from_other": "ba-temple-{n}",
        "destroyed": "ba-power-destroy",
        "stole": "ba-power-steal",
        "expelled": "ba-power-expel",
        "switched": "ba-power-switch",
        "skipped": "ba-power-skip",
        "skipped_from_other": "ba-power-skip",
        "halved": "ba-power-halve",
        "revealed": "ba-temple-back",
    },
    theme=N_("Lead five peoples from land to land, and build your temples higher than your rival's."),
    minutes=(30, 60),  # babel#overview-5
    starts=N_("The player who starts is drawn by lot."),
    bots_weigh=N_(
        "In Babel, bots plan their own turn to its end: cards, moves, buildings and powers, and what a strong answer would cost them."
    ),
    bots_lack=N_("They know the odds of what you may hold, but your moves tell them nothing about it."),
    weight="light",
)
