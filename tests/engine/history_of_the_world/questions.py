"""Positions of random games with all their questions, and questions in English, for the tests of the words."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.contract import CHANCE, Ask, Option, Phrase
from games.core.rng import SeededRng
from games.history_of_the_world import game
from games.history_of_the_world.state import State
from voice import wording

NAMES = ["Anna", "Ben", "Cleo", "Dora", "Emil", "Fanni"]
KEY = "history_of_the_world"


def said(phrase: Phrase, lang: str = "en") -> str:
    """Return the sentence of a phrase."""
    return wording.fill(phrase.text, phrase.params, lang, names=NAMES, game=KEY).replace("\N{NO-BREAK SPACE}", " ")


def ask_of(state: State, seat: int, chosen: str = "") -> Ask:
    """Return the question of a seat that is due."""
    asked = game.ask(game.view_for(state, seat), chosen)
    assert asked is not None
    return asked


def told(asked: Ask) -> list[str]:
    """Return everything that a chosen action is said to do."""
    assert asked.action is not None
    assert asked.confirm is not None
    return [said(phrase) for phrase in (asked.consequence, *asked.also) if phrase is not None]


def labels(asked: Ask) -> dict[str, str]:
    """Return the options with their labels in English."""
    return {option.text: said(option.label) for option in asked.options}


def option(asked: Ask, text: str) -> Option:
    """Return the option of a text."""
    (found,) = [option for option in asked.options if option.text == text]
    return found


def whys(asked: Ask) -> dict[str, tuple[str, str | None]]:
    """Return the explanations: the answer and its paragraph by question."""
    return {said(question): (said(answer), answer.rule) for question, answer in asked.why_not}


def phrases_of(asked: Ask) -> list[Phrase]:
    """Return all sentences of a question."""
    found = [asked.title, asked.hint, asked.confirm, asked.consequence, *asked.also, *asked.closed.values(), asked.refusal]
    found += [phrase for pair in asked.why_not for phrase in pair]
    found += [phrase for entry in asked.options for phrase in (entry.label, entry.group)]
    return [phrase for phrase in found if phrase is not None]


def random_positions(seed: int, games: int, every: int = 1) -> Iterator[tuple[State, int]]:
    """Yield positions of random games with a seat that is asked, one of `every`; 3 to 6 seats and both drafts take turns.

    Standing orders are "ask" more often than not, so that rerolls are asked about.
    """
    for number in range(games):
        rng = SeededRng(f"questions {seed} {number}")
        state = game.setup(3 + number % 4, {"draft": ("standard", "classic")[number // 4 % 2]})
        state.guards = [3 if rng.below(3, "guard") else 0 for _ in range(state.seats)]
        at = 0
        while actors := game.actors(state):
            actor = actors[rng.below(len(actors), "actor")]
            if actor == CHANCE:
                action = game.sample_chance(state, rng)
            else:
                action = game.sample_action(state, actor, rng)
                if actor >= 0:
                    at += 1
                    if at % every == 0:
                        yield state, actor
            state, _ = game.apply(state, actor, action)


def walk(state: State, seat: int) -> Iterator[Ask]:
    """Yield every question that a seat can reach by choosing options."""
    waiting, seen = [""], {""}
    while waiting:
        asked = ask_of(state, seat, waiting.pop())
        yield asked
        for entry in asked.options:
            if entry.text not in seen:
                seen.add(entry.text)
                waiting.append(entry.text)
