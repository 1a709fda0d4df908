"""The sentences of After the Flood for events, refusals, points and ends, marked for translation. Fields: see `Phrase` in the contract."""

from __future__ import annotations

from typing import Final

PHRASES: Final[dict[str, str]] = {}
