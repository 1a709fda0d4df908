"""Impossible positions: faults that no single field shows (history_of_the_world#components, #draft, #turn)."""

from __future__ import annotations

from games.core import jsonio
from games.core.contract import NO_SEAT
from games.core.phrases import N_
from games.history_of_the_world import battles, draft, improvements, turns
from games.history_of_the_world.components import EMPIRES, EPOCHS, EVENTS, PROVINCES
from games.history_of_the_world.state import (
    BRINGING,
    COLLISION,
    CONQUEST,
    DEALING,
    DRAFT,
    DRAWING,
    EFFECT,
    EMPIRE_PILE,
    END,
    EVENT_PILE,
    FORGOABLE,
    MONUMENT,
    NO_CARD,
    NO_RESULT,
    NOTHING_WAITS,
    NOWHERE,
    PASSING,
    POSTING,
    PREPARE,
    REROLL,
    REROLLING,
    ROLLING,
    RUINING,
    SCORING,
    SIEGE,
    START,
    STARTING,
    TIE,
    VICTORY,
    WON,
    State,
    all_armies,
    city_pieces,
    first_state,
    fort_pieces,
    monument_pieces,
    owner_of,
    provinces_in,
    realm_of,
    supply,
)

BATTLES = (REROLLING, SIEGE, ROLLING, REROLL)
DRAFTS = (DRAFT, PASSING, DRAWING)
OF_KINGDOMS = (BRINGING, STARTING, CONQUEST, REROLLING, SIEGE, MONUMENT, COLLISION, ROLLING, REROLL)
LATER = tuple(frozenset(card for card, event in enumerate(EVENTS) if event.epoch > epoch) for epoch in range(EPOCHS + 1))
BOXED = tuple(  # by epoch: kingdoms that nobody can still hold
    frozenset(card for card, event in enumerate(EVENTS) if event.realm is not None and event.epoch < epoch) for epoch in range(EPOCHS + 1)
)
ASKING = ("add_zone", "build_forts", "build_cities", "ruin", "remove_army", "replace_army")


def check_position(state: State) -> None:
    """Raise PositionError, one line that names the field, for an impossible position."""
    _check_map(state)
    _check_cards(state)
    if state.phase == START:
        if state != first_state(state.seats, state.is_classic):
            jsonio.fail("phase", N_("start is the first position: nothing has happened yet"))
        return
    _check_epoch(state)
    _check_draft(state)
    if has_turn(state):
        _check_turn(state)
        _check_kingdom(state)
    _check_effect(state)
    _check_markers(state)
    _check_battle(state)
    if state.phase in (BRINGING, STARTING, MONUMENT, POSTING):
        _check_question(state)


def has_turn(state: State) -> bool:
    """Return whether the phase belongs to a seat's turn."""
    return PREPARE <= state.phase <= REROLL or state.phase == SCORING


def _check_map(state: State) -> None:
    seen = 0
    for seat, armies in enumerate(state.armies):
        if armies & seen:
            jsonio.fail(f"armies[{seat}]", N_("{province} holds one army only"), province=PROVINCES[provinces_in(armies & seen)[0]])
        seen |= armies
    if state.capitals & state.cities:
        jsonio.fail("cities", N_("a province has a capital or a city, not both"))
    for name, left in (("cities", city_pieces(state)), ("monuments", monument_pieces(state)), ("forts", fort_pieces(state))):
        if left < 0:
            jsonio.fail(name, N_("more pieces than the game has"))
    own = state.armies[state.active] if state.active != NO_SEAT else 0
    if state.active_armies & ~own:
        jsonio.fail("active_armies", N_("are armies of the active seat"))


def _check_cards(state: State) -> None:
    events = [card for hand in state.hands for card in hand] + list(state.played) + list(state.pile_events)
    if state.chosen != NO_CARD and state.step < state.seats:
        events.append(state.chosen)
    if len(set(events)) != len(events):
        jsonio.fail("hands", N_("an event is in two places"))
    if not LATER[state.epoch].isdisjoint(events):
        jsonio.fail("hands", N_("names an event of a later epoch"))
    for seat, hand in enumerate(state.hands):
        if not BOXED[state.epoch].isdisjoint(hand):
            jsonio.fail(f"hands[{seat}]", N_("a kingdom of an earlier epoch has gone into the box"))
    taken = [card for card in state.empires if card != NO_CARD] + list(state.pile_empires)
    if state.chosen != NO_CARD and state.step >= state.seats:
        taken.append(state.chosen)
    if len(set(taken)) != len(taken):
        jsonio.fail("empires", N_("an empire is in two places"))
    if any(EMPIRES[card].epoch != state.epoch for card in taken):
        jsonio.fail("empires", N_("names an empire of another epoch"))
    lasting = state.turn_events
    if len(set(lasting)) != len(lasting) or any(card not in state.played or EVENTS[card].realm is not None for card in lasting):
        jsonio.fail("turn.events", N_("are improvements that have been played, once each"))
    if sorted(state.ranks) != list(range(state.seats)):
        jsonio.fail("ranks", N_("name each seat once"))


def _check_epoch(state: State) -> None:
    phase = state.phase
    if state.epoch == 0:
        jsonio.fail("epoch", N_("is 0 in the phase start, and only there"))
    if has_turn(state) != (state.active != NO_SEAT):
        jsonio.fail("active", N_("is a seat in its turn, and null otherwise"))
    if sorted(state.starts) != list(range(1, state.seats + 1)):
        jsonio.fail("starts", N_("markers start on 1, 2, 3 and so on, one on each"))
    if phase == END and state.epoch != EPOCHS:
        jsonio.fail("epoch", N_("the game ends with epoch {n}"), n=EPOCHS)
    if phase in (*DRAFTS, DEALING) and state.called:
        jsonio.fail("called", N_("is 0 until everybody has an empire"))
    if phase == DEALING:
        if any(card != NO_CARD for card in state.empires):
            jsonio.fail("empires", N_("are chosen after the cards are dealt"))
        if any(EVENTS[card].epoch == state.epoch for card in (*state.played, *[card for hand in state.hands for card in hand])):
            jsonio.fail("hands", N_("names an event of this epoch, whose cards are still to be dealt"))


# The draft


def _check_draft(state: State) -> None:
    phase = state.phase
    if phase in DRAFTS and not (state.pile_events or state.pile_empires or state.chosen != NO_CARD):
        jsonio.fail("draft", N_("the piles are empty"))
    if phase in DRAFTS and (phase == DRAFT) == state.is_classic:
        jsonio.fail("options.draft", N_("draft is a phase of the standard draft, passing and drawing are phases of the classic one"))
    if phase == DRAFT:
        _check_piles(state)
    elif phase in DRAFTS:
        _check_classic(state)
    elif state.pile_events or state.pile_empires:
        jsonio.fail("draft.empires" if state.pile_empires else "draft.events", N_("is empty outside the draft"))
    if phase != DRAFT and (state.step_done or state.looking):
        jsonio.fail("draft.done" if state.step_done else "draft.looking", N_("is 0 outside the standard draft"))
    if (phase == PASSING) != (state.chosen != NO_CARD):
        jsonio.fail("draft.card", N_("is the card that has been drawn"))
    _check_given(state)


def _check_piles(state: State) -> None:
    """Refuse piles and cards that do not fit how often the piles have moved (draft-1 .. draft-5)."""
    seats, step, done = state.seats, state.step, state.step_done
    if step > seats - 2 or not draft.drafters(state):
        jsonio.fail("draft.step", N_("nobody has to choose"))
    by_events, by_empires = list(state.ranks[:step]), list(state.ranks[seats - step :])
    if done & EVENT_PILE:
        by_events.append(draft.holder(state, EVENT_PILE))
    if done & EMPIRE_PILE:
        by_empires.append(draft.holder(state, EMPIRE_PILE))
    _check_given_out(state, "draft.events", state.pile_events, by_events)
    _check_given_out(state, "draft.empires", state.pile_empires, by_empires)
    if set(by_empires) != {seat for seat in range(seats) if state.empires[seat] != NO_CARD}:
        jsonio.fail("empires", N_("have been taken by the seats that have held the pile"))
    if set(by_events) != set(range(seats)) - set(draft.lacking_events(state)):
        jsonio.fail("hands", N_("the seats that have held the pile have an event of this epoch each"))
    if state.looking and draft.holder(state, EVENT_PILE) != draft.holder(state, EMPIRE_PILE):
        jsonio.fail("draft.looking", N_("is the pile that a seat with both looks at"))


def _check_given_out(state: State, where: str, pile: tuple[int, ...], seats: list[int]) -> None:
    if len(pile) != state.seats - len(seats):
        jsonio.fail(where, N_("expected {n} cards"), n=state.seats - len(seats))


def _check_classic(state: State) -> None:
    """Refuse piles and cards that do not fit the number of cards given out, first events, then empires (draft-8)."""
    seats, step = state.seats, state.step
    is_drawn = state.phase == PASSING
    if step >= 2 * seats:
        jsonio.fail("draft.step", N_("all cards are given out"))
    is_events = step < seats
    left = seats - step % seats - is_drawn
    if len(state.pile_events) != (left if is_events else 0):
        jsonio.fail("draft.events", N_("expected {n} cards"), n=left if is_events else 0)
    if len(state.pile_empires) != (seats if is_events else left):
        jsonio.fail("draft.empires", N_("expected {n} cards"), n=seats if is_events else left)
    if is_events and any(card != NO_CARD for card in state.empires):
        jsonio.fail("empires", N_("are given out after the events"))
    if len(draft.lacking(state)) != seats - step % seats:
        jsonio.fail("hands" if is_events else "empires", N_("expected {n} seats without a card"), n=seats - step % seats)


def _check_given(state: State) -> None:
    """Refuse a mark that a card came from somebody else if there is no such card (draft-8, draft-10)."""
    if not state.given:
        return
    if state.phase not in (PASSING, DRAWING):
        jsonio.fail("draft.given", N_("is 0 outside the classic draft"))
    for seat in range(8):
        has_event = seat < state.seats and seat not in draft.lacking_events(state)
        has_empire = seat < state.seats and state.empires[seat] != NO_CARD
        if (state.given >> seat & 1 and not has_event) or (state.given >> (8 + seat) & 1 and not has_empire):
            jsonio.fail("draft.given", N_("marks a card that is not there"))


# The turn


def _check_turn(state: State) -> None:
    phase = state.phase
    if any(card == NO_CARD for card in state.empires):
        jsonio.fail("empires", N_("everybody has an empire before the first turn of an epoch"))
    if state.called < EMPIRES[state.empires[state.active]].order:
        jsonio.fail("called", N_("the active empire has been called"))
    if supply(state, state.active) < 0:
        jsonio.fail("turn.card", N_("more armies than the player has"))
    if phase in (PREPARE, BRINGING, STARTING) and state.active_armies:
        jsonio.fail("active_armies", N_("come with the founding"))
    if (phase == COLLISION and state.resume not in (CONQUEST, SCORING)) or (phase != COLLISION and state.resume not in (PREPARE, CONQUEST)):
        jsonio.fail("turn.resume", N_("is conquest or scoring in the phase collision, the phase after it"))


def _check_kingdom(state: State) -> None:
    if state.is_forgone and EMPIRES[state.empires[state.active]].effect not in FORGOABLE:
        jsonio.fail("turn.forgone", N_("this empire can't do without its ability"))
    if state.kingdom == NO_CARD:
        if state.waiting != NOTHING_WAITS:
            jsonio.fail("turn.waiting", N_("is what waits for the empire while a kingdom acts"))
        return
    event = EVENTS[state.kingdom]
    if event.realm is None:
        jsonio.fail("turn.kingdom", N_("is no kingdom"))
    if event.epoch != state.epoch:
        jsonio.fail("turn.kingdom", N_("is an event of this epoch"))
    if state.phase not in OF_KINGDOMS or (state.phase == COLLISION and state.resume == SCORING):
        jsonio.fail("turn.kingdom", N_("has ended before this phase"))


def _check_effect(state: State) -> None:
    """Refuse a current improvement that is impossible or has no possible target (events-3)."""
    card = state.effect_card
    if (card != NO_CARD) != (state.phase == EFFECT):
        jsonio.fail("turn.effect", N_("is the improvement that asks for something"))
    if card == NO_CARD:
        return
    event = EVENTS[card]
    count = event.params.get("count", 1)
    if event.effect not in ASKING or card not in state.played:
        jsonio.fail("turn.effect", N_("is an improvement that has been played and asks for a place"))
    if state.back not in improvements.WINDOWS:
        jsonio.fail("turn.back", N_("is the phase in which the improvement was played"))
    if not 1 <= state.effect_left <= count:
        jsonio.fail("turn.left", N_("expected a number from 1 to {n}"), n=count)
    if event.effect == "replace_army" and supply(state, state.active) < state.effect_left:
        jsonio.fail("turn.left", N_("more armies than the supply has"))
    if state.effect_left < count and state.target == NOWHERE:
        jsonio.fail("battle.target", N_("is the place that the improvement touched last"))
    has_target = improvements.free_zones(state, card) if event.effect == "add_zone" else improvements.targets_now(state)
    if not has_target:
        jsonio.fail("turn.effect", N_("finds no place"))


def _check_markers(state: State) -> None:
    seat, is_colliding = state.active, state.phase == COLLISION
    is_scored = is_colliding and state.resume == SCORING
    for other, records in enumerate(state.records):
        epochs = [record[0] for record in records]
        if epochs != sorted(epochs) or (epochs and epochs[-1] > state.epoch):
            jsonio.fail(f"records[{other}]", N_("are in the order of the epochs, up to this one"))
    if is_scored and (not state.records[seat] or state.records[seat][-1][0] != state.epoch or state.records[seat][-1][-1]):
        jsonio.fail(f"records[{seat}]", N_("ends with this turn, whose collisions are not counted yet"))
    places = set(state.scores)
    is_shared = len(places) != state.seats
    if is_shared != is_colliding or (is_colliding and (len(places) != state.seats - 1 or state.scores.count(state.scores[seat]) != 2)):
        jsonio.fail("records", N_("markers share a space only while a collision is resolved"))
    if min(places) < 1:
        jsonio.fail("records", N_("a marker is before the first space"))
    if is_colliding and not turns.free_space(state, -1):
        jsonio.fail("records", N_("without a free space below, the marker goes up by itself"))


def _check_battle(state: State) -> None:
    phase = state.phase
    if phase in (*BATTLES, WON, RUINING, POSTING) and state.target == NOWHERE:
        jsonio.fail("battle.target", N_("names the province that is fought for"))
    if phase in BATTLES and owner_of(state, state.target) in (NO_SEAT, state.active):
        jsonio.fail("battle.target", N_("no enemy army is there"))
    if phase in (WON, RUINING) and all_armies(state) >> state.target & 1:
        jsonio.fail("battle.target", N_("the defender is gone"))
    if (phase == RUINING and state.result == NO_RESULT) or (phase == WON and state.result != VICTORY):
        jsonio.fail("battle.result", N_("is 1 after a battle that was won, 2 after a tie"))
    if state.is_invading != (phase in (*BATTLES, WON) or (phase == RUINING and state.result != TIE)):
        jsonio.fail("battle.invading", N_("is true while an army has moved in and does not hold the province yet"))
    if state.catapult_armies > state.catapult:
        jsonio.fail("battle.on_catapult", N_("more armies than pieces on the catapult"))
    if (state.due != NO_SEAT) != (phase == REROLLING):
        jsonio.fail("battle.due", N_("is the seat that may roll again, counted from 1"))
    if phase in (REROLLING, SIEGE, REROLL):
        if not state.dice:
            jsonio.fail("battle.dice", N_("is missing: the dice have been rolled"))
        if len(state.dice) != battles.dice_count(state):
            jsonio.fail("battle.dice", N_("expected two dice of the attacker and {n} of the defender"), n=battles.defence_dice(state))
    if phase in (REROLLING, REROLL):
        side = "attack_rerolls" if state.rerolling_attacker else "defence_rerolls"
        if not getattr(state, side):
            jsonio.fail(f"battle.{side}", N_("no die is left to be rolled again"))
        if state.passes > 1:
            jsonio.fail("battle.passes", N_("both sides have passed"))
    if phase == REROLLING and state.due != (state.active if state.rerolling_attacker else owner_of(state, state.target)):
        jsonio.fail("battle.due", N_("is the active seat, or with attacker 'waits' the defender"))


def _check_question(state: State) -> None:
    """Refuse a question that has no answer, or that the rules answer automatically."""
    phase = state.phase
    if phase == BRINGING and (state.card_armies or not state.armies[state.active]):
        jsonio.fail(
            "turn.card" if state.card_armies else f"armies[{state.active}]", N_("an army on the map is brought when the card has none")
        )
    if phase == STARTING and not 0 < state.card_armies < len(realm_of(state).starts):
        jsonio.fail("turn.card", N_("the start is chosen where there are fewer armies than starts"))
    if phase == MONUMENT:
        sites = turns.monument_sites(state)
        if not state.monuments_left or not sites & (sites - 1):
            jsonio.fail("turn.monuments", N_("expected a monument to be built and two places of the best class for it"))
    if phase == POSTING:
        bit = 1 << state.target
        if not state.active_armies & bit or state.forts & bit or not fort_pieces(state):
            jsonio.fail("battle.target", N_("expected a province just conquered that can get a fort"))
