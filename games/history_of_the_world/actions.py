"""The actions of History of the World, one small step each. Their text form is canonical: `parse_action(str(action)) == action`.

Seats: take assyrians · take i_plague · look events · keep · give 2 (the draft)
       kingdom · found · play i_weaponry · guard ask · bring nile · start andes
       conquer nile fleet · fort nile · ability off · end · reroll · pass · siege army · siege token · retreat
       occupy · raid · ruin · spare · post · skip · target nile · zone sahara · city nile · done · monument nile · up · down
CHANCE: order 2 0 1 · deal sumerians egyptians minoans k_shang i_plague i_walls · draw i_plague · roll 6 3 5 · again 4
SCORER: score
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from games.core.contract import ActionFormatError
from games.history_of_the_world.components import EMPIRE_OF, EMPIRES, EVENT_OF, EVENTS, GUARDS, PROVINCES, ZONES

RULE: Final = "history_of_the_world#"


@dataclass(frozen=True, slots=True)
class Act:
    """An action: a verb and what it is about. `at` is a province, zone, card, seat or number, or a tuple of them; None for plain verbs."""

    verb: str
    at: int | tuple[int, ...] | None = None
    how: str = ""

    def __str__(self) -> str:
        text: str = _TEXT[self.verb](self)
        return text


Action = Act

# One object for each simple action.
_PLAIN: Final = (
    *("keep", "kingdom", "found", "end", "reroll", "pass", "retreat", "occupy", "raid", "ruin", "spare", "post", "skip", "done"),
    *("up", "down", "score"),
)
PLAIN: Final = {verb: Act(verb) for verb in _PLAIN}
KINGDOM, FOUND, FINISH, REROLL, PASS = (PLAIN[verb] for verb in ("kingdom", "found", "end", "reroll", "pass"))
RETREAT, OCCUPY, RAID, RUIN, SPARE = (PLAIN[verb] for verb in ("retreat", "occupy", "raid", "ruin", "spare"))
POST, SKIP, DONE, UP, DOWN, SCORE, KEEP = (PLAIN[verb] for verb in ("post", "skip", "done", "up", "down", "score", "keep"))
LOOKS: Final = {pile: Act("look", None, pile) for pile in ("events", "empires")}
ABILITIES: Final = {how: Act("ability", None, how) for how in ("off", "on")}
SIEGES: Final = {piece: Act("siege", None, piece) for piece in ("army", "token")}
GUARD_ACTS: Final = tuple(Act("guard", index) for index in range(len(GUARDS)))
WAYS: Final = ("land", "fleet")
CONQUESTS: Final = {way: tuple(Act("conquer", province, way) for province in range(len(PROVINCES))) for way in WAYS}
_ON_PROVINCES: Final = ("bring", "start", "fort", "target", "city", "monument")
ON_PROVINCES: Final = {verb: tuple(Act(verb, province) for province in range(len(PROVINCES))) for verb in _ON_PROVINCES}
ZONE_ACTS: Final = tuple(Act("zone", zone) for zone in range(len(ZONES)))
PLAYS: Final = tuple(Act("play", event) for event in range(len(EVENTS)))
TAKE_EMPIRES: Final = tuple(Act("take", empire, "empire") for empire in range(len(EMPIRES)))
TAKE_EVENTS: Final = tuple(Act("take", event, "event") for event in range(len(EVENTS)))
GIVES: Final = tuple(Act("give", seat) for seat in range(6))


def _numbers(at: int | tuple[int, ...] | None) -> tuple[int, ...]:
    return at if isinstance(at, tuple) else () if at is None else (at,)


def _card(action: Act) -> str:
    at = _numbers(action.at)[0]
    return (EMPIRES if action.how == "empire" else EVENTS)[at].name


def _deal(action: Act) -> str:
    cards = _numbers(action.at)
    half = len(cards) // 2
    return " ".join(["deal", *[EMPIRES[card].name for card in cards[:half]], *[EVENTS[card].name for card in cards[half:]]])


def _spaced(action: Act) -> str:
    return " ".join([action.verb, *map(str, _numbers(action.at))])


_TEXT: Final = {
    **dict.fromkeys(_PLAIN, lambda action: action.verb),
    **dict.fromkeys(_ON_PROVINCES, lambda action: f"{action.verb} {PROVINCES[action.at]}"),
    **dict.fromkeys(("order", "roll", "again", "give"), _spaced),
    "look": lambda action: f"look {action.how}",
    "siege": lambda action: f"siege {action.how}",
    "ability": lambda action: f"ability {action.how}",
    "guard": lambda action: f"guard {GUARDS[action.at]}",
    "conquer": lambda action: f"conquer {PROVINCES[action.at]} {action.how}",
    "zone": lambda action: f"zone {ZONES[action.at]}",
    "play": lambda action: f"play {EVENTS[action.at].name}",
    "take": lambda action: f"take {_card(action)}",
    "draw": lambda action: f"draw {_card(action)}",
    "deal": _deal,
}


@lru_cache(maxsize=4096)
def roll_of(dice: tuple[int, ...]) -> Act:
    """Return the chance outcome of two attack dice and one or two defence dice."""
    return Act("roll", dice)


@lru_cache(maxsize=8)
def again_of(die: int) -> Act:
    """Return the chance outcome of one die rolled again."""
    return Act("again", die)


def _all_actions() -> dict[str, Act]:
    every: list[Act] = [
        *PLAIN.values(),
        *LOOKS.values(),
        *SIEGES.values(),
        *ABILITIES.values(),
        *GUARD_ACTS,
        *ZONE_ACTS,
        *PLAYS,
        *TAKE_EMPIRES,
        *TAKE_EVENTS,
        *GIVES,
    ]
    for acts in (*CONQUESTS.values(), *ON_PROVINCES.values()):
        every += acts
    return {str(action): action for action in every}


_ALL: Final = _all_actions()

_EXPECTED: Final = {  # verb -> (what is expected behind it, paragraph)
    "take": ("an empire or an event", "draft-1"),
    "look": ("events or empires", "draft-3"),
    "give": ("a seat", "draft-8"),
    "play": ("an improvement", "events-1"),
    "guard": ("losing, tied, never or ask", "battle-7"),
    "bring": ("a province", "found-5"),
    "start": ("a province", "found-6"),
    "conquer": ("a province and land or fleet", "conquest-1"),
    "fort": ("a province", "forts-1"),
    "siege": ("army or token", "siege-1"),
    "ability": ("off or on", "abilities-8"),
    "target": ("a province", "events-1"),
    "zone": ("a sea, an ocean or a barren land", "reach-1"),
    "city": ("a province", "forts-3"),
    "monument": ("a province", "monuments-2"),
    "order": ("the seats in some order", "setup-1"),
    "deal": ("empires, then as many events", "setup-2"),
    "draw": ("a card", "draft-8"),
    "roll": ("two dice of the attacker and one or two of the defender", "battle-1"),
    "again": ("a die from 1 to 6", "battle-6"),
}


def parse_action(text: str) -> Act:
    """Return the action that a text names. Raises ActionFormatError. Only the canonical form is read: single spaces, small letters."""
    action = _ALL.get(text) if isinstance(text, str) else None
    return action if action is not None else _parse(text)


def _parse(text: object) -> Act:
    if not isinstance(text, str) or len(text) > 400:
        raise ActionFormatError("an action of History of the World is a short text", RULE + "turn-2")
    verb, *words = text.split(" ")
    action: Act | None = None
    if verb == "order" and all(word in "012345" and len(word) == 1 for word in words) and sorted(map(int, words)) == [*range(len(words))]:
        action = Act("order", tuple(map(int, words))) if len(words) >= 3 else None
    elif verb == "roll" and 3 <= len(words) <= 4 and all(word in ("1", "2", "3", "4", "5", "6") for word in words):
        action = roll_of(tuple(map(int, words)))
    elif verb == "again" and len(words) == 1 and words[0] in ("1", "2", "3", "4", "5", "6"):
        action = again_of(int(words[0]))
    elif verb == "draw" and len(words) == 1 and (words[0] in EMPIRE_OF or words[0] in EVENT_OF):
        is_empire = words[0] in EMPIRE_OF
        action = Act("draw", EMPIRE_OF[words[0]] if is_empire else EVENT_OF[words[0]], "empire" if is_empire else "event")
    elif verb == "deal":
        action = _parse_deal(words)
    if action is None:
        raise _format_error(verb)
    return action


def _parse_deal(words: list[str]) -> Act | None:
    half = len(words) // 2
    empires, events = words[:half], words[half:]
    if (
        len(words) % 2
        or not 3 <= half <= 6
        or any(word not in EMPIRE_OF for word in empires)
        or any(word not in EVENT_OF for word in events)
    ):
        return None
    cards = ([EMPIRE_OF[word] for word in empires], [EVENT_OF[word] for word in events])
    if any(row != sorted(set(row)) for row in cards):
        return None
    return Act("deal", (*cards[0], *cards[1]))


def _format_error(verb: str) -> ActionFormatError:
    if verb in PLAIN:
        return ActionFormatError(f"expected nothing after {verb!r}", RULE + "turn-2")
    if verb in _EXPECTED:
        what, anchor = _EXPECTED[verb]
        return ActionFormatError(f"expected {what} after {verb!r}", RULE + anchor)
    return ActionFormatError(f"expected an action such as take, found, conquer, siege, end; found {verb[:20]!r}", RULE + "turn-2")


def province_at(action: Act) -> int:
    """Return the province of an action on one."""
    assert isinstance(action.at, int)
    return action.at
