"""Log sentences of the site rather than of a game; the prefix `table.` keeps their keys apart from the games'."""

from __future__ import annotations

from games.core.phrases import N_

SITE_PHRASES = {
    "table.undone": N_("{seat:name} undid the last action."),
    "table.undone_all": N_("{seat:name} undid the last {n} actions."),
    "table.left": N_("{who} left the table, and a bot took over."),
}
