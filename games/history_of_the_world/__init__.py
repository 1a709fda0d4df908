"""History of the World (Steve Kendall, Phil Kendall, Gary Dicken): the functions that make `game`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from games.core.contract import Choice, Game, Rng
from games.core.forms import FORM_PHRASES
from games.history_of_the_world import invariants, position, prompt, rules, scoring, view
from games.history_of_the_world.actions import Action, parse_action
from games.history_of_the_world.bot_phrases import BOT_PHRASES
from games.history_of_the_world.meta import META
from games.history_of_the_world.phrases import PHRASES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.core.editing import Editing
    from games.core.grammar import ActionForm
    from games.core.learner import AnyLearner
    from games.core.sense import Sense
    from games.core.svg import Sheet
    from games.history_of_the_world.state import State


def scene(view_: view.View) -> dict[str, Any]:
    """Return what the board template draws."""
    from games.history_of_the_world.scene import scene as draw  # only pages need it

    return draw(view_)


def picture(view_: view.View, sheet: Sheet) -> str:
    """Return the picture of a position as SVG."""
    from games.history_of_the_world.picture import picture as draw  # only pictures need it

    return draw(view_, sheet)


def choose_action(view_: view.View, level: str, rng: Rng, budget_s: float | None = None) -> Choice[Action]:
    """Return the action of a bot of `level`, from what its seat may know."""
    from games.history_of_the_world.bot import choose_action as choose  # only bots and figures need it

    return choose(view_, level, rng, budget_s)


def editing() -> Editing:
    """Return how pieces are put on the board by hand."""
    from games.history_of_the_world.editing import EDITING  # only the editor of positions needs it

    return EDITING


def grammar() -> Sequence[ActionForm]:
    """Return the forms of the actions as text."""
    from games.history_of_the_world.grammar import FORMS  # only the descriptions for programs need it

    return FORMS


def starting_order(state: State) -> Sequence[int]:
    """Return the seats by where their markers start on the track, from 1: they choose the first empires in this order."""
    return sorted(range(state.seats), key=lambda seat: state.starts[seat])


def learner() -> AnyLearner:
    """Return what the master learns from."""
    from games.history_of_the_world.learner import LEARNER  # only training and the master need it

    return LEARNER


def sense() -> Sense:
    """Return what is counted in games of bots."""
    from games.history_of_the_world.sense import SENSE  # only the command needs it

    return SENSE


game: Final = Game(
    meta=META,
    phrases=FORM_PHRASES | PHRASES | BOT_PHRASES,
    setup=rules.setup,
    state_to_json=position.state_to_json,
    state_from_json=position.state_from_json,
    complete=position.complete,
    actors=rules.actors,
    legal_actions=rules.legal_actions,
    sample_action=rules.sample_action,
    sample_chance=rules.sample_chance,
    apply=rules.apply,
    outcome=scoring.outcome,
    playout_moves=rules.playout_moves,
    parse_action=parse_action,
    view_for=view.view_for,
    sample_state=view.sample_state,
    legal_for_view=view.legal_for_view,
    scene=scene,
    ask=prompt.ask,
    choose_action=choose_action,
    picture=picture,
    grammar=grammar,
    editing=editing,
    starting_order=starting_order,
    check_invariants=invariants.check_invariants,
    sense=sense,
    learner=learner,
)
