"""History of the World (Steve Kendall, Phil Kendall, Gary Dicken): `game` satisfies `games.core.contract.Game` by plain functions."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Any, Final, cast

from games.core.contract import Choice, Game, Rng
from games.history_of_the_world import invariants, orders, position, prompt, rules, scoring, view
from games.history_of_the_world.actions import parse_action
from games.history_of_the_world.bot_phrases import BOT_PHRASES
from games.history_of_the_world.meta import META
from games.history_of_the_world.phrases import PHRASES


def scene(view_: view.View) -> Any:
    """Return what the board template draws."""
    return import_module("games.history_of_the_world.scene").scene(view_)


def choose_action(view_: view.View, level: str, rng: Rng, budget_s: float | None = None) -> Choice:
    """Return the action of a bot of a level, from what its seat may know."""
    choice: Choice = import_module("games.history_of_the_world.bot").choose_action(view_, level, rng, budget_s)
    return choice


game: Final[Game] = cast(
    Game,
    SimpleNamespace(
        meta=META,
        phrases=PHRASES | BOT_PHRASES,
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
        orders=orders.orders,
        order_stands=orders.order_stands,
        answer_by_order=orders.answer_by_order,
        choose_action=choose_action,
        check_invariants=invariants.check_invariants,
    ),
)
