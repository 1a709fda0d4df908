"""What workers thought, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext

from games.core.contract import Option
from portal.tables.hint import BEST, NOT_DUE, path_to
from portal.tables.selectors import TablePage
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
        NOT_DUE: gettext("It isn't your turn right now."),
    }.get(answer["no"], gettext("This couldn't be worked out."))


def hint_said(answer: Mapping[str, Any], page: TablePage, speaker: Speaker) -> dict[str, Any]:
    """Return a hint in words: `places` and `ids` to look at, the `rule` that matters most, the `kind` of move, the `move`."""
    game, view = page.entry.game, page.view
    path = path_to(game, view, answer["action"])
    paths = [path, *(path_to(game, view, action) for action in answer["best"][:BEST])]
    marked = [*answer["marks"], *filter(None, (last_target(way) for way in paths))]
    targets = game.scene(view)["targets"]
    ids = sorted({name for name in marked if name in targets}, key=list(targets).index)  # so that the first one is not always the right one
    return {
        "ids": ids,
        "places": list(dict.fromkeys(filter(None, (_place(targets[name], speaker) for name in ids)))),
        "rule": next((speaker.rule(rule) for _key, _value, rule in answer["reasons"] if rule), None),
        "kind": _kind(path, speaker),
        "move": [speaker.say(option.label) for option in path] or [answer["action"]],
    }


def _place(target: Mapping[str, Any], speaker: Speaker) -> str:
    """Return the name of a place or piece, without what a move would do there; "" if it has none."""
    if "short" in target:
        return speaker.say(target["short"])
    word = target.get("noun") or target.get("word")
    return speaker.noun(str(word)) if word else ""


def last_target(path: Sequence[Option]) -> str | None:
    return next((option.target for option in reversed(path) if option.target), None)


def move_said(path: Sequence[Option], speaker: Speaker) -> str:
    """Return a whole move in words: the heading of its first choice, and its choices."""
    words = " → ".join(speaker.say(option.label) for option in path)
    return f"{speaker.say(path[0].group)}: {words}" if path and path[0].group is not None else words


def _kind(path: Sequence[Option], speaker: Speaker) -> str:
    """Return the kind of a move: the heading of its first choice, and that choice itself if others follow."""
    if not path:
        return ""
    group, label = speaker.say(path[0].group) if path[0].group is not None else "", speaker.say(path[0].label)
    if not group or (len(path) > 1 and label.startswith(group)):  # "Trade: Dilmun" needs no "Trade" before it
        return label
    return f"{group}: {label}" if len(path) > 1 else group


def bars_said(answer: Mapping[str, Any], page: TablePage) -> list[dict[str, Any]]:
    """Return the expected place of each seat as a bar: where it begins and ends, in per cent of the way from the last place to the first."""
    bars = []
    last = page.seat_count
    for seat, (place, low, high) in enumerate(answer.get("prospects", ())):
        bars.append(
            {
                "number": seat + 1,
                "name": page.names[seat],
                "is_me": seat == page.my_seat,
                "place": place,
                "low": low,
                "high": high,
                "at": f"{100 * (last - place) / (last - 1):.1f}",
                "start": f"{100 * (last - high) / (last - 1):.1f}",
                "width": f"{100 * (high - low) / (last - 1):.1f}",
            }
        )
    return sorted(bars, key=lambda bar: bar["place"])
