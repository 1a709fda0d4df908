"""Revolts and wars as changes of a State (tigris_euphrates#conflicts, #revolts, #wars).

A conflict starts and is resolved here; what follows (the next war, a monument, treasures) is up to `turns`.
"""

from __future__ import annotations

from games.core.contract import NO_SEAT, Event
from games.tigris_euphrates.components import COLOURS, DYNASTIES, KINDS, LABELS, N_COLOURS, RED, ROLES
from games.tigris_euphrates.kingdoms import parted
from games.tigris_euphrates.legality import RULE, pending_wars, support_kind
from games.tigris_euphrates.state import (
    ATTACK,
    DEFENCE,
    FROM_REVOLTS,
    FROM_WARS,
    N_SOURCES,
    NO_COLOUR,
    NO_CONFLICT,
    NOWHERE,
    REVOLT,
    WAR,
    WAR_CHOICE,
    State,
    labels_of,
)
from games.tigris_euphrates.strengths import lost_supporters, owner_at, strength, war_sides

Events = list[Event] | None  # None on the fast path, which tells nothing


def give_points(state: State, seat: int, colour: int, source: int, points: int) -> None:
    """Add points of a colour to a seat."""
    state.sources[(seat * N_COLOURS + colour) * N_SOURCES + source] += points


def leader_name(seat: int, role: int) -> str:
    """Return the glossary id of a leader, "king_bull"."""
    return f"{ROLES[role]}_{DYNASTIES[seat]}"


def send_home(state: State, seat: int, role: int) -> int:
    """Take a leader from the board and return its square. The caller must update the kingdoms."""
    at = seat * N_COLOURS + role
    square = state.leaders[at]
    state.leaders[at] = NOWHERE
    state.leader_bits[role] &= ~(1 << square)
    return square


def open_revolt(state: State, role: int, square: int, rival: int, events: Events) -> None:
    """Start the revolt of the active seat's leader on `square` against the leader on `rival` (revolts-1, revolts-2)."""
    state.conflict = REVOLT
    state.colour = role
    state.attacker = state.active
    state.defender = owner_at(state, role, rival)
    state.phase = ATTACK
    state.due = state.attacker
    if events is not None:
        _tell_opening(state, "revolt_began", "revolts-1", events)


def open_wars(state: State, events: Events) -> bool:
    """Start the war over the union tile, or ask which if there are several; False if there is none (wars-1, wars-2)."""
    roles = pending_wars(state)
    if not roles:
        return False
    if len(roles) == 1:
        open_war(state, roles[0], events)
    else:
        state.phase = WAR_CHOICE
        state.due = state.active
    return True


def open_war(state: State, role: int, events: Events) -> None:
    """Start the war between the leaders of `role` (wars-3)."""
    state.conflict = WAR
    state.colour = role
    state.attacker, state.defender = war_sides(state, role)
    state.phase = ATTACK
    state.due = state.attacker
    if events is not None:
        _tell_opening(state, "war_began", "wars-3", events)


def _square(state: State, seat: int) -> int:
    return state.leaders[seat * N_COLOURS + state.colour]


def _tell_opening(state: State, key: str, anchor: str, events: list[Event]) -> None:
    role, attacker, defender = state.colour, state.attacker, state.defender
    params = {
        "seat": attacker,
        "other": defender,
        "role": ROLES[role],
        "n": strength(state, role, _square(state, attacker)),
        "m": strength(state, role, _square(state, defender)),
        "square": LABELS[_square(state, attacker)],
        "rival": LABELS[_square(state, defender)],
    }
    events.append(Event(key, params, RULE + anchor))


def support(state: State, count: int, events: Events) -> bool:
    """Take the tiles that the due seat adds; True when both sides have answered and the conflict is resolved (conflicts-3)."""
    kind = support_kind(state)
    seat = state.due
    state.hands[seat * N_COLOURS + kind] -= count
    state.gone[kind] += count
    if events is not None:
        params = {"seat": seat, "n": count, "tile": KINDS[kind]}
        events.append(Event("supported" if count else "supported_none", params, RULE + "conflicts-3", reveals=True))
    if state.phase == ATTACK:
        state.added = count
        state.phase = DEFENCE
        state.due = state.defender
        return False
    _settle(state, count, events)
    return True


def _settle(state: State, defence_added: int, events: Events) -> None:
    role = state.colour
    attack = strength(state, role, _square(state, state.attacker)) + state.added
    defence = strength(state, role, _square(state, state.defender)) + defence_added
    if attack > defence:  # the defender wins a tie: conflicts-4
        winner, loser = state.attacker, state.defender
    else:
        winner, loser = state.defender, state.attacker
    told = {"seat": winner, "other": loser, "n": max(attack, defence), "m": min(attack, defence), "leader": leader_name(loser, role)}
    if state.conflict == REVOLT:
        parted(state, 1 << send_home(state, loser, role))
        give_points(state, winner, RED, FROM_REVOLTS, 1)
        if events is not None:
            events.append(Event("revolt_won", told | {"points": 1, "colour": COLOURS[RED]}, RULE + "revolts-4"))
    else:
        lost = lost_supporters(state, role, _square(state, loser))
        count = lost.bit_count()
        before = pending_wars(state) if events is not None else []
        state.tiles[role] &= ~lost
        state.gone[role] += count
        parted(state, lost | 1 << send_home(state, loser, role))
        give_points(state, winner, role, FROM_WARS, count + 1)
        if events is not None:
            params = told | {"removed": count, "points": count + 1, "colour": COLOURS[role]}
            events.append(Event("war_won", params | {"squares": ", ".join(labels_of(lost))}, RULE + "wars-7"))
            after = pending_wars(state)
            for other in before:
                if other != role and other not in after:
                    events.append(Event("war_void", {"role": ROLES[other]}, RULE + "wars-9"))
    state.conflict = NO_CONFLICT
    state.colour = NO_COLOUR
    state.attacker = NO_SEAT
    state.defender = NO_SEAT
    state.added = 0
