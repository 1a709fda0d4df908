"""The box of Ra."""

from __future__ import annotations

from typing import Final

from games.core.contract import Meta, OptionSpec, Phrase
from games.core.phrases import N_
from games.ra.components import SEATS

RULES_VERSION: Final = 1

META: Final = Meta(
    key="ra",
    title="Ra",
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
            label=N_("Fame is open"),
            help=N_("Everybody sees the fame of all players during the game. By the rules the tablets lie face down."),
            rule="ra#hidden-1",
        ),
    ),
    stage="beta",
    rules_version=RULES_VERSION,
    automatic=frozenset({"pass", "discard"}),
    quiet=frozenset({"draws"}),
    seats_note=Phrase(N_("With two it is the variant of a later edition: other sets of suns, a shorter Ra track."), rule="ra#two-1"),
)
