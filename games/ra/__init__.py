"""Ra (Reiner Knizia): `game` satisfies `games.core.contract.Game` by plain functions."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Any, Final, cast

from games.core.contract import Game
from games.ra import bot, invariants, orders, position, prompt, rules, scoring, view
from games.ra.actions import parse_action
from games.ra.meta import META
from games.ra.phrases import PHRASES
from games.ra.state import ENDINGS, SCORING, State


def scene(view_: view.View) -> Any:
    """Return what the board template draws."""
    return import_module("games.ra.scene").scene(view_)


def round_ending(state: State) -> str | None:
    """Return how the epoch that waits for its scoring ended: suns or ra_track."""
    return ENDINGS[state.ending] if state.phase == SCORING else None


game: Final[Game] = cast(
    Game,
    SimpleNamespace(
        meta=META,
        phrases=PHRASES,
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
        choose_action=bot.choose_action,
        check_invariants=invariants.check_invariants,
        round_ending=round_ending,
    ),
)
