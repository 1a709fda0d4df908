"""Log sentences of the site rather than of a game; the prefix `table.` keeps their keys apart from the games'."""

from __future__ import annotations

from games.core.phrases import N_

SITE_PHRASES = {
    "table.undone": N_("{seat:name} undid the last action."),
    "table.undone_all": N_("{seat:name} undid the last {n} actions."),
    "table.left": N_("{who} left the table, and a bot took over."),
    "table.timed_out": N_("{who} ran out of time. A bot plays until they come back."),
    "table.timed_out_for_good": N_("{who} ran out of time, and a bot took over."),
    "table.returned": N_("{seat:name} came back to the table."),
}
