"""How often each empire of History of the World passes over each province, counted in bots' games."""

from __future__ import annotations

from typing import Final

from games.history_of_the_world.components import EMPIRES, PROVINCE_OF, load

_COUNTED: Final = load("passages")

# by empire: provinces, and how often it removes another player's army there
PASSAGES: Final = tuple(tuple((PROVINCE_OF[name], share / 100) for name, share in _COUNTED[realm.name].items()) for realm in EMPIRES)
