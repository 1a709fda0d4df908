"""Playing on from a position with texts, and looking at the result: the same for every game, shared by their builders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from games.core.contract import Ask, Event, Game, IllegalAction

REFUSED = "refused."


class Steps:
    """What the `builders` of a game provide. `aside` is a verb that is always allowed, which `legal` leaves out."""

    def __init__(self, game: Game, *, aside: str = "", names_all: bool = False) -> None:
        self.game, self.aside = game, aside
        self.cut = "" if names_all else REFUSED  # what is cut off in front of the reason of a refusal

    def due(self, state: Any) -> int:
        """Return the actor that is due, or the first of several in a game where several may be."""
        actors = self.game.actors(state)
        assert self.aside or len(actors) == 1
        return actors[0]

    def act(self, state: Any, text: str, actor: int | None = None) -> tuple[Any, list[Event]]:
        """Play one action for whoever is due (or for `actor`), and return the events too."""
        return self.game.apply(state, self.due(state) if actor is None else actor, self.game.parse_action(text))

    def play(self, state: Any, *texts: str) -> Any:
        """Play the actions, each for whoever is due."""
        for text in texts:
            state, _ = self.act(state, text)
        return state

    def told(self, state: Any, *texts: str) -> list[Event]:
        """Play the actions and return all that happened."""
        events: list[Event] = []
        for text in texts:
            state, more = self.act(state, text)
            events += more
        return events

    def legal(self, state: Any, verb: str = "") -> list[str]:
        """Return the texts of the legal actions of whoever is due, only those of `verb` if given."""
        texts = [str(action) for action in self.game.legal_actions(state, self.due(state))]
        return [text for text in texts if (text.split()[0] == verb if verb else text.split()[0] != self.aside)]

    def data_of(self, state: Any) -> dict[str, Any]:
        """Return the position as JSON values, for inspection."""
        return self.game.state_to_json(state)

    def ask(self, state: Any, chosen: str = "", seat: int | None = None) -> Ask | None:
        """Return the question to a seat, by default to whoever is due."""
        return self.game.ask(self.game.view_for(state, self.due(state) if seat is None else seat), chosen)

    def refusal(self, state: Any, text: str, actor: int | None = None) -> tuple[str, str | None]:
        """Return reason and paragraph of the refusal of an action, having checked that nothing changed."""
        before = self.data_of(state)
        with pytest.raises(IllegalAction) as refused:
            self.act(state, text, actor)
        assert self.data_of(state) == before
        assert refused.value.reason in self.game.phrases
        assert actor is not None or text not in self.legal(state)
        return refused.value.reason.removeprefix(self.cut), refused.value.rule

    @staticmethod
    def keys(events: Sequence[Event]) -> list[str]:
        """Return the keys of events."""
        return [event.key for event in events]
