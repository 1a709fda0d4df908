"""The frame of the game: epochs, whose turn it is, founding, what follows conquest, points (epoch, turn, found, monuments, deactivate, score)."""

from __future__ import annotations

from games.core.contract import NO_SEAT, Event
from games.history_of_the_world import draft, scoring
from games.history_of_the_world.actions import Bring, Order, Start
from games.history_of_the_world.components import (
    EMPIRES,
    EMPIRES_BY_EPOCH,
    EPOCHS,
    EVENTS,
    ICON_MASK,
    ICONS_A_MONUMENT,
    PROVINCES,
    Realm,
)
from games.history_of_the_world.state import (
    AFTER,
    BRINGING,
    COLLISION,
    CONQUEST,
    DEALING,
    END,
    FINISH,
    MONUMENT,
    NO_CARD,
    NOTHING_WAITS,
    NOWHERE,
    PREPARE,
    SCORING,
    STARTING,
    State,
    begin_turn_of,
    city_pieces,
    clear_battle,
    clear_realm,
    effects,
    fort_pieces,
    icons_in,
    monument_pieces,
    provinces_in,
    realm_of,
    supply,
)

RULE = "history_of_the_world#"
Events = list[Event] | None


def order_markers(state: State, action: Order, events: Events) -> None:
    """Put the score markers on 1, 2, 3 .. in random order, then start the first epoch (setup-1)."""
    for space, seat in enumerate(action.seats, 1):
        state.scores[seat] = space
    state.starts = tuple(state.scores)
    if events is not None:
        events.append(Event("markers_set", {"seats": list(action.seats), "seat": action.seats[-1]}, RULE + "setup-1", reveals=True))
    begin_epoch(state, events)


def begin_epoch(state: State, events: Events) -> None:
    """Start the next epoch: new tiles, ranks for the draft, cards to be dealt (epoch-2, draft-6)."""
    state.epoch += 1
    state.called = 0
    state.ranks = tuple(sorted(range(state.seats), key=lambda seat: -state.scores[seat]))
    state.empires = [NO_CARD] * state.seats
    begin_turn_of(state, NO_SEAT)
    state.phase = DEALING
    if events is not None:
        events.append(Event("epoch_began", {"epoch": state.epoch}, RULE + "epoch-1"))


def see_to_draft(state: State, events: Events) -> None:
    """Go on to the first turn when everybody has chosen."""
    if draft.is_over(state):
        state.given = 0
        call_next(state, events)


def call_next(state: State, events: Events) -> None:
    """Call the epoch's empires in order until one belongs to a seat; after the last one the epoch is over (turn-1)."""
    order = EMPIRES_BY_EPOCH[state.epoch]
    while state.called < len(order):
        empire = order[state.called]
        state.called += 1
        if empire in state.empires:
            _begin_turn(state, state.empires.index(empire), events)
            return
        if events is not None:
            events.append(Event("not_taken", {"empire": EMPIRES[empire].name}, RULE + "turn-1"))
    _end_epoch(state, events)


def _begin_turn(state: State, seat: int, events: Events) -> None:
    begin_turn_of(state, seat)
    if events is not None:
        events.append(Event("turn_began", {"seat": seat, "empire": EMPIRES[state.empires[seat]].name}, RULE + "turn-2", reveals=True))
    go_on_preparing(state, events)


def go_on_preparing(state: State, events: Events) -> None:
    """Ask what comes before founding; a seat without events founds at once (kingdom-1, events-1)."""
    state.phase = PREPARE
    if not state.hands[state.active]:
        found(state, events)


def _end_epoch(state: State, events: Events) -> None:
    """Return unplayed kingdoms to the box and go on to the next epoch, or end the game (epoch-3, epoch-4)."""
    for seat in range(state.seats):
        kept = tuple(card for card in state.hands[seat] if EVENTS[card].realm is None)
        if events is not None and len(kept) < len(state.hands[seat]):
            events.append(Event("kingdom_unused", {"seat": seat}, RULE + "epoch-4", reveals=True))
        state.hands[seat] = kept
    begin_turn_of(state, NO_SEAT)
    if state.epoch < EPOCHS:
        begin_epoch(state, events)
        return
    state.phase = END
    if events is not None:
        winner = max(range(state.seats), key=lambda seat: state.scores[seat])
        events.append(Event("game_ended", {"seat": winner, "n": state.scores[winner]}, RULE + "end-1", reveals=True))


# Founding


def play_kingdom(state: State, events: Events) -> None:
    """Start a kingdom's short turn; what improvements have brought waits for the empire (kingdom-2, kingdom-8)."""
    seat = state.active
    card = kingdom_in_hand(state, seat)
    state.hands[seat] = tuple(held for held in state.hands[seat] if held != card)
    state.played = (*state.played, card)
    state.kingdom = card
    state.waiting = (state.card_armies, state.tokens, state.zones)
    state.card_armies = state.tokens = state.zones = 0
    if events is not None:
        events.append(Event("kingdom_played", {"seat": seat, "kingdom": EVENTS[card].name}, RULE + "kingdom-1", reveals=True))
    found(state, events)


def kingdom_in_hand(state: State, seat: int) -> int:
    """Return the kingdom of this epoch that a seat holds, or NO_CARD."""
    for card in state.hands[seat]:
        if EVENTS[card].realm is not None and EVENTS[card].epoch == state.epoch:
            return card
    return NO_CARD


def gather(state: State, count: int) -> tuple[int, int]:
    """Take armies from the supply onto the card, and siege tokens for missing ones. Return (armies, tokens) (found-5, events-4)."""
    armies = min(count, supply(state, state.active))
    state.card_armies += armies
    state.tokens += count - armies
    return armies, count - armies


def found(state: State, events: Events) -> None:
    """Found the kingdom or the empire: armies onto the card, discs, then the start (found-1 .. found-6)."""
    realm = realm_of(state)
    armies, tokens = gather(state, realm.armies)
    state.zones |= realm.zones
    for params in effects(state, "gain_siege_tokens"):
        if params.get("when") == "found":
            state.tokens += params["count"]
            tokens += params["count"]
    if events is not None:
        key = "kingdom_founded" if state.kingdom != NO_CARD else "founded"
        events.append(Event(key, {"seat": state.active, "realm": realm.name, "n": armies, "tokens": tokens}, RULE + "found-1"))
    if state.card_armies:
        _choose_start(state, realm, events)
    else:
        state.phase = BRINGING


def bring(state: State, action: Bring, events: Events) -> None:
    """Take one of the seat's armies off the map, because none is left in the supply (found-5)."""
    province = action.province
    state.armies[state.active] &= ~(1 << province)
    state.card_armies = 1
    if events is not None:
        events.append(Event("brought", {"seat": state.active, "province": PROVINCES[province]}, RULE + "found-5"))
    _choose_start(state, realm_of(state), events)


def _choose_start(state: State, realm: Realm, events: Events) -> None:
    if len(realm.starts) > 1 and state.card_armies < len(realm.starts):
        state.phase = STARTING
        return
    for start in realm.starts:
        settle(state, start, events)
    go_on_conquering(state, events)


def choose_start(state: State, action: Start, events: Events) -> None:
    """Choose the start for the only army (found-6)."""
    settle(state, action.province, events)
    go_on_conquering(state, events)


def settle(state: State, start: int, events: Events) -> None:
    """Clear a start province without a battle and place an army and the building there (found-2, found-3)."""
    realm = realm_of(state)
    bit = 1 << start
    for seat in range(state.seats):
        state.armies[seat] &= ~bit
    state.capitals &= ~bit
    state.cities &= ~bit
    state.monuments &= ~bit
    state.forts &= ~bit
    state.card_armies -= 1
    state.armies[state.active] |= bit
    state.active_armies |= bit
    is_built = bool(realm.building) and city_pieces(state) > 0
    if is_built and realm.building == "capital":
        state.capitals |= bit
    elif is_built:
        state.cities |= bit
    has_fort = bool(effects(state, "fort_at_capital")) and fort_pieces(state) > 0
    if has_fort:
        state.forts |= bit
    if events is not None:
        params = {"seat": state.active, "province": PROVINCES[start], "building": realm.building if is_built else "army"}
        events.append(Event("settled_start_fort" if has_fort else "settled_start", params, RULE + "found-2"))


# After conquest


def go_on_conquering(state: State, events: Events) -> None:
    """Ask for the next conquest; with neither armies nor events to play, conquest is over (conquest-3)."""
    clear_battle(state)
    state.phase = CONQUEST
    if not state.card_armies and (state.kingdom != NO_CARD or not state.hands[state.active]):
        end_conquest(state, events)


def end_conquest(state: State, events: Events) -> None:
    """Discard what is left on the card, then build what abilities grant (conquest-3, forts-3)."""
    if events is not None:
        key = "gave_up" if state.card_armies else "conquest_ended"
        events.append(Event(key, {"seat": state.active, "n": state.card_armies}, RULE + "conquest-3"))
    state.card_armies = state.tokens = 0
    state.raid_base = NOWHERE
    if state.kingdom == NO_CARD:
        empire = EMPIRES[state.empires[state.active]]
        if empire.effect == "build_forts":
            state.forts_left = empire.params["count"]
        elif empire.effect == "fort_per_icon":
            state.forts_left = empire.params["forts_per_icon"] * icons_in(state.active_armies)
        elif empire.effect == "build_cities":
            state.cities_left = empire.params["count"]
    go_on_after(state, events)


def fort_sites(state: State) -> int:
    """Return where the active seat may build a fort: an active army, no fort yet, a piece left (forts-2, limits-1)."""
    return state.active_armies & ~state.forts if fort_pieces(state) else 0


def city_sites(state: State) -> int:
    """Return where an effect may build a city: an active army, no structure, a piece left."""
    return state.active_armies & ~(state.capitals | state.cities | state.monuments) if city_pieces(state) else 0


def granted_sites(state: State) -> tuple[int, int]:
    """Return where an ability still grants a fort, and where a city (forts-3)."""
    return fort_sites(state) if state.forts_left else 0, city_sites(state) if state.cities_left else 0


def go_on_after(state: State, events: Events) -> None:
    """Ask for forts and cities of an ability, and for improvements, before monuments are built."""
    state.phase = AFTER
    if not any(granted_sites(state)) and (state.kingdom != NO_CARD or not state.hands[state.active]):
        begin_monuments(state, events)


def build_fort(state: State, province: int, events: Events) -> None:
    """Place a fort in a province (forts-2)."""
    state.forts |= 1 << province
    if events is not None:
        events.append(Event("fort_built", {"seat": state.active, "province": PROVINCES[province]}, RULE + "forts-2"))


def build_city(state: State, province: int, events: Events) -> None:
    """Place a city in a province."""
    state.cities |= 1 << province
    if events is not None:
        events.append(Event("city_built", {"seat": state.active, "province": PROVINCES[province]}, RULE + "abilities-1"))


# Monuments


def monument_count(state: State) -> int:
    """Return how many monuments the active armies' icons and this turn's effects grant (monuments-1, monuments-4)."""
    icons = icons_in(state.active_armies)
    ratio: int = min([params["icons_per_monument"] for params in effects(state, "monument_ratio")], default=ICONS_A_MONUMENT)
    extra: int = sum(params["count"] for params in effects(state, "extra_monument"))
    return icons // ratio + extra


def monument_sites(state: State) -> int:
    """Return where the next monument may go: the best class of provinces available (monuments-2)."""
    if not monument_pieces(state):
        return 0
    free = state.active_armies & ~state.monuments
    for mask in (state.capitals, state.cities, ICON_MASK):
        if free & mask:
            return free & mask
    return 0


def begin_monuments(state: State, events: Events) -> None:
    """Build the monuments; the seat chooses between equal places (monuments-1 .. monuments-3)."""
    state.forts_left = state.cities_left = 0
    state.monuments_left = monument_count(state)
    go_on_building(state, events)


def go_on_building(state: State, events: Events) -> None:
    """Build what leaves no choice, and ask if there is one."""
    while state.monuments_left:
        sites = monument_sites(state)
        if not sites:
            state.monuments_left = 0
        elif sites & (sites - 1):
            state.phase = MONUMENT
            return
        else:
            build_monument(state, provinces_in(sites)[0], events)
    _end_realm(state, events)


def build_monument(state: State, province: int, events: Events) -> None:
    """Place a monument in a province."""
    state.monuments |= 1 << province
    state.monuments_left -= 1
    if events is not None:
        events.append(Event("monument_built", {"seat": state.active, "province": PROVINCES[province]}, RULE + "monuments-1"))


def _end_realm(state: State, events: Events) -> None:
    """After a kingdom, go on to the empire; after the empire, to improvements and then the points."""
    if state.kingdom != NO_CARD:
        if events is not None:
            events.append(Event("kingdom_ended", {"seat": state.active, "kingdom": EVENTS[state.kingdom].name}, RULE + "kingdom-2"))
        state.kingdom = NO_CARD
        clear_realm(state)
        state.card_armies, state.tokens, state.zones = state.waiting
        state.waiting = NOTHING_WAITS
        go_on_preparing(state, events)
    else:
        state.phase = FINISH if state.hands[state.active] else SCORING


# Points


def score_turn(state: State, events: Events) -> None:
    """Add up the points of the turn, end the empire, then move the marker once (score-1 .. score-5, deactivate-1)."""
    seat = state.active
    record = scoring.turn_record(state)
    points = scoring.points_of(record) - state.plunder  # the marker has already moved for ruins
    state.records[seat] = (*state.records[seat], record)
    state.scores[seat] += points
    clear_realm(state)
    if events is not None:
        params = {"seat": seat, "points": points, "score": state.scores[seat], "empire": EMPIRES[state.empires[seat]].name}
        events.append(Event("scored", params, RULE + "score-5"))
    see_to_collision(state, SCORING, events)


def see_to_collision(state: State, resume: int, events: Events) -> None:
    """Ask which way the marker moves if it shares its space; without a free space below, it goes up (score-6, score-7)."""
    seat = state.active
    if state.scores.count(state.scores[seat]) == 1:
        _resume(state, resume, events)
        return
    state.resume = resume
    state.phase = COLLISION
    if not free_space(state, -1):
        move_marker(state, 1, events)


def free_space(state: State, way: int) -> int:
    """Return the next free space above (1) or below (-1) the active seat's marker; 0 if there is none (score-7)."""
    score = state.scores[state.active] + way
    while score in state.scores:
        score += way
    return max(score, 0)


def move_marker(state: State, way: int, events: Events) -> None:
    """Move the marker to the next free space (score-6)."""
    seat = state.active
    score = free_space(state, way)
    change = score - state.scores[seat]
    state.shift += change
    state.scores[seat] = score
    if events is not None:
        events.append(Event("moved_up" if change > 0 else "moved_down", {"seat": seat, "n": abs(change), "score": score}, RULE + "score-6"))
    _resume(state, state.resume, events)


def _resume(state: State, resume: int, events: Events) -> None:
    if resume == CONQUEST:
        go_on_conquering(state, events)
        return
    seat = state.active
    if state.shift:
        state.records[seat] = (*state.records[seat][:-1], (*state.records[seat][-1][:-1], state.shift))
    begin_turn_of(state, NO_SEAT)
    call_next(state, events)
