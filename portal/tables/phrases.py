"""Sentences of the log that belong to the site and not to a game; `table.` keeps their keys apart from those of games."""

from __future__ import annotations

from games.core.phrases import N_

SITE_PHRASES = {
    "table.undone": N_("{seat:name} took the last action back."),
    "table.left": N_("{who} left the table; a bot plays on."),
}
