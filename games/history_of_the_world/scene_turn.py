"""Beside the map: the empires of the epoch, the card that acts, the battle, the draft, events in the hand, what is left in the box."""

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
    """Return the eight empires of the epoch in their order, and whose they are once they have been called (turn-1, draft-5)."""
    epoch, called = view.position["epoch"], view.position["called"]
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
                "is_now": is_called and owner is not None and owner == view.position["active"],
            }
        )
    return {"epoch": epoch, "noun": f"epoch_{epoch}" if epoch else None, "items": items}


# Cards


def realm_card(realm: Realm) -> dict[str, Any]:
    """Return what the card of an empire, or of a kingdom, says."""
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
    """Return one's own events as cards (events-2)."""
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
        "is_classic": view.position["options"]["draft"] == "classic",
        "pile": "events_pile" if is_events else "empires_pile",
        "is_drawn": view.card is not None,
        "counts": [{"pile": "events_pile", "count": view.pile_counts[0]}, {"pile": "empires_pile", "count": view.pile_counts[1]}],
        "cards": cards,
        "seats": [
            who(seat) | {"events": len(view.hand_epochs[seat]), "has_empire": view.has_empire[seat]}
            for seat in range(view.position["seats"])
        ],
    }


# The turn


def turn(view: View) -> dict[str, Any] | None:
    """Return the empire or kingdom that acts, with all that lies on its card; None between turns (found-1 .. found-5, siege-1)."""
    active, doing = view.position["active"], view.position["turn"]
    if active is None or view.outcome is not None:
        return None
    name = doing.get("kingdom") or view.empires[active]
    if name is None:
        return None
    battle = view.position["battle"]
    card = event_card(name) if name in EVENT_OF else empire_card(name)
    return who(active) | {
        "card": card,
        "symbol": card["symbol"],
        "armies": doing.get("card", 0),
        "tokens": doing.get("tokens", 0),
        "zones": [{"zone": zone, "kind": _disc(zone)} for zone in doing.get("zones", ())],
        "catapult": battle.get("catapult", 0),
        "siege_bonus": min(battle.get("catapult", 0), SIEGE_MOST),
        "left": [{"piece": kind, "count": doing[name]} for name, kind in LEFT if doing.get(name)],
        "events": [event_card(event) for event in doing.get("events", ())],
        "plunder": doing.get("plunder", 0),
        "projected": view.projected[active],
    }


LEFT: Final = (("forts", "fort"), ("cities", "city"), ("monuments", "monument"))


def _disc(zone: str) -> str:
    return "caravan" if ZONE_KIND[ZONES.index(zone)] == "barren" else "fleet"


def discs(view: View) -> list[dict[str, Any]]:
    """Return the discs of the active empire by zone (reach-1)."""
    return [{"zone": zone, "kind": _disc(zone), "symbol": SYMBOLS[_disc(zone)]} for zone in view.position["turn"].get("zones", ())]


def fight(view: View, state: State) -> dict[str, Any] | None:
    """Return the battle under way with its dice and both strengths (battle-1, battle-5)."""
    battle = view.position["battle"]
    target, active = battle.get("target"), view.position["active"]
    if target is None or active is None or not battle.get("invading"):
        return None
    defender = next((seat for seat, held in enumerate(view.position["armies"]) if seat != active and target in held), None)
    if defender is None:
        return None
    dice = list(battle.get("dice", ()))
    strengths = view.strengths or (None, None)
    return {
        "province": target,
        "number": PROVINCES.index(target) + 1,
        "is_by_fleet": bool(battle.get("fleet")),
        "x": SLOTS[target]["army"][0] + BESIDE[0],  # the army of the attacker, beside the one that it attacks
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
    """Return scores from most to fewest with what the map would bring now, and the pieces that are left (score-1, limits-1)."""
    seats = sorted(range(view.position["seats"]), key=lambda seat: -view.scores[seat])
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
