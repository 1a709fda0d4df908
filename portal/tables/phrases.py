"""Log sentences of the site rather than of a game; the prefix `table.` keeps their keys apart from the games'."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.core.phrases import N_

if TYPE_CHECKING:
    from portal.accounts.models import User

SITE_PHRASES = {
    "table.undone": N_("{seat:name} undid the last action."),
    "table.undone_all": N_("{seat:name} undid the last {n} actions."),
    "table.left": N_("{who} left the table, and a bot took over."),
    "table.timed_out": N_("{who} ran out of time. A bot plays until they come back."),
    "table.timed_out_for_good": N_("{who} ran out of time, and a bot took over."),
    "table.returned": N_("{seat:name} came back to the table."),
    "table.asked.time": N_("{seat:name} asked for more time for {who}."),
    "table.asked.no_clocks": N_("{seat:name} asked to play on without clocks."),
    "table.asked.save": N_("{seat:name} asked to save the game for another day."),
    "table.asked.resume": N_("{seat:name} asked to let the clocks run again."),
    "table.asked.call_off": N_("{seat:name} asked to end the game without a result."),
    "table.asked.take_back": N_("{seat:name} asked to undo their last move."),
    "table.agreed.time": N_("All agreed: {who} got more time."),
    "table.agreed.no_clocks": N_("All agreed to play on without clocks."),
    "table.agreed.save": N_("All agreed to save the game for another day. The clocks stand still."),
    "table.agreed.resume": N_("All agreed to go on. The clocks run again."),
    "table.called_off": N_("All agreed to end the game without a result."),
    "table.taken_back": N_("All agreed: {seat:name}'s last move was undone."),
    "table.disagreed": N_("{seat:name} said no."),
    "table.withdrawn": N_("{seat:name} withdrew the question."),
}


def who(person: User) -> dict[str, Any]:
    """Return the values of a sentence that names somebody who may have left: the name as it is stored, and whether it is that of a bot account."""
    return {"who": person.username} | ({"is_bot": True} if person.is_bot else {})
