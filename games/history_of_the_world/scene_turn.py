"""Beside the map: the empires of the epoch, the card that acts, the battle, the draft, events in hand, what is left in the box."""

from __future__ import annotations

from typing import Any, Final

from games.core.contract import Phrase
from games.history_of_the_world import battles
from games.history_of_the_world.ability_phrases import ability_of, improvement_of
from games.history_of_the_world.components import (
    EMPIRE_OF,
    EMPIRES,
    EMPIRES_BY_EPOCH,
    EVENT_OF,
    EVENTS,
    PROVINCES,
    SIEGE_MOST,
    SYMBOLS,
    ZONE_KIND,
    ZONES,
    Realm,
)
from games.history_of_the_world.map_shapes import SLOTS
from games.history_of_the_world.state import EVENT_PILE, State
from games.history_of_the_world.view import View

NAME: Final = "{seat:name}"
BESIDE: Final = (-15, -10)
Target = dict[str, Any]


def who(seat: int) -> dict[str, Any]:
    """Return the mark and the name of a seat."""
    return {"number": seat + 1, "name": Phrase(NAME, {"seat": seat})}


# Empires of the epoch


def order_of_play(view: View) -> dict[str, Any]:
    """Return the epoch's eight empires in order, with their owners once they have been called (turn-1, draft-5)."""
    epoch, called = view.epoch, view.called
    items = []
    for index in EMPIRES_BY_EPOCH[epoch]:
        empire = EMPIRES[index]
        owner = view.empires.index(empire.name) if empire.name in view.empires else None
        is_called = empire.order <= called
        items.append(
            {
                "empire": empire.name,
                "order": empire.order,
                "armies": empire.armies,
                "is_marauder": empire.is_marauder,
                "owner": None if owner is None else who(owner),
                "is_own": owner is not None and owner == view.seat and not is_called,
                "is_called": is_called,
                "is_now": is_called and owner is not None and owner == view.active,
            }
        )
    return {"epoch": epoch, "noun": f"epoch_{epoch}" if epoch else None, "items": items}


# Cards


def realm_card(realm: Realm) -> dict[str, Any]:
    """Return what an empire's or a kingdom's card says."""
    zones = [(name, ZONE_KIND[index]) for index, name in enumerate(ZONES) if realm.zones >> index & 1]
    ability = ability_of(realm)
    return {
        "order": realm.order,
        "starts": [PROVINCES[start] for start in realm.starts],
        "armies": realm.armies,
        "fleets": [name for name, kind in zones if kind != "barren"],
        "caravans": [name for name, kind in zones if kind == "barren"],
        "building": realm.building,
        "is_marauder": realm.is_marauder,
        "ability": ability,
        "ability_name": f"ability_{realm.name}" if ability is not None else None,
    }


def empire_card(name: str, targets: dict[str, Target] | None = None) -> dict[str, Any]:
    """Return an empire card."""
    empire = EMPIRES[EMPIRE_OF[name]]
    symbol = SYMBOLS["marauder" if empire.is_marauder else "capital"]
    return {"card": name, "kind": "empire", "symbol": symbol, "epoch": empire.epoch, "realm": realm_card(empire), "does": None} | _aimed(
        name, targets
    )


def event_card(name: str, targets: dict[str, Target] | None = None) -> dict[str, Any]:
    """Return an event card: an improvement with what it does, or a kingdom."""
    event = EVENTS[EVENT_OF[name]]
    kind = "improvement" if event.realm is None else "kingdom"
    return {
        "card": name,
        "kind": kind,
        "symbol": SYMBOLS[kind],
        "epoch": event.epoch,
        "realm": None if event.realm is None else realm_card(event.realm),
        "does": improvement_of(event),
    } | _aimed(name, targets)


def _aimed(name: str, targets: dict[str, Target] | None) -> dict[str, Any]:
    return {"target": None if targets is None else targets.get(f"card-{name}")}


def hand(view: View, targets: dict[str, Target]) -> list[dict[str, Any]]:
    """Return the viewer's own events as cards (events-2)."""
    return [event_card(name, targets) for name in view.hand]


def draft(view: View, targets: dict[str, Target]) -> dict[str, Any] | None:
    """Return the cards to choose from, and how far the draft is; None outside of it (draft-1 .. draft-8)."""
    if view.phase not in ("draft", "passing", "drawing"):
        return None
    is_events = view.pile_kind == EVENT_PILE
    make = event_card if is_events else empire_card
    cards = [make(name, targets) for name in view.pile]
    if view.card is not None:
        cards = [event_card(view.card, targets) if view.card in EVENT_OF else empire_card(view.card, targets)]
    return {
        "is_classic": view.is_classic,
        "pile": "events_pile" if is_events else "empires_pile",
        "is_drawn": view.card is not None,
        "counts": [{"pile": "events_pile", "count": view.pile_counts[0]}, {"pile": "empires_pile", "count": view.pile_counts[1]}],
        "cards": cards,
        "seats": [who(seat) | {"events": len(view.hand_epochs[seat]), "has_empire": view.has_empire[seat]} for seat in range(view.seats)],
    }


# The turn


def turn(view: View) -> dict[str, Any] | None:
    """Return the empire or kingdom that acts, with everything on its card; None between turns (found-1 .. found-5, siege-1)."""
    active, doing = view.active, view.turn
    if active is None or view.outcome is not None:
        return None
    name = doing.kingdom or view.empires[active]
    if name is None:
        return None
    card = event_card(name) if name in EVENT_OF else empire_card(name)
    left = (("fort", doing.forts_left), ("city", doing.cities_left), ("monument", doing.monuments_left))
    return who(active) | {
        "card": card,
        "symbol": card["symbol"],
        "armies": doing.card_armies,
        "tokens": doing.tokens,
        "zones": [{"zone": zone, "kind": _disc(zone)} for zone in doing.zones],
        "catapult": view.battle.catapult,
        "siege_bonus": min(view.battle.catapult, SIEGE_MOST),
        "left": [{"piece": piece, "count": count} for piece, count in left if count],
        "events": [event_card(event) for event in doing.events],
        "plunder": doing.plunder,
        "projected": view.projected[active],
    }


def _disc(zone: str) -> str:
    return "caravan" if ZONE_KIND[ZONES.index(zone)] == "barren" else "fleet"


def discs(view: View) -> list[dict[str, Any]]:
    """Return the discs of the active empire by zone (reach-1)."""
    return [{"zone": zone, "kind": _disc(zone), "symbol": SYMBOLS[_disc(zone)]} for zone in view.turn.zones]


def fight(view: View, state: State) -> dict[str, Any] | None:
    """Return the current battle with its dice and both strengths (battle-1, battle-5)."""
    battle, active = view.battle, view.active
    target = battle.target
    if target is None or active is None or not battle.is_invading:
        return None
    defender = next((seat for seat, held in enumerate(view.armies) if seat != active and target in held), None)
    if defender is None:
        return None
    dice = list(battle.dice)
    strengths = view.strengths or (None, None)
    return {
        "province": target,
        "number": PROVINCES.index(target) + 1,
        "is_by_fleet": battle.by_fleet,
        "x": SLOTS[target]["army"][0] + BESIDE[0],  # the attacker's army, next to the one it attacks
        "y": SLOTS[target]["army"][1] + BESIDE[1],
        "sides": [
            who(active) | {"dice": dice[:2], "bonus": battles.attack_bonus(state), "strength": strengths[0], "has_fort": False},
            who(defender)
            | {
                "dice": dice[2:],
                "bonus": battles.defence_bonus(state),
                "strength": strengths[1],
                "has_fort": battles.defence_dice(state) > 1,
            },
        ],
    }


# Points and pieces


def ledger(view: View) -> dict[str, Any]:
    """Return scores from most to fewest, with what the map would score now, and the pieces left (score-1, limits-1)."""
    seats = sorted(range(view.seats), key=lambda seat: -view.scores[seat])
    return {
        "scores": [
            who(seat)
            | {
                "score": view.scores[seat],
                "projected": view.projected[seat] if view.outcome is None else None,
                "supply": view.supplies[seat],
            }
            for seat in seats
        ],
        "stock": [{"piece": piece, "symbol": SYMBOLS[piece], "count": count} for piece, count in view.stock.items()],
    }
