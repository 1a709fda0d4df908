"""The coach of a guided first game: what the step asks for and why, and where the piece or button for it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext

from portal.tables.refusals import LessonChanged
from portal.tables.selectors import TablePage
from portal.tables.speaker import Speaker
from rules_docs.teaching import with_names


def coach_of(page: TablePage, speaker: Speaker) -> dict[str, Any] | None:
    """Return the coach's words for the learner; None for everybody else, and at other tables."""
    place = page.lesson
    if place is None or page.my_seat is None or page.status != "playing":
        return None
    lang, lesson = speaker.lang, place.lesson
    if lesson is None:
        return {"is_over": True, "aim": gettext("This lesson has changed"), "why": str(LessonChanged.sentence), "rule": None}
    count = len(lesson.steps)
    if place.is_over:
        return {
            "is_over": True,
            "aim": lesson.title[lang],
            "why": with_names(lesson.text[lang], page.names),
            "rule": speaker.rule(lesson.rule),
        }
    step = lesson.steps[place.number]
    return {
        "is_over": False,
        "aim": with_names(step.aim[lang], page.names),
        "why": with_names(step.why[lang], page.names),
        "rule": speaker.rule(step.rule),
        "number": place.number + 1,
        "done": place.number,
        "count": count,
        "steps": [
            {"aim": with_names(other.aim[lang], page.names), "is_done": at < place.number, "is_now": at == place.number}
            for at, other in enumerate(lesson.steps)
        ],
    }


def wait_for(page: TablePage, speaker: Speaker) -> dict[str, Any] | None:
    """Return what the coach says to a legal move that this step doesn't want, as a notice; None if there is no step."""
    step = page.lesson.step if page.lesson is not None else None
    if step is None:
        return None
    return {"kind": "warn", "text": with_names(step.instead[speaker.lang], page.names), "rule": speaker.rule(step.rule)}


def add_way(coach: dict[str, Any], page: TablePage, question: dict[str, Any]) -> None:
    """Add what to press next: its words, and the ids of the buttons, places and pieces that do the same."""
    wanted = page.lesson.wanted_of(page.my_seat) if page.lesson is not None and page.my_seat is not None else []
    plan, chosen = question["plan"], question["chosen"]
    options = [option for option in question["options"] if option["text"] != chosen and _leads_to(option["text"], wanted)]
    too_many = [at for at, link in enumerate(plan["links"], start=1) if _is_down_to(link["fewer"], wanted)] if plan is not None else []
    if question["action"] in wanted:
        coach |= {"way": question["confirm"], "ids": ["confirm"]}
    elif plan is not None and plan["go_on"] and plan["go_on"]["send"] in wanted:
        coach |= {"way": plan["go_on"]["label"], "ids": ["go-on"]}
    elif too_many:
        coach |= {"way": gettext("Take one away with −"), "ids": [f"plan-{too_many[0]}-less"]}
    elif options:
        way = max(options, key=lambda option: len(option["text"]))
        more = f"lot-{way['text'].replace(' ', '-')}-more"  # in a basket
        basket = [more, "basket-confirm"] if question["basket"] and way["text"] in question["basket"]["covers"] else []
        coach |= {"way": way["label"], "ids": [part for part in (way["id"], way["target"], *basket) if part]}
    elif question["back"] is not None and wanted:
        coach |= {"way": gettext("Cancel"), "ids": ["undo"]}


def _leads_to(text: str, wanted: Sequence[str]) -> bool:
    return any(action == text or action.startswith(f"{text} ") for action in wanted)


def _is_down_to(text: str, wanted: Sequence[str]) -> bool:
    """Return whether a text is a wanted action, or becomes one when its last number is lowered."""
    begun, _, count = text.rpartition(" ")
    likes = [action.rpartition(" ") for action in wanted]
    return count.isdigit() and any(start == begun and least.isdigit() and int(least) <= int(count) for start, _, least in likes)
