"""The actions of History of the World, one small step each. Their text form is canonical: `parse_action(str(action)) == action`.

Seats: take assyrians · take i_plague · look events · keep · give 2 (the draft)
       kingdom · found · play i_weaponry · guard ask · bring nile · start andes
       conquer nile fleet · fort nile · ability off · end · reroll · pass · siege army · siege token · retreat
       occupy · raid · ruin · spare · post · skip · target nile · zone sahara · city nile · done · monument nile · up · down
CHANCE: order 2 0 1 · deal sumerians egyptians minoans k_shang i_plague i_walls · draw i_plague · roll 6 3 5 · again 4
SCORER: score
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final

from games.core.contract import ActionFormatError
from games.history_of_the_world.components import EMPIRE_OF, EMPIRES, EVENT_OF, EVENTS, GUARDS, PROVINCES, ZONES

RULE: Final = "history_of_the_world#"


@dataclass(frozen=True, slots=True)
class Plain:
    """An action that is only a verb: keep, found, end, reroll, score and others."""

    verb: str

    def __str__(self) -> str:
        return self.verb


@dataclass(frozen=True, slots=True)
class Take:
    """Choose a card from a pile (draft-1)."""

    verb: ClassVar[str] = "take"
    card: int
    is_event: bool

    def __str__(self) -> str:
        return f"take {_card(self.card, self.is_event)}"


@dataclass(frozen=True, slots=True)
class Look:
    """Decide which of two piles to look at first: `events` or `empires` (draft-3)."""

    verb: ClassVar[str] = "look"
    pile: str

    def __str__(self) -> str:
        return f"look {self.pile}"


@dataclass(frozen=True, slots=True)
class Give:
    """Give the drawn card to another seat (draft-8)."""

    verb: ClassVar[str] = "give"
    seat: int

    def __str__(self) -> str:
        return f"give {self.seat}"


@dataclass(frozen=True, slots=True)
class Guard:
    """Change your standing order for defence rerolls, an index of GUARDS (battle-7)."""

    verb: ClassVar[str] = "guard"
    guard: int

    def __str__(self) -> str:
        return f"guard {GUARDS[self.guard]}"


@dataclass(frozen=True, slots=True)
class Play:
    """Play an improvement (events-1)."""

    verb: ClassVar[str] = "play"
    card: int

    def __str__(self) -> str:
        return f"play {EVENTS[self.card].name}"


@dataclass(frozen=True, slots=True)
class Ability:
    """Switch the empire's ability on or off (abilities-8)."""

    verb: ClassVar[str] = "ability"
    is_used: bool

    def __str__(self) -> str:
        return f"ability {'on' if self.is_used else 'off'}"


@dataclass(frozen=True, slots=True)
class Siege:
    """Put an `army` or a siege `token` on the catapult and attack again (siege-1)."""

    verb: ClassVar[str] = "siege"
    piece: str

    def __str__(self) -> str:
        return f"siege {self.piece}"


@dataclass(frozen=True, slots=True)
class Zone:
    """Place a disc in a zone (reach-1)."""

    verb: ClassVar[str] = "zone"
    zone: int

    def __str__(self) -> str:
        return f"zone {ZONES[self.zone]}"


@dataclass(frozen=True, slots=True)
class OnProvince:
    """An action on one province; each kind has its own class."""

    verb: ClassVar[str]
    province: int

    def __str__(self) -> str:
        return f"{self.verb} {PROVINCES[self.province]}"


class Bring(OnProvince):
    """Move one of your armies to the start because none is left in the supply (found-5)."""

    __slots__ = ()
    verb = "bring"


class Start(OnProvince):
    """Choose one of two starts (found-6)."""

    __slots__ = ()
    verb = "start"


class Fort(OnProvince):
    """Build a fort (forts-1)."""

    __slots__ = ()
    verb = "fort"


class City(OnProvince):
    """Build a city (forts-3)."""

    __slots__ = ()
    verb = "city"


class Monument(OnProvince):
    """Build a monument (monuments-2)."""

    __slots__ = ()
    verb = "monument"


class Target(OnProvince):
    """Choose a province for the improvement under way (events-1)."""

    __slots__ = ()
    verb = "target"


@dataclass(frozen=True, slots=True)
class Conquer(OnProvince):
    """Move an army into a province by land or by fleet (conquest-1)."""

    verb: ClassVar[str] = "conquer"
    by_fleet: bool

    def __str__(self) -> str:
        return f"conquer {PROVINCES[self.province]} {'fleet' if self.by_fleet else 'land'}"


@dataclass(frozen=True, slots=True)
class Order:
    """Chance: the seats in the order of the score markers (setup-1)."""

    verb: ClassVar[str] = "order"
    seats: tuple[int, ...]

    def __str__(self) -> str:
        return _spaced("order", self.seats)


@dataclass(frozen=True, slots=True)
class Deal:
    """Chance: the cards of an epoch, as many empires as events, each in data order (setup-2)."""

    verb: ClassVar[str] = "deal"
    empires: tuple[int, ...]
    events: tuple[int, ...]

    def __str__(self) -> str:
        return _spaced("deal", [*[EMPIRES[card].name for card in self.empires], *[EVENTS[card].name for card in self.events]])


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance: the top card of the pile in the classic draft (draft-8)."""

    verb: ClassVar[str] = "draw"
    card: int
    is_event: bool

    def __str__(self) -> str:
        return f"draw {_card(self.card, self.is_event)}"


@dataclass(frozen=True, slots=True)
class Roll:
    """Chance: the attacker's two dice, then the defender's one or two (battle-1)."""

    verb: ClassVar[str] = "roll"
    dice: tuple[int, ...]

    def __str__(self) -> str:
        return _spaced("roll", self.dice)


@dataclass(frozen=True, slots=True)
class Again:
    """Chance: one die rolled again (battle-6)."""

    verb: ClassVar[str] = "again"
    die: int

    def __str__(self) -> str:
        return f"again {self.die}"


Chance = Order | Deal | Draw | Roll | Again
Action = Plain | Take | Look | Give | Guard | Play | Ability | Siege | Zone | OnProvince | Chance

# One object for each simple action.
_PLAIN: Final = (
    *("keep", "kingdom", "found", "end", "reroll", "pass", "retreat", "occupy", "raid", "ruin", "spare", "post", "skip", "done"),
    *("up", "down", "score"),
)
PLAIN: Final = {verb: Plain(verb) for verb in _PLAIN}
KINGDOM, FOUND, FINISH, REROLL, PASS = (PLAIN[verb] for verb in ("kingdom", "found", "end", "reroll", "pass"))
RETREAT, OCCUPY, RAID, RUIN, SPARE = (PLAIN[verb] for verb in ("retreat", "occupy", "raid", "ruin", "spare"))
POST, SKIP, DONE, UP, DOWN, SCORE, KEEP = (PLAIN[verb] for verb in ("post", "skip", "done", "up", "down", "score", "keep"))
LOOKS: Final = {pile: Look(pile) for pile in ("events", "empires")}
ABILITIES: Final = (Ability(False), Ability(True))
SIEGES: Final = {piece: Siege(piece) for piece in ("army", "token")}
GUARD_ACTS: Final = tuple(Guard(guard) for guard in range(len(GUARDS)))
CONQUESTS: Final = tuple(tuple(Conquer(province, by_fleet) for province in range(len(PROVINCES))) for by_fleet in (False, True))
ON_PROVINCES: Final = {
    kind.verb: tuple(kind(province) for province in range(len(PROVINCES))) for kind in (Bring, Start, Fort, Target, City, Monument)
}
ZONE_ACTS: Final = tuple(Zone(zone) for zone in range(len(ZONES)))
PLAYS: Final = tuple(Play(card) for card in range(len(EVENTS)))
TAKE_EMPIRES: Final = tuple(Take(card, False) for card in range(len(EMPIRES)))
TAKE_EVENTS: Final = tuple(Take(card, True) for card in range(len(EVENTS)))
GIVES: Final = tuple(Give(seat) for seat in range(6))
AGAIN: Final = {die: Again(die) for die in range(1, 7)}


def _card(card: int, is_event: bool) -> str:
    return (EVENTS if is_event else EMPIRES)[card].name


def _spaced(verb: str, words: Sequence[int | str]) -> str:
    return " ".join([verb, *map(str, words)])


@lru_cache(maxsize=4096)
def roll_of(dice: tuple[int, ...]) -> Roll:
    """Return the chance outcome of two attack dice and one or two defence dice; equal outcomes are one object."""
    return Roll(dice)


_SIMPLE: Final[tuple[Sequence[Action], ...]] = (
    *(tuple(PLAIN.values()), tuple(LOOKS.values()), tuple(SIEGES.values()), tuple(AGAIN.values())),
    *(ABILITIES, GUARD_ACTS, ZONE_ACTS, PLAYS, TAKE_EMPIRES, TAKE_EVENTS, GIVES),
    *CONQUESTS,
    *ON_PROVINCES.values(),
)
_ALL: Final[dict[str, Action]] = {str(action): action for acts in _SIMPLE for action in acts}

_EXPECTED: Final = {  # verb -> (what is expected after it, paragraph)
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


def parse_action(text: str) -> Action:
    """Return the action that the text names. Raises ActionFormatError. Only the canonical form is accepted: single spaces, lower case."""
    action = _ALL.get(text) if isinstance(text, str) else None
    return action if action is not None else _parse(text)


def _parse(text: object) -> Chance:
    """Return a chance outcome; everything else is one of the simple actions."""
    if not isinstance(text, str) or len(text) > 400:
        raise ActionFormatError("an action of History of the World is a short text", RULE + "turn-2")
    verb, *words = text.split(" ")
    action: Chance | None = None
    if verb == "order" and all(word in "012345" and len(word) == 1 for word in words) and sorted(map(int, words)) == [*range(len(words))]:
        action = Order(tuple(map(int, words))) if len(words) >= 3 else None
    elif verb == "roll" and 3 <= len(words) <= 4 and all(word in ("1", "2", "3", "4", "5", "6") for word in words):
        action = roll_of(tuple(map(int, words)))
    elif verb == "draw" and len(words) == 1 and (words[0] in EMPIRE_OF or words[0] in EVENT_OF):
        is_event = words[0] not in EMPIRE_OF
        action = Draw((EVENT_OF if is_event else EMPIRE_OF)[words[0]], is_event)
    elif verb == "deal":
        action = _parse_deal(words)
    if action is None:
        raise _format_error(verb)
    return action


def _parse_deal(words: list[str]) -> Deal | None:
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
    return Deal(tuple(cards[0]), tuple(cards[1]))


def _format_error(verb: str) -> ActionFormatError:
    if verb in PLAIN:
        return ActionFormatError(f"expected nothing after {verb!r}", RULE + "turn-2")
    if verb in _EXPECTED:
        what, anchor = _EXPECTED[verb]
        return ActionFormatError(f"expected {what} after {verb!r}", RULE + anchor)
    return ActionFormatError(f"expected an action such as take, found, conquer, siege, end; found {verb[:20]!r}", RULE + "turn-2")


def province_at(action: Action) -> int:
    """Return the province that an action is on."""
    assert isinstance(action, OnProvince)
    return action.province
