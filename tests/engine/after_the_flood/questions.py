"""Positions of random games with all their questions, and questions in English, for the tests of the prompt."""

from __future__ import annotations

from collections.abc import Iterator

from games.after_the_flood.state import State
from games.core.contract import CHANCE, Ask, Option, Phrase
from games.core.rng import SeededRng
from tests.engine.after_the_flood.builders import ask, game
from voice import wording

NAMES = ["Anna", "Ben", "Cleo"]


def said(phrase: Phrase, lang: str = "en") -> str:
    """Return the sentence of a phrase."""
    return wording.fill(phrase.text, phrase.params, lang, names=NAMES, game="after_the_flood").replace("\N{NO-BREAK SPACE}", " ")


def told(asked: Ask) -> list[str]:
    """Return everything that a chosen action is said to do."""
    assert asked.action is not None
    assert asked.confirm is not None
    return [said(phrase) for phrase in (asked.consequence, *asked.also) if phrase is not None]


def option(asked: Ask, text: str) -> Option:
    """Return the option of a text."""
    (found,) = [option for option in asked.options if option.text == text]
    return found


def labels(asked: Ask) -> dict[str, str]:
    """Return the options with their labels in English."""
    return {option.text: said(option.label) for option in asked.options}


def whys(asked: Ask) -> dict[str, tuple[str, str | None]]:
    """Return the explanations: the answer and its paragraph by question."""
    return {said(question): (said(answer), answer.rule) for question, answer in asked.why_not}


def random_positions(seed: int, games: int, every: int = 1) -> Iterator[State]:
    """Yield positions of random games in which a seat is asked, one of `every`.

    Seats pass late and expand eagerly, so that there is much to ask about.
    """
    for number in range(games):
        rng = SeededRng(f"questions {seed} {number}")
        state = game.setup(3, {})
        at = 0
        while actors := game.actors(state):
            (actor,) = actors
            if actor == CHANCE:
                action = game.sample_chance(state, rng)
            else:
                action = game.sample_action(state, actor, rng)
                for _ in range(4):
                    if str(action) in ("pass", "done", "stop"):
                        action = game.sample_action(state, actor, rng)
                if actor >= 0:
                    at += 1
                    if at % every == 0:
                        yield state
            state, _ = game.apply(state, actor, action)


def walk(state: State) -> Iterator[Ask]:
    """Yield every question that can be reached in a position by choosing options."""
    waiting, seen = [""], {""}
    while waiting:
        asked = ask(state, waiting.pop())
        yield asked
        for entry in asked.options:
            if entry.text not in seen:
                seen.add(entry.text)
                waiting.append(entry.text)
