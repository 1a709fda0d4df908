"""What workers thought, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from portal.tables.speaker import Speaker
from portal.tables.why import CHANGED, UNSEEN
from voice.wording import WordingError


def reasons_said(answer: Mapping[str, Any], speaker: Speaker) -> list[dict[str, Any]]:
    """Return the reasons as sentences, each with its paragraph; those for which this release has no sentence are left out."""
    said = []
    for key, value, rule in answer.get("reasons", ()):
        try:
            said.append({"text": speaker.key(f"bot.{key}", points=value, n=value), "rule": speaker.rule(rule)})
        except WordingError:
            continue
    return said


def weighed_said(answer: Mapping[str, Any]) -> str:
    """Return how many moves were weighed, and where this one stood among them; "" if that is not known."""
    if not answer.get("weighed"):
        return ""
    place, count = answer["weighed"]
    if count < 2:
        return ""
    if place == 1:
        return gettext("Moves weighed: %(n)s. This one was the best.") % {"n": count}
    values = {"n": count, "place": place}
    return gettext("Moves weighed: %(n)s. This one was number %(place)s; among nearly equal moves, a bot chooses at random.") % values


def said_no(answer: Mapping[str, Any]) -> str:
    """Return why there are no reasons; "" if there are, or if nobody has looked yet."""
    if "no" not in answer:
        return ""
    return {
        CHANGED: gettext("The bots have changed since this game was played, and would move differently today."),
        UNSEEN: gettext("Nothing that you can see explains this move. Ask again when the game is over."),
    }.get(answer["no"], gettext("The reasons couldn't be worked out."))
