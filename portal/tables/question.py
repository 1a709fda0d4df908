"""The question to the due seat in words, and the links it makes of places and pieces on the board."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote_plus

from django.utils.translation import gettext

from games.core.contract import Ask, Option, Phrase
from portal.accounts.models import Confirm
from portal.tables.play import BY_HAND
from portal.tables.refusals import NothingToUndo
from portal.tables.selectors import LogLine, TablePage
from portal.tables.speaker import Speaker


def href_of(prefix: str) -> str:
    """Return the URL of a partial choice."""
    return f"?a={quote_plus(prefix)}" if prefix else "?"


def option_of(option: Option, speaker: Speaker, *, selected: bool | None = None, heading: str = "") -> dict[str, Any]:
    """Return an option in words."""
    return {
        "id": "o-" + (option.target or option.text.replace(" ", "-")),
        "text": option.text,
        "href": href_of(option.text),
        "label": speaker.say(option.label),
        "picture": option.picture,
        "number": option.number,
        "selected": option.selected if selected is None else selected,
        "target": option.target,
        "group": heading,
        "posts": False,
        "recall": False,
    }


def prefixes_of(legal: Iterable[str]) -> set[str]:
    """Return what legal actions start with, short of the whole.

    >>> sorted(prefixes_of(["draw", "god nile", "god nile flood"]))
    ['god', 'god nile']
    """
    inner = set()
    for text in legal:
        while text := text.rpartition(" ")[0]:
            inner.add(text)
    return inner


def question_of(page: TablePage, speaker: Speaker, *, confirm: str = Confirm.MATTERS, typed: str = "") -> dict[str, Any]:
    """Return the question in words. A choice that completes an action is a button that sends it, unless it has to be confirmed.

    `confirm` says when: always, if the game says that it matters, or never. `typed` is the prefix that was asked for: if its last word
    was refused, it stays in the field.
    """
    whole_ask = page.turn.ask
    assert whole_ask is not None
    ask = shown_of(whole_ask)
    plan = plan_of(whole_ask, speaker)
    headings: dict[int, str] = {}  # many options share one
    for group in {id(given.group): given.group for given in ask.options if given.group}.values():
        headings[id(group)] = speaker.say(group)
    options = [option_of(given, speaker, heading=headings.get(id(given.group), "")) for given in ask.options]
    if confirm != Confirm.ALWAYS:
        inner = prefixes_of(page.turn.legal)
        whole = set(page.turn.legal) - inner
        for given, option in zip(ask.options, options, strict=True):
            option["posts"] = option["text"] in whole and not given.gathers and (confirm == Confirm.NEVER or not given.irreversible)
            option["recall"] = option["posts"] and confirm == Confirm.MATTERS and given.recall
    whys = []
    for question, answer in ask.why_not:
        whys.append({"question": speaker.say(question), "answer": speaker.say(answer), "rule": speaker.rule(answer.rule or question.rule)})
    if page.lesson is None and _is_undo_over(page):
        whys.append({"question": gettext("Why can't I undo my move?"), "answer": str(NothingToUndo.sentence), "rule": None})
    basket = basket_of(ask, speaker)
    covered = basket["covers"] if basket else ()
    asides = [option for given, option in zip(ask.options, options, strict=True) if given.aside]
    places = [option for given, option in zip(ask.options, options, strict=True) if ask.on_board and _is_place(ask, given)]
    return {
        "chosen": typed,
        "title": speaker.say(ask.title),
        "rule": speaker.rule(ask.title.rule),
        "options": options,
        "choices": _grouped("g", [option for option in options if option not in (*places, *asides) and option["text"] not in covered]),
        "asides": _grouped("s", asides),
        "places": _grouped("p", places),
        "place_count": len(places),
        "is_mixed": ask.stem is not None,
        "basket": basket,
        "plan": plan,
        "action": plan["send"] if plan is not None else ask.action,
        "confirm": plan["confirm"] if plan is not None else confirm_of(ask, speaker),
        "consequence": plan["told"] if plan is not None else consequence_of(ask, speaker),
        "odds": ask.odds and {"win": ask.odds[0], "tie": ask.odds[1], "lose": ask.odds[2], "rest": 100 - ask.odds[2]},
        "hint": speaker.say(ask.hint) if ask.hint else "",
        "back": href_of(whole_ask.back) if whole_ask.back is not None else None,
        "why_not": whys,
        "then": [option_of(option, speaker) for option in ask.then],
        "then_label": speaker.say(ask.then_label) if ask.then_label else gettext("Answer in advance"),
        "refusal": _refusal(whole_ask.refusal, speaker, typed) if whole_ask.refusal else None,
        "entry": _entry(ask, speaker),
    }


def shown_of(ask: Ask) -> Ask:
    """Return the question that is shown: the one about the next link, where actions are gathered."""
    return ask.plan.asked if ask.plan is not None and ask.plan.asked is not None else ask


def plan_of(ask: Ask, speaker: Speaker) -> dict[str, Any] | None:
    """Return in words what has been gathered, with links that change it; None if nothing is or could be."""
    plan = ask.plan
    if plan is None:
        return None
    links = [
        {
            "label": speaker.say(link.label),
            "name": speaker.say(link.name),
            "pictures": [picture for picture in link.pictures if picture],
            "held": [{"picture": picture, "label": speaker.say(label), "n": n} for picture, label, n in link.held],
            "is_later": not link.held,
            "count": link.count,
            "less": href_of(link.less),
            "is_least": link.less == link.without,
            "fewer": link.less,
            "more": href_of(link.more) if link.more is not None else None,
            "without": href_of(link.without),
            "change": href_of(link.change),
        }
        for link in plan.links
    ]
    return {
        "links": links,
        "send": plan.send,
        "confirm": speaker.say(plan.confirm) if plan.confirm is not None else "",
        "notes": " ".join(speaker.say(note) for note in plan.notes),
        "told": " ".join(speaker.say(told) for told in plan.told),
        "go_on": plan.go_on and {"send": plan.go_on[0], "label": speaker.say(plan.go_on[1])},
        "full": speaker.say(plan.full) if plan.full is not None else "",
    }


def _is_undo_over(page: TablePage) -> bool:
    """Return whether the reader has just moved, and what came of it can't be undone: dice, a draw, something shown."""
    last = next((line for line in page.log.lines if line.actor >= 0), None)
    is_own = last is not None and last.actor == page.my_seat and last.by in BY_HAND
    return is_own and not (page.may.undo or page.may.redo)


def consequence_of(ask: Ask, speaker: Speaker) -> str:
    """Return what the chosen action would do."""
    return " ".join(speaker.say(told) for told in (ask.consequence, *ask.also) if told)


def confirm_of(ask: Ask, speaker: Speaker) -> str:
    """Return the words of the button that plays the chosen action."""
    return speaker.say(ask.confirm) if ask.confirm else gettext("Confirm")


def basket_of(ask: Ask, speaker: Speaker) -> dict[str, Any] | None:
    """Return the basket in words, with the answers that it makes unnecessary in the list."""
    basket = ask.basket
    if basket is None:
        return None
    lots = [
        {
            "id": "lot-" + lot.text.replace(" ", "-"),
            "text": lot.text,
            "label": speaker.say(lot.label),
            "picture": lot.picture,
            "have": lot.have,
            "worth": lot.worth,
        }
        for lot in basket.lots
    ]
    return {
        "lots": lots,
        "covers": {basket.last, *(lot.text for lot in basket.lots)},
        "label": speaker.say(basket.label),
        "base": basket.base,
        "levels": [{"from": value, "text": speaker.say(level)} for value, level in basket.levels],
        "last": basket.last,
        "confirm": speaker.say(basket.confirm),
    }


def _grouped(prefix: str, options: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the options under their headings, in the order of their first options; ids of headings start with `prefix`."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for option in options:
        groups.setdefault(option["group"], []).append(option)
    return [{"heading": heading, "id": f"{prefix}-{number}", "options": found} for number, (heading, found) in enumerate(groups.items(), 1)]


def _refusal(refusal: Phrase, speaker: Speaker, typed: str) -> dict[str, Any]:
    return {"text": speaker.say(refusal), "rule": speaker.rule(refusal.rule), "word": typed.split()[-1] if typed.split() else ""}


def _stem(ask: Ask) -> str:
    """Return the words that all places of the question have in common, before the last one."""
    if ask.stem is not None:
        return ask.stem
    return ask.options[0].text.rpartition(" ")[0] if ask.options else ask.chosen


def _is_place(ask: Ask, option: Option) -> bool:
    """Return whether an option of a question about the board is a place."""
    if option.is_place is not None:
        return option.is_place
    text = option.text
    return text.startswith(f"{ask.stem} ") if ask.stem is not None else text.rpartition(" ")[0] == _stem(ask)


def _entry(ask: Ask, speaker: Speaker) -> dict[str, str] | None:
    """Return the field in which the next word may be typed; a refused one stays in it."""
    if ask.entry is None:
        return None
    return {"label": speaker.say(ask.entry), "prefix": _stem(ask)}


def mark_targets(scene: Any, page: TablePage, question: dict[str, Any], speaker: Speaker) -> None:
    """Make the question's pieces and places links on the board; closed ones too, which lead to the reason."""
    assert page.turn.ask is not None
    ask = shown_of(page.turn.ask)
    targets = scene["targets"]
    reasons: dict[int, str] = {}
    stem = _stem(ask)
    for name, why in ask.closed.items():
        target = targets.get(name)
        if target is not None:
            said = reasons.get(id(why))
            if said is None:
                said = reasons[id(why)] = speaker.say(why)
            target |= {"href": href_of(f"{stem} {target['word']}"), "closed": said}
    for name in ask.held:
        targets[name]["is_chosen"] = True
    for option in question["options"]:
        target = targets.get(option["target"])
        if target is not None and option["target"] not in ask.closed:
            told = ": ".join(filter(None, (option["group"], option["label"] if option["label"] != target.get("word") else "")))
            target |= {"href": option["href"], "label": told, "is_chosen": option["selected"], "picture": option["picture"]}
    if question["refusal"]:
        for target in _of_words(targets, [question["refusal"]["word"]]):
            target["is_refused"] = True


def add_recent(scene: Any, page: TablePage) -> None:
    """Add the places that the latest events name as `recent`: since the reader's last action, or of the last seat that acted.

    If these name none (tiles added to a conflict), earlier events count too.
    """
    recent = {}
    fresh = _fresh(page)
    is_named = False
    for number, line in enumerate(page.log.lines):
        if is_named and number >= fresh:
            break
        for target in _of_words(scene["targets"], _words(line)):
            recent[target["word"]] = target
            is_named = True
    scene["recent"] = list(recent.values())


def add_marks(scene: Any, marks: Iterable[str]) -> None:
    """Mark these targets, as far as the reader's board has them; those that are places, in place of the latest events."""
    marked = [scene["targets"][name] for name in marks if name in scene["targets"]]
    for target in marked:
        target["is_marked"] = True
    places = [target for target in marked if "word" in target]
    if places:
        scene["recent"] = places


def _words(line: LogLine) -> set[str]:
    """Return the words of an event's values that could be names of places."""
    return {word for value in line.event.params.values() if isinstance(value, str) for word in value.split(", ")}


def _of_words(targets: dict[str, Any], words: Iterable[str]) -> list[Any]:
    wanted = {word.lower() for word in words}
    return [target for target in targets.values() if target.get("word", "").lower() in wanted - {""}]


def _fresh(page: TablePage) -> int:
    """Return how many of the newest lines are since the reader's last action, else how many are the last actor's."""
    log = page.log.lines  # newest first
    actors = [line.actor for line in log]
    if page.my_seat in actors and actors[0] != page.my_seat:
        return actors.index(page.my_seat)
    last = next((actor for actor in actors if actor >= 0), None)
    return next((number for number, actor in enumerate(actors) if actor >= 0 and actor != last), len(actors))
