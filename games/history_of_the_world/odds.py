"""What a battle and a siege promise, for pages and bots alike, including rerolls (history_of_the_world#battle-1, #battle-6, #siege-1).

A defender's standing order is secret, so each side is assumed to reroll in the usual way: whenever it is losing, and the attacker
also on a tie (battle-7).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from typing import Final

from games.history_of_the_world import battles
from games.history_of_the_world.battles import ATTACK_DICE
from games.history_of_the_world.components import SIEGE_MOST
from games.history_of_the_world.state import State, effects

DIE: Final = range(1, 7)
Odds = tuple[Fraction, Fraction, Fraction]  # won, tied, lost by the attacker


@dataclass(frozen=True, slots=True)
class Siege:
    """What the battles for a province promise, by the pieces on the catapult: 0 to 3."""

    odds: tuple[tuple[float, float, float], ...]  # won, tied, lost
    armies: tuple[float, ...]  # armies needed on average to hold the province, without the attacking one
    pieces: tuple[float, ...]  # those of them that go on the catapult

    def taken(self, catapult: int, armies: int, tokens: int = 0) -> float:
        """Return the chance of holding the province with an army in battle, some on the card and some siege tokens."""
        won, tied, lost = self.odds[min(catapult, SIEGE_MOST)]
        chance = won + (tied if armies else 0.0)
        if tokens:
            return chance + lost * self.taken(catapult + 1, armies, tokens - 1)
        return chance + (lost * self.taken(catapult + 1, armies - 1, 0) if armies else 0.0)


@cache
def _settled(
    mine: tuple[int, ...], theirs: tuple[int, ...], edge: int, rerolls: tuple[int, int], turn: int, wins_ties: bool
) -> tuple[int, int, int]:
    """Return in how many of the 6 ** sum(rerolls) remaining outcomes the attacker wins, ties and loses.

    Each side's dice are sorted; the lower die comes first and is the one rerolled (battle-9). `turn` is the side that decides next.
    """
    lead = mine[-1] + edge - theirs[-1]
    is_won = lead > 0 or (lead == 0 and wins_ties)
    for side in (turn, 1 - turn):
        if not rerolls[side] or is_won == (side == 0):
            continue
        left = (rerolls[0] - (side == 0), rerolls[1] - (side == 1))
        won = tied = lost = 0
        for die in DIE:
            dice = (_again(mine, die), theirs) if side == 0 else (mine, _again(theirs, die))
            ways = _settled(*dice, edge, left, 1 - side, wins_ties)
            won, tied, lost = won + ways[0], tied + ways[1], lost + ways[2]
        return won, tied, lost
    ways_left: int = 6 ** sum(rerolls)
    return (ways_left, 0, 0) if is_won else (0, ways_left, 0) if lead == 0 else (0, 0, ways_left)


def _again(dice: tuple[int, ...], die: int) -> tuple[int, ...]:
    return tuple(sorted((die, *dice[1:])))


@lru_cache(maxsize=1024)
def battle(edge: int, dice: int, rerolls: tuple[int, int] = (0, 0), wins_ties: bool = False) -> Odds:
    """Return the odds of two dice with a bonus `edge` above the defender's, given the rerolls of attacker and defender.

    >>> battle(0, 1)
    (Fraction(125, 216), Fraction(1, 6), Fraction(55, 216))
    """
    won = tied = lost = 0
    for roll in product(DIE, repeat=ATTACK_DICE + dice):
        ways = _settled(tuple(sorted(roll[:ATTACK_DICE])), tuple(sorted(roll[ATTACK_DICE:])), edge, rerolls, 0, wins_ties)
        won, tied, lost = won + ways[0], tied + ways[1], lost + ways[2]
    every = 6 ** (ATTACK_DICE + dice + sum(rerolls))
    return Fraction(won, every), Fraction(tied, every), Fraction(lost, every)


def _fight(state: State) -> tuple[int, int, tuple[int, int], bool]:
    """Return what `battle` needs to know about the current battle."""
    edge = battles.attack_bonus(state) - battles.defence_bonus(state)
    return edge, battles.defence_dice(state), battles.rerolls(state), bool(effects(state, "win_ties"))


def battle_for(state: State) -> Odds:
    """Return the odds of the current battle, before the dice are rolled."""
    return battle(*_fight(state))


def reroll_for(state: State) -> Odds:
    """Return the odds if the side that is asked rerolls its lower die and nobody rerolls after that."""
    edge, _, _, wins_ties = _fight(state)
    mine, theirs = tuple(sorted(state.dice[:ATTACK_DICE])), tuple(sorted(state.dice[ATTACK_DICE:]))
    won = tied = lost = 0
    for die in DIE:
        dice = (_again(mine, die), theirs) if state.rerolling_attacker else (mine, _again(theirs, die))
        ways = _settled(*dice, edge, (0, 0), 0, wins_ties)
        won, tied, lost = won + ways[0], tied + ways[1], lost + ways[2]
    return Fraction(won, 6), Fraction(tied, 6), Fraction(lost, 6)


def percents(odds: Odds) -> tuple[int, int, int]:
    """Return odds in per cent that add up to 100; anything possible gets at least 1.

    >>> percents(battle(0, 1)), percents(battle(-1, 2)), percents(battle(4, 1))
    ((58, 17, 25), (22, 17, 61), (97, 2, 1))
    """
    shown = [0 if not chance else max(1, round(chance * 100)) for chance in odds]
    largest = max(range(3), key=lambda index: odds[index])
    shown[largest] += 100 - sum(shown)
    won, tied, lost = shown
    return won, tied, lost


def _floats(odds: Odds) -> tuple[float, float, float]:
    won, tied, lost = odds
    return float(won), float(tied), float(lost)


@lru_cache(maxsize=1024)
def siege(edge: int, extra: int, dice: int, rerolls: tuple[int, int], wins_ties: bool) -> Siege:
    """Return what the battles for a province promise; `extra` is what an ability adds to the siege bonus."""
    odds = tuple([_floats(battle(edge + at + (extra if at else 0), dice, rerolls, wins_ties)) for at in range(SIEGE_MOST + 1)])
    armies, pieces = [0.0] * (SIEGE_MOST + 1), [0.0] * (SIEGE_MOST + 1)
    for at in range(SIEGE_MOST, -1, -1):
        _, tied, lost = odds[at]
        if at == SIEGE_MOST:
            armies[at], pieces[at] = (tied + lost) / (1 - lost), lost / (1 - lost)
        else:
            armies[at] = tied + lost * (1 + armies[at + 1])
            pieces[at] = lost * (1 + pieces[at + 1])
    return Siege(odds, tuple(armies), tuple(pieces))


def siege_for(state: State, province: int, by_fleet: bool) -> Siege:
    """Return what the battles of the active seat for a province promise."""
    fight = state.copy()
    fight.target, fight.by_fleet, fight.catapult = province, by_fleet, 0
    extra: int = sum(params["bonus"] for params in effects(fight, "siege_bonus"))
    edge, dice, rerolls, wins_ties = _fight(fight)
    return siege(edge, extra, dice, rerolls, wins_ties)
