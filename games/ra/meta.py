"""What is on Ra's box."""

from __future__ import annotations

from typing import Final

from games.core.contract import Meta, OptionSpec, Phrase
from games.core.phrases import N_
from games.ra.components import SEATS

RULES_VERSION: Final = 1

META: Final = Meta(
    key="ra",
    title=N_("Ra"),
    designers=("Reiner Knizia",),
    publisher="alea / Ravensburger",
    edition="alea 1999, with the corrected English editions; two players as in the later Rio Grande edition",
    year=1999,
    seats=SEATS,
    options=(
        OptionSpec(
            key="open_fame",
            default=False,
            choices=(False, True),
            label=N_("Open fame"),
            help=N_("Everyone can see every player's fame during the game. Under the standard rules, fame tablets are face down."),
            rule="ra#hidden-1",
        ),
    ),
    rules_version=RULES_VERSION,
    bot_levels=("apprentice", "journeyman", "scribe", "master"),
    automatic=frozenset({"pass", "discard"}),
    quiet=frozenset({"draws"}),
    turn_marks=frozenset({"drew", "drew_ra", "called", "called_full", "called_empty", "used_gods"}),
    conflicts=frozenset({"won", "won_sun", "lost_tiles"}),
    clearings=frozenset({"epoch_ended_by_suns", "epoch_ended_by_ra"}),
    round_scores=frozenset({"fame_hidden", "fame_open"}),
    seats_note=Phrase(
        N_("Two players use the two-player variant of a later edition: different sets of suns and a shorter Ra track."), rule="ra#two-1"
    ),
    sounds={"bid": "bid", "called": "bid", "called_full": "bid", "called_empty": "bid", "passed": "bid"},
    pictures={
        "drew_ra": "ra-ra",
        "called": "ra-ra",
        "called_full": "ra-ra",
        "called_empty": "ra-ra",
        "bid": "ra-sun",
        "passed": "ra-sun-down",
        "won": "ra-sun",
        "won_sun": "ra-sun",
        "out": "ra-sun-down",
        "fame_hidden": "ra-fame-back",
        "fame_open": "ra-fame",
    },
    theme=N_("Bid with suns for pharaohs, monuments and the floods of the Nile, before Ra ends the epoch."),
    minutes=(45, 45),  # ra#overview-6
    starts=N_("Suns are dealt by lot. The player with the highest one starts, and play goes clockwise."),
    bots_weigh=N_(
        "In Ra, bots count the fame they can expect: what a lot adds to their own tiles, the odds of the next draw, and what each sun can still win."
    ),
    bots_lack=N_("They don't plan a whole epoch, and your bids tell them nothing about what you are after."),
    weight="light",
)
