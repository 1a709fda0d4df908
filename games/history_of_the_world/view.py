"""What a seat sees (history_of_the_world#hidden-1, #hidden-2): the map and the turn are open, cards not yet shown are not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from games.core.contract import NO_SEAT, Outcome, Rng
from games.history_of_the_world import battles, draft, legality, scoring
from games.history_of_the_world.actions import Action
from games.history_of_the_world.components import (
    EMPIRE_OF,
    EMPIRES,
    EMPIRES_BY_EPOCH,
    EVENT_OF,
    EVENTS,
    EVENTS_BY_EPOCH,
    GUARDS,
    PROVINCE_OF,
    PROVINCES,
    ZONE_OF,
)
from games.history_of_the_world.reach import zones_of
from games.history_of_the_world.scoring import Derivation
from games.history_of_the_world.state import (
    DRAFT,
    EMPIRE_PILE,
    EVENT_PILE,
    NO_CARD,
    NOWHERE,
    PHASES,
    State,
    TurnRecord,
    city_pieces,
    first_state,
    fort_pieces,
    monument_pieces,
    provinces_in,
    supply,
)

PHASE_OF: Final = {phase: at for at, phase in enumerate(PHASES)}


@dataclass(frozen=True, slots=True)
class Turn:
    """What is known about the current turn: all of it."""

    kingdom: str | None  # the event whose kingdom acts now
    waiting: tuple[int, int, int]  # while it does: armies, tokens and zones (a mask) that wait for the empire
    is_forgone: bool  # whether the empire's ability is switched off
    card_armies: int
    tokens: int
    zones: tuple[str, ...]  # with a disc
    events: tuple[str, ...]  # improvements that last for this turn
    uses: tuple[int, ...]  # of limited abilities
    raid_base: str | None
    forts_left: int
    cities_left: int
    monuments_left: int
    effect_card: str | None  # the improvement that asks for something
    effect_left: int
    plunder: int
    plunder_due: int
    shift: int
    back: str  # phases
    resume: str


@dataclass(frozen=True, slots=True)
class Battle:
    """What is known about the current battle: all of it."""

    target: str | None
    by_fleet: bool
    is_invading: bool
    catapult: int
    catapult_armies: int
    dice: tuple[int, ...]
    result: int
    attack_rerolls: int
    defence_rerolls: int
    passes: int
    rerolling_attacker: bool
    due: int | None  # the seat that is asked if it is not the active one


@dataclass(frozen=True, slots=True)
class View:
    """A position as one seat sees it (None: a spectator); tuples are indexed by seat."""

    seat: int | None
    seats: int
    is_classic: bool  # option
    phase: str
    epoch: int
    active: int | None
    due: tuple[int, ...]  # the seats that are asked
    ranks: tuple[int, ...]
    starts: tuple[int, ...]
    # the map
    armies: tuple[tuple[str, ...], ...]  # provinces
    active_armies: tuple[str, ...]
    capitals: tuple[str, ...]
    cities: tuple[str, ...]
    monuments: tuple[str, ...]
    forts: tuple[str, ...]
    turn: Turn
    battle: Battle
    # points and pieces
    scores: tuple[int, ...]
    supplies: tuple[int, ...]
    stock: Mapping[str, int]  # capitals and cities, monuments, forts left in the box
    # cards
    called: int  # how many empires of the epoch's order have been called
    played: tuple[str, ...]  # events
    step: int
    step_done: int
    pile_counts: tuple[int, int]  # events and empires still in the piles
    is_card_drawn: bool  # classic draft
    has_empire: tuple[bool, ...]
    empires: tuple[str | None, ...]  # those that have been called, and the viewer's own
    hand: tuple[str, ...]  # the viewer's own events, as far as it may know them
    hand_epochs: tuple[tuple[int, ...], ...]  # the epoch on the back of each event that a seat holds
    given: int  # classic draft: bits of seats whose cards came from somebody else
    pile: tuple[str, ...]  # the cards that the viewer looks at in the draft
    pile_kind: int  # EVENT_PILE, EMPIRE_PILE or 0
    looking: int  # what the seat with both piles looks at first; shown to that seat alone
    card: str | None  # classic: the card that the viewer has drawn
    guard: str | None  # the viewer's own standing order
    # points
    projected: tuple[int, ...]  # points that the current map would score in this epoch
    records: tuple[tuple[TurnRecord, ...], ...]
    strengths: tuple[int, int] | None  # of the battle, once dice are rolled
    derivations: tuple[Derivation, ...]
    outcome: Outcome | None

    @property
    def is_due(self) -> bool:
        """Whether the viewing seat is asked."""
        return self.seat is not None and self.seat in self.due


def is_called(state: State, seat: int) -> bool:
    """Return whether a seat's empire has been called, so that everybody knows it (draft-5)."""
    empire = state.empires[seat]
    return empire != NO_CARD and EMPIRES[empire].order <= state.called


def view_for(state: State, seat: int | None) -> View:
    """Return what `seat` may know of the position; None is a spectator."""
    all_seats = range(state.seats)
    is_over = scoring.outcome(state) is not None
    pile_kind = draft.pile_of(state, seat) if seat is not None and state.phase == DRAFT and seat in draft.drafters(state) else 0
    pile = [EVENTS[card].name for card in state.pile_events] if pile_kind == EVENT_PILE else []
    if pile_kind == EMPIRE_PILE:
        pile = [EMPIRES[card].name for card in state.pile_empires]
    is_drawer = seat is not None and state.chosen != NO_CARD and draft.classic_seat(state) == seat
    chosen = (EVENTS if state.step < state.seats else EMPIRES)[state.chosen].name if is_drawer else None
    counted = state.epoch > 0 and not is_over
    return View(
        seat=seat,
        seats=state.seats,
        is_classic=state.is_classic,
        phase=PHASES[state.phase],
        epoch=state.epoch,
        active=None if state.active == NO_SEAT else state.active,
        due=legality.due_seats(state),
        ranks=state.ranks,
        starts=state.starts,
        armies=tuple([_names(mask) for mask in state.armies]),
        active_armies=_names(state.active_armies),
        capitals=_names(state.capitals),
        cities=_names(state.cities),
        monuments=_names(state.monuments),
        forts=_names(state.forts),
        turn=_turn(state),
        battle=_battle(state),
        scores=tuple(state.scores),
        supplies=tuple([supply(state, s) for s in all_seats]),
        stock={"city": city_pieces(state), "monument": monument_pieces(state), "fort": fort_pieces(state)},
        called=state.called,
        played=tuple([EVENTS[card].name for card in state.played]),
        step=state.step,
        step_done=state.step_done,
        pile_counts=(len(state.pile_events), len(state.pile_empires)),
        is_card_drawn=state.chosen != NO_CARD,
        has_empire=tuple([empire != NO_CARD for empire in state.empires]),
        empires=tuple([_empire(state, s, seat) for s in all_seats]),
        hand=() if seat is None else tuple([EVENTS[card].name for card in state.hands[seat] if not _is_given(state, seat, card)]),
        hand_epochs=tuple([tuple(sorted(EVENTS[card].epoch for card in hand)) for hand in state.hands]),
        given=state.given,
        pile=tuple(pile),
        pile_kind=pile_kind,
        looking=state.looking if pile_kind else 0,
        card=chosen,
        guard=None if seat is None else GUARDS[state.guards[seat]],
        projected=tuple([scoring.points_of(scoring.record_of(state, s)) if counted else 0 for s in all_seats]),
        records=tuple(state.records),
        strengths=battles.strengths(state) if state.dice and state.target >= 0 and state.is_invading else None,
        derivations=tuple([scoring.derivation(state, s) for s in all_seats]),
        outcome=scoring.outcome(state),
    )


def _turn(state: State) -> Turn:
    return Turn(
        kingdom=None if state.kingdom == NO_CARD else EVENTS[state.kingdom].name,
        waiting=state.waiting,
        is_forgone=state.is_forgone,
        card_armies=state.card_armies,
        tokens=state.tokens,
        zones=tuple(zones_of(state.zones)),
        events=tuple([EVENTS[card].name for card in state.turn_events]),
        uses=tuple(state.uses),
        raid_base=None if state.raid_base == NOWHERE else PROVINCES[state.raid_base],
        forts_left=state.forts_left,
        cities_left=state.cities_left,
        monuments_left=state.monuments_left,
        effect_card=None if state.effect_card == NO_CARD else EVENTS[state.effect_card].name,
        effect_left=state.effect_left,
        plunder=state.plunder,
        plunder_due=state.plunder_due,
        shift=state.shift,
        back=PHASES[state.back],
        resume=PHASES[state.resume],
    )


def _battle(state: State) -> Battle:
    return Battle(
        target=None if state.target == NOWHERE else PROVINCES[state.target],
        by_fleet=state.by_fleet,
        is_invading=state.is_invading,
        catapult=state.catapult,
        catapult_armies=state.catapult_armies,
        dice=state.dice,
        result=state.result,
        attack_rerolls=state.attack_rerolls,
        defence_rerolls=state.defence_rerolls,
        passes=state.passes,
        rerolling_attacker=state.rerolling_attacker,
        due=None if state.due == NO_SEAT else state.due,
    )


def _is_given(state: State, seat: int, card: int) -> bool:
    """Return whether a seat was given an event it may not look at yet, because not everybody has one (draft-10)."""
    return bool(state.given >> seat & 1) and EVENTS[card].epoch == state.epoch and state.step < state.seats


def _empire(state: State, seat: int, viewer: int | None) -> str | None:
    empire = state.empires[seat]
    if empire == NO_CARD:
        return None
    is_own = seat == viewer and not state.given >> (8 + seat) & 1
    return EMPIRES[empire].name if is_own or is_called(state, seat) else None


class _First:
    """Takes the first of everything, for what the view leaves open and no question depends on."""

    def below(self, n: int, label: str) -> int:
        return 0


def known_state(view: View) -> State:
    """Return a state with everything that the view shows; the rest is filled with whatever fits."""
    return sample_state(view, _First())


def legal_for_view(view: View) -> list[Action]:
    """Return the legal actions of the viewing seat; [] if it is not due."""
    if not view.is_due or view.seat is None:
        return []
    return legality.legal_actions(known_state(view), view.seat)


def sample_state(view: View, rng: Rng) -> State:
    """Return a full state that `view_for` would show as `view`: unseen cards are dealt at random to hands and piles."""
    state = _open_state(view)
    free = _Pool([card for card in EMPIRES_BY_EPOCH[view.epoch] if not _is_known_empire(view, card)], rng)
    for seat, name in enumerate(view.empires):
        if view.has_empire[seat]:
            state.empires[seat] = free.take() if name is None else EMPIRE_OF[name]
    pools = {at: _Pool(_unseen_events(view, at), rng) for at in range(1, view.epoch + 1)}
    for seat in range(view.seats):
        known = [EVENT_OF[name] for name in view.hand] if seat == view.seat else []
        rest = list(view.hand_epochs[seat])
        for card in known:
            rest.remove(EVENTS[card].epoch)
        state.hands[seat] = tuple(sorted([*known, *[pools[at].take(at < view.epoch) for at in rest]]))
    if view.is_card_drawn:
        is_event = view.step < view.seats
        if view.card is not None:
            state.chosen = (EVENT_OF if is_event else EMPIRE_OF)[view.card]
        else:
            state.chosen = pools[view.epoch].take() if is_event else free.take()
    if view.pile_kind == EVENT_PILE:
        state.pile_events = tuple([EVENT_OF[name] for name in view.pile])
    else:
        state.pile_events = tuple(sorted([pools[view.epoch].take() for _ in range(view.pile_counts[0])]))
    if view.pile_kind == EMPIRE_PILE:
        state.pile_empires = tuple([EMPIRE_OF[name] for name in view.pile])
    else:
        state.pile_empires = tuple(sorted([free.take() for _ in range(view.pile_counts[1])]))
    if view.seat is not None and view.guard is not None:
        state.guards[view.seat] = GUARDS.index(view.guard)
    return state


def _open_state(view: View) -> State:
    """Return a state with everything open in `view`, without cards in hands and piles."""
    state = first_state(view.seats, view.is_classic)
    state.phase = PHASE_OF[view.phase]
    state.epoch = view.epoch
    state.active = NO_SEAT if view.active is None else view.active
    state.ranks = view.ranks
    state.starts = view.starts
    state.armies = [_mask(armies) for armies in view.armies]
    state.active_armies = _mask(view.active_armies)
    state.capitals = _mask(view.capitals)
    state.cities = _mask(view.cities)
    state.monuments = _mask(view.monuments)
    state.forts = _mask(view.forts)
    state.scores = list(view.scores)
    state.called = view.called
    state.played = tuple([EVENT_OF[name] for name in view.played])
    state.step, state.step_done = view.step, view.step_done
    state.given = view.given
    state.looking = view.looking
    state.records = list(view.records)
    _open_turn(state, view.turn)
    _open_battle(state, view.battle)
    return state


def _open_turn(state: State, turn: Turn) -> None:
    state.kingdom = NO_CARD if turn.kingdom is None else EVENT_OF[turn.kingdom]
    state.waiting = turn.waiting
    state.is_forgone = turn.is_forgone
    state.card_armies, state.tokens = turn.card_armies, turn.tokens
    state.zones = sum([1 << ZONE_OF[zone] for zone in turn.zones])
    state.turn_events = tuple([EVENT_OF[name] for name in turn.events])
    state.uses = list(turn.uses)
    state.raid_base = NOWHERE if turn.raid_base is None else PROVINCE_OF[turn.raid_base]
    state.forts_left, state.cities_left, state.monuments_left = turn.forts_left, turn.cities_left, turn.monuments_left
    state.effect_card = NO_CARD if turn.effect_card is None else EVENT_OF[turn.effect_card]
    state.effect_left = turn.effect_left
    state.plunder, state.plunder_due, state.shift = turn.plunder, turn.plunder_due, turn.shift
    state.back, state.resume = PHASE_OF[turn.back], PHASE_OF[turn.resume]


def _open_battle(state: State, battle: Battle) -> None:
    state.target = NOWHERE if battle.target is None else PROVINCE_OF[battle.target]
    state.by_fleet, state.is_invading = battle.by_fleet, battle.is_invading
    state.catapult, state.catapult_armies = battle.catapult, battle.catapult_armies
    state.dice, state.result = battle.dice, battle.result
    state.attack_rerolls, state.defence_rerolls = battle.attack_rerolls, battle.defence_rerolls
    state.passes, state.rerolling_attacker = battle.passes, battle.rerolling_attacker
    state.due = NO_SEAT if battle.due is None else battle.due


def _names(mask: int) -> tuple[str, ...]:
    return tuple([PROVINCES[province] for province in provinces_in(mask)])


def _mask(provinces: tuple[str, ...]) -> int:
    return sum([1 << PROVINCE_OF[name] for name in provinces])


def _is_known_empire(view: View, card: int) -> bool:
    """Return whether the viewer knows where an empire is: with a seat, in the pile it looks at, or called but not taken."""
    name = EMPIRES[card].name
    return name in view.empires or name in view.pile or name == view.card or EMPIRES[card].order <= view.called


def _unseen_events(view: View, epoch: int) -> list[int]:
    played = set(view.played)
    return [
        card
        for card in EVENTS_BY_EPOCH[epoch]
        if EVENTS[card].name not in played
        and EVENTS[card].name not in view.hand
        and EVENTS[card].name not in view.pile
        and EVENTS[card].name != view.card
    ]


class _Pool:
    """Cards that the viewer cannot place, drawn uniformly."""

    def __init__(self, cards: list[int], rng: Rng) -> None:
        self.cards, self.rng = cards, rng

    def take(self, kept: bool = False) -> int:
        """Take a card; from earlier epochs, only improvements can still be held (events-2)."""
        fits = [card for card in self.cards if EVENTS[card].realm is None] if kept else self.cards
        card = fits[self.rng.below(len(fits), "view")]
        self.cards.remove(card)
        return card
