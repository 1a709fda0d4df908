"""The whole truth about a table of History of the World, stored compactly: masks of provinces and zones, tuples of cards (history_of_the_world#setup)."""

from __future__ import annotations

from typing import Any, Final

from games.core.compact import Compact, compact
from games.core.contract import NO_SEAT
from games.history_of_the_world.components import (
    ARMIES,
    CITY_PIECES,
    EMPIRES,
    EVENTS,
    FORTS,
    ICONS,
    MONUMENTS,
    Realm,
)

# Phases: what the table waits for. From DRAFT to COLLISION it waits for seats.
DRAFT: Final = 0  # the two seats that hold a pile choose (a seat with both, one after the other)
PASSING: Final = 1  # classic draft: keep the drawn card or give it to somebody
PREPARE: Final = 2  # before founding: a kingdom, improvements
BRINGING: Final = 3  # no army is left in the supply: which army moves to the start
STARTING: Final = 4  # one army for two starts: which start
CONQUEST: Final = 5
REROLLING: Final = 6  # `due` may reroll a die
SIEGE: Final = 7  # after a lost battle: siege or retreat
WON: Final = 8  # after a won battle: occupy, or continue the raid
RUINING: Final = 9  # after a won or tied battle: ruin or spare
POSTING: Final = 10  # after a conquest by fleet: a fort or not
EFFECT: Final = 11  # an improvement asks for provinces or a zone
AFTER: Final = 12  # forts and cities of an ability, improvements
MONUMENT: Final = 13  # where the next monument goes
FINISH: Final = 14  # improvements before scoring
COLLISION: Final = 15  # the score marker would share its space: up or down
ROLLING: Final = 16  # CHANCE rolls for a battle
REROLL: Final = 17  # CHANCE rerolls one die
START: Final = 18  # CHANCE orders the score markers
DEALING: Final = 19  # CHANCE picks the cards of the epoch
DRAWING: Final = 20  # CHANCE draws the top card (classic draft)
SCORING: Final = 21  # SCORER
END: Final = 22
PHASES: Final = (
    *("draft", "passing", "prepare", "bringing", "starting", "conquest", "rerolling", "siege", "won", "ruining", "posting", "effect"),
    *("after", "monument", "finish", "collision", "rolling", "reroll", "start", "dealing", "drawing", "scoring", "end"),
)

NO_RESULT: Final = 0
VICTORY: Final = 1
TIE: Final = 2

NO_CARD: Final = -1
NOWHERE: Final = -1

# Automatic abilities that can be declined: an army that stays on the map is missing from the supply, a monument may fall to others.
FORGOABLE: Final = ("win_ties", "monument_ratio", "extra_monument")

NOTHING_WAITS: Final = (0, 0, 0)

EVENT_PILE: Final = 1
EMPIRE_PILE: Final = 2

# The points of one turn: epoch, level in each region as a digit (0 nothing, 1 presence, 2 dominance, 3 control), capitals, cities, monuments,
# points for icons, points for ruins, points from collisions.
TurnRecord = tuple[int, str, int, int, int, int, int, int]


@compact()
class State(Compact):
    """One position. Changed in place only by the rules; everything else gets copies."""

    seats: int
    is_classic: bool  # option
    phase: int
    epoch: int  # 1..5; 0 before the first deal
    # draft
    ranks: tuple[int, ...]  # seats by points at the start of the epoch, most first: draft-6
    step: int  # how often the piles have moved
    step_done: int  # bits: 1 the holder of the event pile has chosen, 2 the holder of the empire pile
    looking: int  # the pile that a seat with both looks at: EVENT_PILE, EMPIRE_PILE, or 0 until it decides (draft-3)
    pile_empires: tuple[int, ...]  # cards still to be chosen, in data order
    pile_events: tuple[int, ...]
    chosen: int  # classic: the drawn card; else NO_CARD
    given: int  # classic draft: bits of seats whose event, and from bit 8 whose empire, came from somebody else: draft-8
    empires: list[int]  # of this epoch by seat, or NO_CARD
    hands: list[tuple[int, ...]]  # events by seat
    played: tuple[int, ...]  # events that have been played, in order
    guards: list[int]  # index of GUARDS by seat
    # the map
    armies: list[int]  # mask by seat
    active_armies: int  # mask, of the active seat
    capitals: int
    cities: int
    monuments: int
    forts: int
    # the turn
    called: int  # how many empires of the epoch's order have been called
    active: int  # the seat whose turn it is, or NO_SEAT
    kingdom: int  # the event whose kingdom acts now, or NO_CARD
    card_armies: int
    tokens: int
    zones: int  # mask of zones with a disc
    waiting: tuple[int, int, int]  # while a kingdom acts: armies, tokens and zones that improvements have already brought the empire
    turn_events: tuple[int, ...]  # improvements that last for this turn
    uses: list[int]  # how often an ability has been used this turn
    is_forgone: bool  # whether the active seat has switched off its empire's ability: abilities-8
    raid_base: int  # the province from which a raid continues, or NOWHERE
    forts_left: int  # forts that an ability still grants
    cities_left: int
    monuments_left: int
    effect_card: int  # the improvement that asks for something, or NO_CARD
    effect_left: int
    plunder: int  # points of this turn from ruins
    plunder_due: int  # those of them that the marker has not yet moved
    shift: int  # points from collisions this turn
    # the battle
    target: int  # province under attack, to be occupied or in question; else NOWHERE
    by_fleet: bool
    is_invading: bool  # an army of the active seat is on the target but does not hold it yet
    catapult: int  # pieces on the catapult or beyond it; the siege bonus is at most 3
    catapult_armies: int  # armies on the catapult
    dice: tuple[int, ...]
    result: int  # of the battle, while the question is whether to ruin: NO_RESULT, VICTORY, TIE
    attack_rerolls: int
    defence_rerolls: int
    passes: int
    rerolling_attacker: bool  # which side rerolls or is asked to
    due: int  # the seat that is asked if it is not the active one; NO_SEAT otherwise
    back: int  # the phase after an effect
    resume: int  # the phase after a collision
    scores: list[int]
    starts: tuple[int, ...]  # the markers' starting spaces, by seat
    records: list[tuple[TurnRecord, ...]]  # of the scored turns, by seat

    def __repr__(self) -> str:
        return f"<History of the World, epoch {self.epoch}, {PHASES[self.phase]}, active {self.active}>"


USES: Final = ("ties", "gains", "posts", "ruins")  # limited abilities, by index in `uses`
TIES, GAINS, POSTS, RUINS = range(len(USES))


def first_state(seats: int, is_classic: bool = False) -> State:
    """Return the position before chance orders the score markers (setup-1)."""
    state = State.__new__(State)
    state.seats = seats
    state.is_classic = is_classic
    state.phase = START
    state.epoch = 0
    state.ranks = tuple(range(seats))
    state.step = state.step_done = state.looking = 0
    state.pile_empires = state.pile_events = ()
    state.chosen = NO_CARD
    state.given = 0
    state.empires = [NO_CARD] * seats
    state.hands = [()] * seats
    state.played = ()
    state.guards = [0] * seats
    state.armies = [0] * seats
    state.capitals = state.cities = state.monuments = state.forts = 0
    state.called = 0
    state.scores = [0] * seats
    state.starts = (0,) * seats
    state.records = [()] * seats
    begin_turn_of(state, NO_SEAT)
    return state


def begin_turn_of(state: State, seat: int) -> None:
    """Reset what belonged to the last turn."""
    state.active = seat
    state.kingdom = NO_CARD
    state.shift = state.plunder = state.plunder_due = 0
    state.waiting = NOTHING_WAITS
    state.is_forgone = False
    state.turn_events = ()
    clear_realm(state)


def clear_realm(state: State) -> None:
    """Reset the armies, discs and battles of an empire or kingdom that has ended (deactivate-1)."""
    state.active_armies = 0
    state.card_armies = state.tokens = 0
    state.zones = 0
    state.uses = [0] * len(USES)
    state.raid_base = NOWHERE
    state.forts_left = state.cities_left = state.monuments_left = 0
    state.effect_card = NO_CARD
    state.effect_left = 0
    state.back = state.resume = PREPARE
    clear_battle(state)


def clear_battle(state: State) -> None:
    """Reset the battle."""
    state.target = NOWHERE
    state.by_fleet = state.is_invading = False
    state.catapult = state.catapult_armies = 0
    state.dice = ()
    state.result = NO_RESULT
    state.attack_rerolls = state.defence_rerolls = state.passes = 0
    state.rerolling_attacker = True
    state.due = NO_SEAT


def supply(state: State, seat: int) -> int:
    """Return a seat's armies that are neither on the map nor on its cards nor on the catapult (limits-2)."""
    count = ARMIES - state.armies[seat].bit_count()
    if seat == state.active:
        count -= state.card_armies + state.catapult_armies + state.is_invading + state.waiting[0]
    return count


def city_pieces(state: State) -> int:
    """Return the capitals and cities that are left (limits-1)."""
    return CITY_PIECES - (state.capitals | state.cities).bit_count()


def monument_pieces(state: State) -> int:
    """Return the monuments that are left."""
    return MONUMENTS - state.monuments.bit_count()


def fort_pieces(state: State) -> int:
    """Return the forts that are left."""
    return FORTS - state.forts.bit_count()


def owner_of(state: State, province: int) -> int:
    """Return the seat whose army is in a province, or NO_SEAT."""
    for seat in range(state.seats):
        if state.armies[seat] >> province & 1:
            return seat
    return NO_SEAT


def all_armies(state: State) -> int:
    """Return the mask of all provinces with an army."""
    mask = 0
    for armies in state.armies:
        mask |= armies
    return mask


def realm_of(state: State) -> Realm:
    """Return the empire or kingdom that acts."""
    if state.kingdom != NO_CARD:
        realm = EVENTS[state.kingdom].realm
        assert realm is not None
        return realm
    return EMPIRES[state.empires[state.active]]


def effects(state: State, name: str) -> list[dict[str, Any]]:
    """Return the parameters of the active empire's effects of a kind: its ability and this turn's improvements; none for kingdoms."""
    if state.kingdom != NO_CARD or state.empires[state.active] == NO_CARD:
        return []
    empire = EMPIRES[state.empires[state.active]]
    found = [empire.params] if empire.effect == name and not state.is_forgone else []
    return found + [EVENTS[event].params for event in state.turn_events if EVENTS[event].effect == name]


def can_forgo(state: State) -> bool:
    """Return whether the active empire has an automatic ability that its owner might not want (abilities-8)."""
    return state.kingdom == NO_CARD and EMPIRES[state.empires[state.active]].effect in FORGOABLE


def icons_in(mask: int) -> int:
    """Return the resource icons of some provinces."""
    return sum(ICONS[province] for province in provinces_in(mask))


class _Provinces(dict[int, tuple[int, ...]]):
    """The provinces of a mask, worked out once."""

    def __missing__(self, mask: int) -> tuple[int, ...]:
        if len(self) > 50_000:
            self.clear()
        found, rest = [], mask
        while rest:
            low = rest & -rest
            found.append(low.bit_length() - 1)
            rest ^= low
        self[mask] = tuple(found)
        return self[mask]


_PROVINCES: Final = _Provinces()


def provinces_in(mask: int) -> tuple[int, ...]:
    """Return the provinces of a mask in the order of PROVINCES."""
    return _PROVINCES[mask]
