"""What a battle and a siege promise, rerolls and standing orders included (history_of_the_world#battle-1, #battle-6, #siege-1)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import Final

from games.history_of_the_world import battles
from games.history_of_the_world.components import SIEGE_MOST
from games.history_of_the_world.state import State, effects

DIE: Final = range(1, 7)
Odds = tuple[float, float, float]  # won, tied, lost by the attacker


@dataclass(frozen=True, slots=True)
class Siege:
    """What the battles for a province promise, by the pieces on the catapult: 0 to 3."""

    odds: tuple[Odds, ...]
    armies: tuple[float, ...]  # armies that it takes on average to hold the province, the one that attacks left out
    pieces: tuple[float, ...]  # of them those that go onto the catapult

    def taken(self, catapult: int, armies: int, tokens: int = 0) -> float:
        """Return the chance to hold the province with an army in battle, some on the card and some siege tokens."""
        won, tied, lost = self.odds[min(catapult, SIEGE_MOST)]
        chance = won + (tied if armies else 0.0)
        if tokens:
            return chance + lost * self.taken(catapult + 1, armies, tokens - 1)
        return chance + (lost * self.taken(catapult + 1, armies - 1, 0) if armies else 0.0)


@cache
def _settled(mine: tuple[int, int], theirs: tuple[int, ...], edge: int, rerolls: tuple[int, int], turn: int, wins_ties: bool) -> Odds:
    """Return the odds once dice lie. Each side rolls its lower die again while it is behind; attackers also when it is a tie."""
    lead = mine[1] + edge - theirs[-1]
    is_won = lead > 0 or (lead == 0 and wins_ties)
    for side in (turn, 1 - turn):
        if not rerolls[side] or is_won == (side == 0):
            continue
        left = (rerolls[0] - (side == 0), rerolls[1] - (side == 1))
        total = [0.0, 0.0, 0.0]
        for die in DIE:
            if side == 0:
                high = max(die, mine[1])
                found = _settled((min(die, mine[1]), high), theirs, edge, left, 1, wins_ties)
            else:
                found = _settled(mine, tuple(sorted((die, *theirs[1:]))), edge, left, 0, wins_ties)
            for at in range(3):
                total[at] += found[at] / 6
        return (total[0], total[1], total[2])
    return (1.0, 0.0, 0.0) if is_won else (0.0, 1.0, 0.0) if lead == 0 else (0.0, 0.0, 1.0)


@lru_cache(maxsize=1024)
def battle(edge: int, dice: int, rerolls: tuple[int, int] = (0, 0), wins_ties: bool = False) -> Odds:
    """Return the odds of two dice with `edge` more than the defender's bonus, rerolls of attacker and defender left to roll.

    >>> [round(chance * 216) for chance in battle(0, 1)]
    [125, 36, 55]
    """
    total = [0.0, 0.0, 0.0]
    share = 1 / 6 ** (2 + dice)
    for roll in product(DIE, repeat=2 + dice):
        mine = (min(roll[:2]), max(roll[:2]))
        for at, chance in enumerate(_settled(mine, tuple(sorted(roll[2:])), edge, rerolls, 0, wins_ties)):
            total[at] += chance * share
    return (total[0], total[1], total[2])


@lru_cache(maxsize=1024)
def siege(edge: int, extra: int, dice: int, rerolls: tuple[int, int], wins_ties: bool) -> Siege:
    """Return what the battles for a province promise; `extra` is what an ability adds to the siege bonus."""
    odds = tuple([battle(edge + at + (extra if at else 0), dice, rerolls, wins_ties) for at in range(SIEGE_MOST + 1)])
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
    edge = battles.attack_bonus(fight) - battles.defence_bonus(fight)
    return siege(edge, extra, battles.defence_dice(fight), battles.rerolls(fight), bool(effects(fight, "win_ties")))
