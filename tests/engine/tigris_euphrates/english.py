"""Questions in English without the portal: nouns are their ids, names are Ann, Ben, Cid, Dan."""

from __future__ import annotations

import re
from typing import Any

from games.core.contract import Ask, Phrase

NAMES = ("Ann", "Ben", "Cid", "Dan")


def said(phrase: Phrase | None) -> str:
    """Return a sentence; every field must be given."""
    if phrase is None:
        return ""
    return re.sub(r"\{(\w+)(?::([^{}]*))?\}", lambda match: _value(phrase.params[match[1]], match[2] or ""), phrase.text)


def _value(value: Any, spec: str) -> str:
    if spec == "name":
        return NAMES[value]
    if spec == "nouns":
        return " and ".join(value)
    if spec == "signed":
        return f"{value:+}"
    return f"{value} {spec.split()[1]}" if spec.startswith("count ") else str(value)


def told(ask: Ask) -> list[str]:
    """Return what the chosen action would do, sentence by sentence."""
    return [said(phrase) for phrase in (ask.consequence, *ask.also)]


def groups(ask: Ask) -> dict[str, list[str]]:
    """Return the places on the board under their headings."""
    found: dict[str, list[str]] = {}
    for option in ask.options:
        if option.target and option.target.startswith("cell-") and option.text.startswith(f"{ask.chosen} "):
            found.setdefault(said(option.group), []).append(option.target.removeprefix("cell-"))
    return found


def texts(ask: Ask) -> list[str]:
    """Return the texts of the options."""
    return [option.text for option in ask.options]


def whys(ask: Ask) -> dict[str, tuple[str, str | None]]:
    """Return question -> answer and its paragraph."""
    return {said(question): (said(answer), answer.rule) for question, answer in ask.why_not}
