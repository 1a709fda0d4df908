"""The question for the seat that is due (history_of_the_world#turn-2)."""

from __future__ import annotations

from games.core.contract import Ask, Option, Phrase
from games.history_of_the_world import legality
from games.history_of_the_world.view import View, known_state


def ask(view: View, chosen: str = "") -> Ask | None:
    """Return the question for the viewing seat; None when it is not due."""
    if not view.is_due or view.seat is None:
        return None
    texts = [str(action) for action in legality.legal_actions(known_state(view), view.seat)]
    is_whole = chosen in texts
    return Ask(Phrase("?"), [Option(text, Phrase(text)) for text in texts], chosen if is_whole else "", chosen if is_whole else None)
