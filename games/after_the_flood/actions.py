"""The actions of After the Flood, one small step each. Their text form is canonical: `parse_action(str(action)) == action`.

Seats: pay grain · pay worker · pay army · pass · done
       build ur · relocate ur uruk
       place textile irrigation 2 · scribe available guti · scribe irrigation weaving
       trade amorites oil textile (get oil, give a textile) · tool
       found guti · recruit metal · equip gold · ready · home uruk · garrison 2
       invade umma · destroy umma · reinforce umma · refound · refound uruk · attack · stop
       bid gold · grow uruk tool oil (two wood and these luxuries)
CHANCE: order 2 0 1 · roll 3 4
SCORER: score
There are few possible actions, so each is one object, made once.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Final

from games.after_the_flood.components import (
    AREAS,
    EMPIRE_NAMES,
    GOODS,
    KINDS,
    LUXURIES,
    OTHERS,
    PLACES,
    PRICES,
    RECRUITS,
    SEATS,
    SOLD,
    SPOTS,
    SUMER,
    TARGETS,
    USED_SCRIBES,
    USED_TOOL_MAKERS,
    VALUES,
)
from games.core.contract import ActionFormatError

PAY_WORKER: Final = KINDS  # `what` of Pay, after the goods
PAY_ARMY: Final = KINDS + 1
PAYMENTS: Final = (*GOODS, "worker", "army")
NO_AREA: Final = -1
SPOT_NAMES: Final = (*PLACES, "available")


@dataclass(frozen=True, slots=True)
class Plain:
    """An action that is only a verb: pass, done, tool, ready, attack, stop, score."""

    verb: str

    def __str__(self) -> str:
        return self.verb


@dataclass(frozen=True, slots=True)
class Pay:
    """Pay for an action after somebody else has passed, with a good, an available worker or an available army (pass-3)."""

    what: int  # an index of PAYMENTS

    def __str__(self) -> str:
        return f"pay {PAYMENTS[self.what]}"


@dataclass(frozen=True, slots=True)
class Build:
    """Build a city in a Sumer area (build-1)."""

    area: int

    def __str__(self) -> str:
        return f"build {AREAS[self.area]}"


@dataclass(frozen=True, slots=True)
class Relocate:
    """Pick up one of four cities and build it elsewhere (build-3)."""

    source: int
    target: int

    def __str__(self) -> str:
        return f"relocate {AREAS[self.source]} {AREAS[self.target]}"


@dataclass(frozen=True, slots=True)
class Place:
    """Spend a good and place workers up to its value in one place (place-1)."""

    good: int
    place: int
    count: int

    def __str__(self) -> str:
        return f"place {GOODS[self.good]} {PLACES[self.place]} {self.count}"


@dataclass(frozen=True, slots=True)
class Scribe:
    """Use a scribe: place or move one worker (scribes-1)."""

    source: int  # a place, or AVAILABLE
    target: int

    def __str__(self) -> str:
        return f"scribe {SPOT_NAMES[self.source]} {SPOT_NAMES[self.target]}"


@dataclass(frozen=True, slots=True)
class Trade:
    """Exchange a good in an area outside Sumer (trade-1)."""

    place: int
    get: int
    give: int

    def __str__(self) -> str:
        return f"trade {PLACES[self.place]} {GOODS[self.get]} {GOODS[self.give]}"


@dataclass(frozen=True, slots=True)
class Found:
    """Found one of the turn's empires (found-1)."""

    empire: int  # an index of EMPIRE_NAMES

    def __str__(self) -> str:
        return f"found {EMPIRE_NAMES[self.empire]}"


@dataclass(frozen=True, slots=True)
class Recruit:
    """Spend a good for more armies (found-6)."""

    good: int

    def __str__(self) -> str:
        return f"recruit {GOODS[self.good]}"


@dataclass(frozen=True, slots=True)
class Equip:
    """Spend a good to equip your armies (equip-1)."""

    good: int

    def __str__(self) -> str:
        return f"equip {GOODS[self.good]}"


@dataclass(frozen=True, slots=True)
class Home:
    """Choose the home of a Sumer empire (found-4)."""

    area: int

    def __str__(self) -> str:
        return f"home {AREAS[self.area]}"


@dataclass(frozen=True, slots=True)
class Garrison:
    """Place one or two armies in the home (found-8)."""

    count: int

    def __str__(self) -> str:
        return f"garrison {self.count}"


@dataclass(frozen=True, slots=True)
class Invade:
    """Invade a neighbouring area (expand-2)."""

    area: int

    def __str__(self) -> str:
        return f"invade {AREAS[self.area]}"


@dataclass(frozen=True, slots=True)
class Destroy:
    """Destroy another player's city where you have an army (destroy-1)."""

    area: int

    def __str__(self) -> str:
        return f"destroy {AREAS[self.area]}"


@dataclass(frozen=True, slots=True)
class Reinforce:
    """Place a second army beside one of your own (expand-5)."""

    area: int

    def __str__(self) -> str:
        return f"reinforce {AREAS[self.area]}"


@dataclass(frozen=True, slots=True)
class Refound:
    """Bring back an empire that has no armies on the map, starting at its home (expand-8)."""

    area: int  # of a Sumer empire; else NO_AREA

    def __str__(self) -> str:
        return "refound" if self.area == NO_AREA else f"refound {AREAS[self.area]}"


@dataclass(frozen=True, slots=True)
class Bid:
    """Put a good in the passing box, as a bid for the order of play (pass-2)."""

    good: int

    def __str__(self) -> str:
        return f"bid {GOODS[self.good]}"


@dataclass(frozen=True, slots=True)
class Grow:
    """Grow a city with two wood and some luxuries (growth-1)."""

    area: int
    luxuries: tuple[int, ...]

    def __str__(self) -> str:
        return " ".join(["grow", AREAS[self.area], *[GOODS[good] for good in self.luxuries]])


@dataclass(frozen=True, slots=True)
class Order:
    """Chance: the first order of play (setup-1)."""

    seats: tuple[int, ...]

    def __str__(self) -> str:
        return "order " + " ".join(map(str, self.seats))


@dataclass(frozen=True, slots=True)
class Roll:
    """Chance: two dice (combat-1)."""

    dice: tuple[int, int]

    def __str__(self) -> str:
        return f"roll {self.dice[0]} {self.dice[1]}"


Action = (
    Plain
    | Pay
    | Build
    | Relocate
    | Place
    | Scribe
    | Trade
    | Found
    | Recruit
    | Equip
    | Home
    | Garrison
    | Invade
    | Destroy
    | Reinforce
    | Refound
    | Bid
    | Grow
    | Order
    | Roll
)

PASS: Final = Plain("pass")
DONE: Final = Plain("done")
MAKE_TOOL: Final = Plain("tool")
READY: Final = Plain("ready")
ATTACK: Final = Plain("attack")
STOP: Final = Plain("stop")
SCORE: Final = Plain("score")
PLAINS: Final = (PASS, DONE, MAKE_TOOL, READY, ATTACK, STOP, SCORE)

PAYS: Final = tuple(Pay(what) for what in range(len(PAYMENTS)))
BUILDS: Final = tuple(Build(area) for area in range(len(SUMER)))
RELOCATIONS: Final = tuple(tuple(Relocate(source, target) for target in range(len(SUMER))) for source in range(len(SUMER)))
PLACINGS: Final = tuple(  # [good][place][count - 1]
    tuple(tuple(Place(good, place, count) for count in range(1, VALUES[good] + 1)) for place in range(SPOTS)) for good in range(KINDS)
)
SCRIBE_MOVES: Final = tuple(tuple(Scribe(source, target) for target in range(SPOTS + 1)) for source in range(SPOTS + 1))
TRADES: Final = tuple({get: {give: Trade(place, get, give) for give in PRICES[get]} for get in SOLD[place]} for place in range(len(OTHERS)))
FOUNDS: Final = tuple(Found(empire) for empire in range(len(EMPIRE_NAMES)))
RECRUITINGS: Final = {good: Recruit(good) for good in RECRUITS}
EQUIPS: Final = tuple(Equip(good) for good in range(KINDS))
HOMES: Final = tuple(Home(area) for area in range(len(SUMER)))
GARRISONS: Final = (Garrison(1), Garrison(2))
INVASIONS: Final = tuple(Invade(area) for area in range(len(AREAS)))
DESTRUCTIONS: Final = tuple(Destroy(area) for area in range(len(SUMER)))
REINFORCEMENTS: Final = tuple(Reinforce(area) for area in range(len(AREAS)))
REFOUNDINGS: Final = tuple(Refound(area) for area in range(len(SUMER)))
REFOUND_HOME: Final = Refound(NO_AREA)
BIDS: Final = tuple(Bid(good) for good in range(KINDS))
LUXURY_SETS: Final = tuple(chosen for count in range(len(LUXURIES) + 1) for chosen in combinations(LUXURIES, count))
GROWTHS: Final = tuple({chosen: Grow(area, chosen) for chosen in LUXURY_SETS} for area in range(len(SUMER)))
ORDERS: Final = tuple(Order(seats) for seats in permutations(range(SEATS)))
ROLLS: Final = tuple(Roll((first, second)) for first in range(1, 7) for second in range(1, 7))


def _all_actions() -> dict[str, Action]:
    every: list[Action] = [*PLAINS, *PAYS, *BUILDS, *FOUNDS, *RECRUITINGS.values(), *EQUIPS, *HOMES, *GARRISONS, *INVASIONS]
    every += [*DESTRUCTIONS, *REINFORCEMENTS, *REFOUNDINGS, REFOUND_HOME, *BIDS, *ORDERS, *ROLLS]
    every += [move for row in RELOCATIONS for move in row if move.source != move.target]
    every += [placing for places in PLACINGS for place in TARGETS for placing in places[place]]
    every += [move for row in SCRIBE_MOVES for move in row if is_scribe_move(move.source, move.target)]
    every += [trade for goods in TRADES for gives in goods.values() for trade in gives.values()]
    every += [grow for sets in GROWTHS for grow in sets.values()]
    return {str(action): action for action in every}


def is_scribe_move(source: int, target: int) -> bool:
    """Return whether a scribe can ever move a worker this way: never onto a used side, no scribe back to the unused side (scribes-4)."""
    if source == target or target in (USED_SCRIBES, USED_TOOL_MAKERS):
        return False
    return not (source == USED_SCRIBES and target == PLACES.index("scribes"))


_ALL: Final = _all_actions()

_EXPECTED: Final = {  # verb -> (what is expected after it, paragraph)
    "pay": ("a good, worker or army", "pass-3"),
    "build": ("a Sumer area", "build-1"),
    "relocate": ("two different Sumer areas", "build-3"),
    "place": ("a good, a place outside Sumer and a number up to the value of the good", "place-1"),
    "scribe": ("from where and to where: two places, or one of them available", "scribes-1"),
    "trade": ("an area, a good that is sold there and a good that is taken for it", "trade-3"),
    "found": ("the name of an empire", "found-1"),
    "recruit": ("grain, metal or tool", "found-6"),
    "equip": ("a good", "equip-1"),
    "home": ("a Sumer area", "found-4"),
    "garrison": ("1 or 2", "found-8"),
    "invade": ("an area", "expand-2"),
    "destroy": ("a Sumer area", "destroy-1"),
    "reinforce": ("an area", "expand-5"),
    "refound": ("nothing, or the Sumer area for a Sumer empire", "expand-8"),
    "bid": ("a good", "pass-2"),
    "grow": ("a Sumer area and luxuries in the order tool, oil, gold, lapis", "growth-1"),
    "order": ("the three seats 0, 1, 2 in some order", "setup-1"),
    "roll": ("two dice from 1 to 6", "combat-1"),
}
_PLAIN_RULES: Final = {
    "pass": "pass-1",
    "done": "act-1",
    "tool": "tools-1",
    "ready": "found-7",
    "attack": "combat-4",
    "stop": "combat-4",
    "score": "points-1",
}


def parse_action(text: str) -> Action:
    """Return the action that the text names. Raises ActionFormatError. Only the canonical form is accepted: single spaces, lower case."""
    action = _ALL.get(text) if isinstance(text, str) else None
    if action is None:
        raise _format_error(text)
    return action


def _format_error(text: object) -> ActionFormatError:
    if not isinstance(text, str) or len(text) > 80:
        return ActionFormatError("an action of After the Flood is a short text", "after_the_flood#act-2")
    verb = text.split(" ")[0]
    if verb in _PLAIN_RULES:
        return ActionFormatError(f"expected nothing after {verb!r}", f"after_the_flood#{_PLAIN_RULES[verb]}")
    if verb in _EXPECTED:
        what, anchor = _EXPECTED[verb]
        return ActionFormatError(f"expected {what} after {verb!r}", f"after_the_flood#{anchor}")
    verbs = ", ".join(["pass", "build", "place", "trade", "found", "invade"])
    return ActionFormatError(f"expected an action such as {verbs}, found {verb[:20]!r}", "after_the_flood#act-2")
