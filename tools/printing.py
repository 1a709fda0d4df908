"""A pretty printer after Wadler: a document is text with places where a line may break, and groups that break or stay flat.

A document is a string, a list of documents, or one of the classes below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Line:
    """A possible line break; `flat` is printed if there is none."""

    flat: str = ""


@dataclass(frozen=True, slots=True)
class Indent:
    width: int
    body: Doc


@dataclass(frozen=True, slots=True)
class Group:
    """On one line if it fits, else broken at each of its own places; with `force` always broken."""

    body: Doc
    force: bool = False


@dataclass(frozen=True, slots=True)
class Fill:
    """Documents and places alternately; a place breaks only if the next document does not fit."""

    parts: Sequence[Doc]


@dataclass(frozen=True, slots=True)
class IfBroken:
    """One text in a broken group, another in a flat one."""

    broken: str
    flat: str


Doc: TypeAlias = str | Sequence["Doc"] | Line | Indent | Group | Fill | IfBroken
_Command: TypeAlias = tuple[int, bool, Doc]  # indentation, whether the group around is broken, document


def is_forced(doc: Doc) -> bool:
    """Return whether a document cannot fit on one line."""
    match doc:
        case str():
            return "\n" in doc
        case Group(body, force):
            return force or is_forced(body)
        case Indent(_, body):
            return is_forced(body)
        case Fill(parts):
            return any(map(is_forced, parts))
        case Line() | IfBroken():
            return False
    return any(map(is_forced, doc))


def printed(doc: Doc, width: int) -> str:
    """Return the text of a document in lines of `width` characters, as far as its places allow."""
    out: list[str] = []
    column = 0
    stack: list[_Command] = [(0, True, doc)]
    while stack:
        indent, is_broken, now = stack.pop()
        match now:
            case Line(flat) if not is_broken:
                out.append(flat)
                column += len(flat)
            case Line():
                out.append("\n" + " " * indent)
                column = indent
            case str() | IfBroken():
                text = now if isinstance(now, str) else (now.broken if is_broken else now.flat)
                out.append(text)
                column = len(text) - text.rindex("\n") - 1 if "\n" in text else column + len(text)
            case Indent(more, body):
                stack.append((indent + more, is_broken, body))
            case Group(body):
                fits = not is_forced(now) and _fits(width - column, [body], stack)
                stack.append((indent, not fits, body))
            case Fill(parts):
                stack += reversed(_filled(width - column, indent, parts))
            case _:
                stack += [(indent, is_broken, part) for part in reversed(now)]
    return "\n".join(line.rstrip() for line in "".join(out).split("\n"))


def _filled(room: int, indent: int, parts: Sequence[Doc]) -> list[_Command]:
    """Return the printed form of the first document of a fill and the place after it."""
    if not parts:
        return []
    fits = not is_forced(parts[0]) and _fits(room, [parts[0]], [])
    commands: list[_Command] = [(indent, not fits, parts[0])]
    if len(parts) > 1:
        together = list(parts[:3])
        is_one_line = not any(map(is_forced, together)) and _fits(room, together, [])
        commands += [(indent, not is_one_line, parts[1]), (indent, True, Fill(parts[2:]))]
    return commands


def _fits(room: int, flat: list[Doc], behind: list[_Command]) -> bool:
    """Return whether documents fit into `room` characters on one line, with what follows up to the next place that may be broken."""
    stack: list[tuple[bool, Doc]] = [(False, doc) for doc in reversed(flat)]
    left = len(behind)
    while room >= 0:
        if not stack:
            if not left:
                return True
            left -= 1
            stack.append(behind[left][1:])
        is_broken, now = stack.pop()
        match now:
            case str():
                if "\n" in now:
                    return room >= now.index("\n")
                room -= len(now)
            case Line(text):
                if is_broken:
                    return True
                room -= len(text)
            case IfBroken(broken, text):
                room -= len(broken if is_broken else text)
            case Indent(_, body) | Group(body):
                stack.append((is_broken, body))
            case Fill(parts):
                stack += [(is_broken, part) for part in reversed(parts)]
            case _:
                stack += [(is_broken, part) for part in reversed(now)]
    return False
