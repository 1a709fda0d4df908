"""Teaching a game: an overview of five screens, a guided first game, and a player aid, from `content/<game>/teach.json`.

This package's README describes the file. Every fault is a TeachError that names file and field and says what is wanted. A game without
the file is not taught.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, NoReturn
from zlib import crc32

from django.conf import settings

from games import registry
from games.core.contract import CHANCE, SCORER, ActionFormatError, IllegalAction, PositionError
from games.core.records import start_of_position
from rules_docs import content, inline

FILE: Final = "teach.json"
SCREENS: Final = ("goal", "turn", "scoring", "end", "advice")
SECTIONS: Final = ("turn", "costs", "points", "reminders")
MOST_NAME_CHARS: Final = 20  # of a bot at a table
_SELECTOR: Final = re.compile(r"[\w\s.#>:\-\[\]=\"()+~*^$]+")
_NAME: Final = re.compile(r"\{(\d+)\}")

Text = Mapping[str, str]  # by language
Play = tuple[int, str]  # actor, text of the action


class TeachError(ValueError):
    """A teach.json cannot be read or played: one line with file and field."""


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen of the overview. `shows` are the parts of the board that it means, `points` chips beside some of them; CSS selectors."""

    key: str
    title: Text
    text: Text
    rules: Sequence[str]
    shows: Sequence[str]
    points: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Overview:
    """Five screens about one position. `parts` are the pieces of the board that fade when a screen does not mean them."""

    seat: int | None  # whose view is drawn; None: a spectator's
    seats: int
    state: Any
    parts: Sequence[str]
    screens: Sequence[Screen]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the player aid, with pieces, what it is worth, and its paragraphs."""

    text: Text
    worth: str
    rules: Sequence[str]


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the player aid."""

    key: str
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True)
class Step:
    """What the learner is asked for: `aim` and why, what to say if they play something else, and where in the script it starts."""

    aim: Text
    why: Text
    instead: Text
    rule: str
    start: int


@dataclass(frozen=True, slots=True)
class Lesson:
    """A guided game: every action of every actor, in order. The records of its table are the first actions of the script."""

    seat: int
    seats: int
    position: Mapping[str, Any]
    script: Sequence[Play]
    steps: Sequence[Step]
    title: Text  # what is said after the last step
    text: Text
    rule: str
    state: Any  # after the script

    @property
    def fingerprint(self) -> str:
        """Return what changes with the script, so that a table knows whether it still fits."""
        return f"{crc32(json.dumps([self.seat, self.position, self.script], sort_keys=True).encode()):08x}"

    def step_at(self, seq: int) -> int:
        """Return the number (from 0) of the step that a table is at after `seq` records; the last one after the script."""
        return max((at for at, step in enumerate(self.steps) if step.start <= seq), default=0)


@dataclass(frozen=True, slots=True)
class Teaching:
    """How a game is taught."""

    game: str
    names: Mapping[str, Sequence[str]]
    overview: Overview
    aid: Sequence[Section]
    lesson: Lesson


def with_names(text: str, names: Sequence[str]) -> str:
    """Return a text of a lesson with the players' names.

    >>> with_names("{2} bids 7.", ["you", "Ben"])
    'Ben bids 7.'
    """
    return _NAME.sub(lambda match: names[int(match[1]) - 1], text)


@cache
def is_taught(game: str, root: Path = content.ROOT) -> bool:
    """Return whether a game has a teach.json."""
    return (root / game / FILE).is_file()


@cache
def teaching_of(game: str, root: Path = content.ROOT) -> Teaching | None:
    """Return how a game is taught, its lesson played by the rules; None without a file. Raises TeachError."""
    file = root / game / FILE
    if not file.is_file():
        return None
    try:
        data = json.loads(file.read_text("utf-8"))
    except ValueError as error:
        raise TeachError(f"{game}/{FILE}: is no JSON ({error})") from None
    return _Reader(game, root).read(data)


class _Reader:
    """Reads one file; every method is told the field at which it is."""

    def __init__(self, game: str, root: Path) -> None:
        self.game, self.root = game, root
        self.languages: Sequence[str] = tuple(settings.INTERFACE_LANGUAGES)
        self.most_seats = 0

    def fail(self, at: str, wanted: str) -> NoReturn:
        raise TeachError(f"{self.game}/{FILE}: {at}: {wanted}")

    def get(self, data: Any, key: str, kind: type, at: str) -> Any:
        where = f"{at}.{key}" if at else key
        if not isinstance(data, dict):
            self.fail(at, "expected an object")
        if not isinstance(data.get(key), kind) or (kind is int and isinstance(data[key], bool)):
            self.fail(where, f"expected {kind.__name__}, found {type(data.get(key)).__name__}")
        return data[key]

    def text(self, data: Any, key: str, at: str, *, check: Callable[[str, str], str] | None = None) -> Text:
        """Return a text in every language; `check` gets text and language and returns what is wrong with it."""
        found = self.get(data, key, dict, at)
        for lang in self.languages:
            if not isinstance(found.get(lang), str) or not found[lang].strip():
                self.fail(f"{at}.{key}.{lang}", "the text is missing; write it in every language of the site")
            if check is not None and (fault := check(found[lang], lang)):
                self.fail(f"{at}.{key}.{lang}", fault)
        if extra := [lang for lang in found if lang not in self.languages]:
            self.fail(f"{at}.{key}", f"{extra[0]!r} is no language of the site")
        return found

    def rule(self, name: Any, at: str) -> str:
        game, _, anchor = str(name).partition("#")
        if game != self.game or anchor not in content.places(self.game):
            self.fail(at, f"{name!r} is no paragraph of this book; write it as {self.game}#anchor")
        return str(name)

    def rules(self, data: Any, at: str) -> Sequence[str]:
        found = self.get(data, "rules", list, at)
        if not found:
            self.fail(f"{at}.rules", "name at least one paragraph")
        return tuple(self.rule(name, f"{at}.rules[{number}]") for number, name in enumerate(found))

    def selectors(self, found: Sequence[Any], at: str) -> Sequence[str]:
        for number, selector in enumerate(found):
            if not isinstance(selector, str) or not _SELECTOR.fullmatch(selector) or "::" in selector:
                self.fail(f"{at}[{number}]", f"{selector!r} is no CSS selector of the board's markup")
        return tuple(found)

    def state(self, position: Mapping[str, Any], at: str) -> tuple[Any, Any]:
        if position.get("game") != self.game:
            self.fail(f"{at}.game", f"expected {self.game!r}")
        try:
            return start_of_position(position, registry.game)
        except PositionError as error:
            self.fail(at, str(error))

    # ---------------------------------------------------------------- parts

    def read(self, data: Any) -> Teaching:
        names = self.get(data, "names", dict, "")
        for lang in self.languages:
            given = self.get(names, lang, list, "names")
            if any(not isinstance(name, str) or not 0 < len(name) <= MOST_NAME_CHARS for name in given) or len(set(given)) < len(given):
                self.fail(f"names.{lang}", f"expected different names of at most {MOST_NAME_CHARS} characters, one for each seat")
        self.most_seats = min(len(names[lang]) for lang in self.languages)
        return Teaching(
            self.game,
            names,
            self.overview(self.get(data, "overview", dict, "")),
            self.aid(self.get(data, "aid", list, "")),
            self.lesson(self.get(data, "lesson", dict, "")),
        )

    def seats_of(self, position: Mapping[str, Any], at: str) -> int:
        seats: int = self.get(position, "seats", int, at)
        if seats > self.most_seats:
            self.fail("names", f"{at} has {seats} seats; name them all in every language")
        return seats

    def overview(self, data: Any) -> Overview:
        position = self.get(data, "position", dict, "overview")
        seats = self.seats_of(position, "overview.position")
        _, state = self.state(position, "overview.position")
        seat = data.get("seat")
        if seat is not None and seat not in range(seats):
            self.fail("overview.seat", "expected a seat of the position, or null for a spectator")
        screens = []
        for number, screen in enumerate(self.get(data, "screens", list, "overview")):
            at = f"overview.screens[{number}]"
            points = []
            for place, point in enumerate(screen.get("points", [])):
                where = f"{at}.points[{place}]"
                self.selectors([self.get(point, "at", str, where)], f"{where}.at")
                told = self.get(point, "n", str, where)
                if not re.fullmatch(r"[+\-−–/ \d]{1,8}", told):
                    self.fail(f"{where}.n", f"{told!r}: expected points like +5")
                points.append((point["at"], told))
            screens.append(
                Screen(
                    self.get(screen, "key", str, at),
                    self.text(screen, "title", at),
                    self.text(screen, "text", at),
                    self.rules(screen, at),
                    self.selectors(self.get(screen, "shows", list, at), f"{at}.shows"),
                    tuple(points),
                )
            )
        if tuple(screen.key for screen in screens) != SCREENS:
            self.fail("overview.screens", f"expected these keys in this order: {', '.join(SCREENS)}")
        parts = self.selectors(self.get(data, "parts", list, "overview"), "overview.parts")
        return Overview(seat, seats, state, parts, tuple(screens))

    def aid(self, data: Sequence[Any]) -> Sequence[Section]:
        sections = []
        for number, section in enumerate(data):
            at = f"aid[{number}]"
            key = self.get(section, "key", str, at)
            if key not in SECTIONS:
                self.fail(f"{at}.key", f"{key!r} is not one of {', '.join(SECTIONS)}")
            rows = []
            for place, row in enumerate(self.get(section, "rows", list, at)):
                where = f"{at}.rows[{place}]"
                text = self.text(row, "text", where, check=lambda text, lang: inline.fault_in(self.game, text, lang))
                worth = row.get("worth", "")
                if not isinstance(worth, str):
                    self.fail(f"{where}.worth", "expected a short text like +5")
                rows.append(Row(text, worth, self.rules(row, where)))
            if not rows:
                self.fail(f"{at}.rows", "is empty; leave the section out")
            sections.append(Section(key, tuple(rows)))
        keys = [section.key for section in sections]
        if keys != [key for key in SECTIONS if key in keys] or not {"turn", "points"} <= set(keys):
            self.fail(
                "aid",
                f"expected each of these sections once, in this order ('costs' and 'reminders' may be left out): {', '.join(SECTIONS)}",
            )
        return tuple(sections)

    def lesson(self, data: Any) -> Lesson:
        position = self.get(data, "position", dict, "lesson")
        seats = self.seats_of(position, "lesson.position")
        seat = self.get(data, "seat", int, "lesson")
        if seat not in range(seats):
            self.fail("lesson.seat", "expected a seat of the position")
        rules, state = self.state(position, "lesson.position")
        played = _Played(self, rules, state, seat)
        for play in data.get("opening", []):
            played.add(play, "lesson.opening")
        steps = []
        for number, step in enumerate(self.get(data, "steps", list, "lesson")):
            at = f"lesson.steps[{number}]"
            start = len(played.script)
            plays = self.get(step, "plays", list, at)
            if not plays or plays[0][0] != seat:
                self.fail(f"{at}.plays", f"the first action must be the learner's, seat {seat}")
            if played.is_automatic():
                self.fail(f"{at}.plays", "this action is played for the learner, because no other is possible; add it to the step before")
            for place, play in enumerate(plays):
                played.add(play, f"{at}.plays[{place}]")
            named = self.named(seats)
            steps.append(
                Step(
                    self.text(step, "aim", at, check=named),
                    self.text(step, "why", at, check=named),
                    self.text(step, "instead", at, check=named),
                    self.rule(step.get("rule"), f"{at}.rule"),
                    start,
                )
            )
        if not steps:
            self.fail("lesson.steps", "is empty")
        if seat not in rules.actors(played.state):
            self.fail("lesson.steps", "after the last step the learner must have a decision, with which the free game starts")
        end = self.get(data, "end", dict, "lesson")
        return Lesson(
            seat,
            seats,
            position,
            tuple(played.script),
            tuple(steps),
            self.text(end, "title", "lesson.end", check=self.named(seats)),
            self.text(end, "text", "lesson.end", check=self.named(seats)),
            self.rule(end.get("rule"), "lesson.end.rule"),
            played.state,
        )

    def named(self, seats: int) -> Callable[[str, str], str]:
        def check(text: str, lang: str) -> str:
            wrong = [number for number in _NAME.findall(text) if not 1 <= int(number) <= seats]
            return f"there is no seat {{{wrong[0]}}}" if wrong else ""

        return check


class _Played:
    """Plays a lesson's script action by action."""

    def __init__(self, reader: _Reader, rules: Any, state: Any, seat: int) -> None:
        self.reader, self.rules, self.state, self.seat = reader, rules, state, seat
        self.script: list[Play] = []

    def is_automatic(self) -> bool:
        """Return whether the table would play the learner's only legal action by itself."""
        legal = self.rules.legal_actions(self.state, self.seat) if self.seat in self.rules.actors(self.state) else []
        return len(legal) == 1 and str(legal[0]).split(" ", 1)[0] in self.rules.meta.automatic

    def add(self, play: Any, at: str) -> None:
        if not isinstance(play, list) or len(play) != 2 or not isinstance(play[0], int) or not isinstance(play[1], str):
            self.reader.fail(at, 'expected [actor, "action"]')
        actor, text = play
        due = self.rules.actors(self.state)
        if actor not in due:
            self.reader.fail(at, f"{actor} is not due; due: {', '.join(map(str, due)) or 'nobody'} ({CHANCE} draws, {SCORER} scores)")
        if self.seat in due and actor != self.seat:
            self.reader.fail(at, f"the learner is due as well and must come first, before {actor}")
        try:
            action = self.rules.parse_action(text)
            self.state, _ = self.rules.apply(self.state, actor, action)
        except IllegalAction as error:
            legal = ", ".join(map(str, self.rules.legal_actions(self.state, actor)[:40])) if actor >= 0 else ""
            self.reader.fail(at, f"{text!r} is refused by {error.rule} ({error.reason}); legal: {legal}")
        except ActionFormatError as error:
            self.reader.fail(at, f"{text!r}: {error}")
        self.script.append((actor, str(action)))


def forget() -> None:
    """Read all files again at the next use."""
    teaching_of.cache_clear()
    is_taught.cache_clear()
