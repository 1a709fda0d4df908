"""Sentences of the log that belong to the site and not to a game."""

from __future__ import annotations

from games.core.phrases import N_

SITE_PHRASES = {
    "undone": N_("{seat:name} took the last action back."),
    "left": N_("{who} left the table; a bot plays on."),
}
