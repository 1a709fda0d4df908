"""After the Flood (Martin Wallace): the functions that make `game`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from games.after_the_flood import invariants, position, prompt, rules, scoring, view
from games.after_the_flood.actions import Action, parse_action
from games.after_the_flood.bot_phrases import BOT_PHRASES
from games.after_the_flood.meta import META
from games.after_the_flood.phrases import PHRASES
from games.core.contract import Choice, Game, Rng
from games.core.forms import FORM_PHRASES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.after_the_flood.state import State
    from games.core.editing import Editing
    from games.core.grammar import ActionForm
    from games.core.learner import AnyLearner
    from games.core.sense import Sense
    from games.core.svg import Sheet


def scene(view_: view.View) -> dict[str, Any]:
    """Return what the board template draws."""
    from games.after_the_flood.scene import scene as draw  # only pages need it

    return draw(view_)


def picture(view_: view.View, sheet: Sheet) -> str:
    """Return the picture of a position as SVG."""
    from games.after_the_flood.picture import picture as draw  # only pictures need it

    return draw(view_, sheet)


def choose_action(view_: view.View, level: str, rng: Rng, budget_s: float | None = None) -> Choice[Action]:
    """Return the action of a bot of `level`, from what its seat may know."""
    from games.after_the_flood.bot import choose_action as choose  # only bots and figures need it

    return choose(view_, level, rng, budget_s)


def starting_order(state: State) -> Sequence[int]:
    """Return the order of play of the first turn, as long as it lasts."""
    return state.order


def learner() -> AnyLearner:
    """Return how the value of a position is learned."""
    from games.after_the_flood.learner import LEARNER  # only training and the master need it

    return LEARNER


def editing() -> Editing:
    """Return how pieces are put on the board by hand."""
    from games.after_the_flood.editing import EDITING  # only the editor of positions needs it

    return EDITING


def grammar() -> Sequence[ActionForm]:
    """Return the forms of the actions as text."""
    from games.after_the_flood.grammar import FORMS  # only the descriptions for programs need it

    return FORMS


def sense() -> Sense:
    """Return what is counted in games of bots."""
    from games.after_the_flood.sense import SENSE  # only the command needs it

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
    learner=learner,
    starting_order=starting_order,
    check_invariants=invariants.check_invariants,
    sense=sense,
)
