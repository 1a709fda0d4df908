"""The question for the seat that is due (after_the_flood#act-2)."""

from __future__ import annotations

from games.after_the_flood import legality
from games.after_the_flood.view import View, known_state
from games.core.contract import Ask, Option, Phrase


def ask(view: View, chosen: str = "") -> Ask | None:
    """Return the question for the viewing seat; None when it is not due."""
    if not view.is_due or view.seat is None:
        return None
    texts = [str(action) for action in legality.legal_actions(known_state(view), view.seat)]
    is_whole = chosen in texts
    return Ask(Phrase("?"), [Option(text, Phrase(text)) for text in texts], chosen if is_whole else "", chosen if is_whole else None)
