"""Exchanges, tools, workers and scribes of one action, gathered before they are played (after_the_flood#act-2).

A plan is a prefix: whole actions with " then " between them. One part may be unfinished: it is chosen now, between those before and after
it. What a part allows is read off a copy of the position on which the parts before it have been taken, so the engine's own rules decide;
a part that has become impossible is left out, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from games.after_the_flood import legality
from games.after_the_flood import prompt_phrases as phrases
from games.after_the_flood.actions import DONE, MAKE_TOOL, SPOT_NAMES, Action, Place, Plain, Scribe, Trade, parse_action
from games.after_the_flood.components import AVAILABLE, GOODS, KINDS, PLACES, SYMBOLS, VALUES
from games.after_the_flood.previews import consequences, effects
from games.after_the_flood.prompt_choices import confirm_of, option_of
from games.after_the_flood.prompt_facts import after, phrase
from games.after_the_flood.prompt_places import closed_of
from games.after_the_flood.prompt_question import question, steps_of
from games.after_the_flood.prompt_titles import hint_of, title_of
from games.after_the_flood.prompt_why import because_of, why_not
from games.after_the_flood.state import ACTION, PLACING, TRADING, State
from games.core.asking import THEN, Step, Tree, parsed, with_free_targets
from games.core.contract import Ask, Link, Option, Phrase, Plan

_LONGEST: Final = 380  # characters of a plan; what would make it longer isn't offered, and the page says so
_KINDS: Final = ("trade", "tool", "place", "scribe")
_ON: Final = {"trade": TRADING, "tool": TRADING, "place": PLACING, "scribe": PLACING}  # the phase in which more can follow


@dataclass(frozen=True, slots=True)
class _Part:
    """An action of a plan, with the position before and after it."""

    action: Action
    before: State
    after: State

    @property
    def text(self) -> str:
        return str(self.action)


def planned(state: State, chosen: str) -> Ask:
    """Return the question for the due seat, given what it has gathered and chosen so far."""
    texts = chosen.split(THEN)
    if len(texts) == 1:
        return _first(state, chosen if len(chosen) <= _LONGEST else "")
    refusal: Phrase | None = None
    if len(chosen) > _LONGEST:
        refusal = phrase(phrases.PLAN_TOO_LONG, "act-2")
    while len(THEN.join(texts)) > _LONGEST:
        texts.pop()
    parts: list[_Part] = []
    for at, text in enumerate(texts):
        now = parts[-1].after if parts else state
        action = _whole(now, text) if _may_follow(parts, now, text) else None
        if action is not None:
            parts.append(_Part(action, now, after(now, action)))
            continue
        rest = [later for later in texts[at + 1 :] if _is_kind(later)]
        asked = _unfinished(now, text) if _may_follow(parts, now, text) else None
        if asked is not None and asked.refusal is None:
            return replace(_choosing(state, parts, asked, rest), refusal=refusal)
        refusal = refusal or (asked.refusal if asked is not None else _why(now, text))
    if not parts:
        return replace(_first(state, ""), refusal=refusal)
    return replace(_gathered(state, parts, THEN.join(part.text for part in parts)), refusal=refusal)


def _first(state: State, chosen: str) -> Ask:
    """Return the question of a prefix without links: about one action, which may be the first link."""
    asked = question(state, chosen)
    asked = replace(asked, options=[replace(option, gathers=_gathers(state, option.text)) for option in asked.options])
    action = None if asked.action is None else parsed(parse_action, asked.action)
    if action is not None and is_gathered(state, action):
        return _gathered(state, [_Part(action, state, after(state, action))], asked.chosen, asked)
    if (asked.chosen == "trade" or (not asked.chosen and state.phase == TRADING)) and action is None:
        return replace(asked, plan=Plan((), replace(_trades(state, [], []), refusal=asked.refusal, back=asked.back)))
    return asked


def _gathers(state: State, text: str) -> bool:
    action = parsed(parse_action, text)
    return action is not None and is_gathered(state, action)


def is_gathered(state: State, action: Action) -> bool:
    """Return whether a legal action isn't played at once, because more can follow it or its number of workers can be changed."""
    verb = str(action).split(" ", 1)[0]
    if verb not in _ON:
        return False
    if isinstance(action, Place) and min(VALUES[action.good], state.workers_available[state.active]) > 1:
        return True
    new = after(state, action)
    return new.active == state.active and new.phase == _ON[verb]


# Reading a plan


def _is_kind(text: str) -> bool:
    return text.split(" ", 1)[0] in _KINDS and parsed(parse_action, text) is not None


def _may_follow(parts: Sequence[_Part], now: State, text: str) -> bool:
    """Return whether a part may begin with this word after the parts before it: a plan is one action of the game."""
    verb = text.split(" ", 1)[0]
    if verb not in _ON:
        return False
    if not parts:
        return now.phase in (ACTION, _ON[verb])
    return now.phase == _ON[verb] and now.active == parts[0].before.active


def _tree(state: State) -> Tree[Action]:
    return steps_of(state, {str(action): action for action in legality.legal_actions(state, state.active)})


def _whole(state: State, text: str) -> Action | None:
    """Return the legal action that a part names; of a good and a place, the one with the most workers."""
    legal = {str(action): action for action in legality.legal_actions(state, state.active)}
    if text in legal:
        return legal[text]
    found = [action for action in legal.values() if isinstance(action, Place) and str(action).rpartition(" ")[0] == text]
    return found[-1] if found else None


def _unfinished(state: State, text: str) -> Ask:
    """Return the question of an unfinished part."""
    if text == "trade":
        return _trades(state, [], [])
    asked = question(state, text)
    return asked if asked.chosen else replace(asked, refusal=asked.refusal or _why(state, text))


def _why(state: State, text: str) -> Phrase | None:
    """Return why a part can't be played any more."""
    action = parsed(parse_action, text)
    return None if action is None else because_of(state, action)


# What is shown


def _choosing(state: State, parts: Sequence[_Part], asked: Ask, rest: Sequence[str]) -> Ask:
    """Return the question of a part that is being chosen, between those before it and the `rest`."""
    before = [part.text for part in parts]
    later = [_bare(parse_action(text)) for text in rest]
    chosen = THEN.join([*before, asked.chosen or "trade", *rest])
    texts = [*before, *rest]
    asked, is_full = _fitting(replace(asked, options=_moved(asked.options, before, rest)))
    return replace(
        asked,
        chosen=chosen,
        back=THEN.join(texts),
        action=None,
        stem=THEN.join([*before, asked.stem or asked.chosen or "trade"]) if asked.on_board else None,
        held=(),
        basket=None,
        plan=Plan([*_links(state, parts, rest), *later], full=phrase(phrases.PLAN_FULL_CHANGE, "act-2") if is_full else None),
    )


def _moved(options: Iterable[Option], before: Sequence[str], rest: Sequence[str]) -> list[Option]:
    """Return the options of a part as options of the whole plan."""
    found = []
    stem = ""
    for option in options:
        stem = stem or option.text.rpartition(" ")[0]
        is_place = option.is_place if option.is_place is not None else option.text.rpartition(" ")[0] == stem
        text = THEN.join([*before, option.text, *rest])
        if option.text != str(DONE):
            found.append(replace(option, text=text, is_place=is_place, irreversible=False, recall=False, selected=False))
    return found


def _fitting(asked: Ask) -> tuple[Ask, bool]:
    """Return a question without the options that would make the plan too long, and whether there are any."""
    fitting = [option for option in asked.options if len(option.text) <= _LONGEST]
    if len(fitting) == len(asked.options):
        return asked, False
    kept = {option.target for option in fitting}
    full = phrase(phrases.PLAN_FULL, "act-2")
    closed = {option.target: full for option in asked.options if option.is_place and option.target and option.target not in kept}
    return replace(asked, options=fitting, closed={**asked.closed, **closed}), True


def _gathered(state: State, parts: Sequence[_Part], chosen: str, first: Ask | None = None) -> Ask:
    """Return the question when all parts are whole: what can be added, and the button that plays them."""
    last = parts[-1]
    texts = [part.text for part in parts]
    verb = texts[-1].split(" ", 1)[0]
    goes_on = last.after.active == state.active and last.after.phase == _ON[verb]
    full = go_on = None
    if goes_on:
        asked, is_full = _fitting(_trades(last.after, texts, []) if last.after.phase == TRADING else _workers(last.after, texts))
        full = phrase(phrases.PLAN_FULL, "act-2") if is_full else None
        go_on = (THEN.join(texts), phrase(phrases.CONFIRM_PLAN_ON, "act-2"))
    else:
        asked = Ask(phrase(phrases.ASK_PLAN, "act-2"), ())
    notes = effects(last.before, last.action)
    told = consequences(last.after, DONE) if goes_on else consequences(last.before, last.action)[len(notes) :]
    confirm = confirm_of(last.before, last.action) if len(parts) == 1 else phrase(phrases.CONFIRM_PLAN, "act-2", n=len(parts))
    send = THEN.join([*texts, str(DONE)] if goes_on else texts)
    plan = Plan(_links(state, parts, []), asked, send, confirm, notes[1:], told[-1:], go_on, full)
    if first is not None:
        return replace(first, plan=plan)
    own = question(last.before, last.text)
    own, _ = _fitting(replace(own, options=_moved(own.options, texts[:-1], [])))
    return replace(
        own,
        chosen=chosen,
        back=THEN.join(texts[:-1]),
        on_board=False,
        stem=None,
        closed={},
        held=(),
        plan=plan,
    )


def _trades(state: State, before: Sequence[str], rest: Sequence[str]) -> Ask:
    """Return the question about the next exchange: the areas, each of their exchanges, and tools."""
    tree = _tree(state)
    node = "trade" if state.phase == ACTION else ""
    areas = [step for step in tree.get(node, {}).values() if isinstance(step.action, Trade)]
    others = [step for step in tree[""].values() if step.action in ((MAKE_TOOL,) if before or node else (MAKE_TOOL, DONE))]
    options = [replace(option_of(state, node, step, False), is_place=True) for step in areas]
    for area in areas:
        group = phrase(phrases.GROUP_AREA, "trade-1", area=PLACES[area.action.place])  # type: ignore[union-attr]
        for action in area.below:
            step: Step[Action] = Step(str(action), action, [action])
            options.append(replace(option_of(state, area.text, step, False), is_place=False, target=None, group=group))
    options += [replace(option_of(state, "", step, False), is_place=False) for step in others]
    options = [replace(option, gathers=_gathers(state, option.text)) for option in with_free_targets(options)]
    steps = list(tree[node].values()) if node in tree else []
    return Ask(
        title_of(state, node, steps),
        _moved(options, before, rest) if before or rest else options,
        "trade",
        hint=hint_of(state, node, steps),
        on_board=True,
        stem=THEN.join([*before, "trade"]),
        closed=closed_of(state, "trade", [option.target for option in options]),
        why_not=why_not(state, [step.action for step in steps]) if state.phase == TRADING else (),
    )


def _workers(state: State, before: Sequence[str]) -> Ask:
    """Return the question about the next workers: where a scribe places one, whom one moves, a good that places some."""
    tree = _tree(state)
    steps = [step for step in tree[""].values() if step.action != DONE]
    node = f"scribe {SPOT_NAMES[AVAILABLE]}"
    places = [replace(option_of(state, node, step, False), is_place=True) for step in tree.get(node, {}).values()]
    others = [replace(option_of(state, "", step, False), is_place=False) for step in steps]
    options = with_free_targets([*places, *others])
    return Ask(
        title_of(state, "", steps),
        _moved(options, before, []),
        hint=hint_of(state, "", steps),
        on_board=bool(places),
        stem=THEN.join([*before, node]),
        closed=closed_of(state, node, [option.target for option in options]) if places else {},
        why_not=why_not(state, [step.action for step in steps]),
    )


# Links


def _links(state: State, parts: Sequence[_Part], rest: Sequence[str]) -> list[Link]:
    texts = [part.text for part in parts]
    return [_link(state, parts, [*texts, *rest], at) for at in range(len(parts))]


def _link(state: State, parts: Sequence[_Part], texts: Sequence[str], at: int) -> Link:
    part = parts[at]
    action = part.action
    without = [*texts[:at], *texts[at + 1 :]]
    link = replace(
        _bare(action),
        held=_held(part),
        without=THEN.join(without) if without else _start(state, action),
        change=THEN.join([*texts[:at], _open(action), *texts[at + 1 :]]),
    )
    if not isinstance(action, Place):
        return link
    counts = [
        THEN.join([*texts[:at], str(other), *texts[at + 1 :]])
        for other in legality.placings(part.before, part.before.active)
        if isinstance(other, Place) and (other.good, other.place) == (action.good, action.place)
    ]
    less = counts[action.count - 2] if action.count > 1 else link.without
    more = counts[action.count] if action.count < len(counts) else None
    return replace(link, count=action.count, less=less, more=more) if len(counts) > 1 else link


def _start(state: State, action: Action) -> str:
    """Return the prefix from which the first link was chosen."""
    if isinstance(action, Place):
        return f"place {GOODS[action.good]}"
    return "trade" if isinstance(action, Trade) and state.phase == ACTION else ""


def _open(action: Action) -> str:
    """Return the unfinished part that asks for another action in the place of this one."""
    if isinstance(action, Place):
        return f"place {GOODS[action.good]}"
    return "scribe" if isinstance(action, Scribe) else "trade"


def _bare(action: Action) -> Link:
    """Return a link that only says what it does."""
    return Link(_label(action), _name(action), _pictures(action))


def _name(action: Action) -> Phrase:
    """Return where a link takes place."""
    if isinstance(action, Scribe) and action.target == AVAILABLE:
        return phrase(phrases.GROUP_AVAILABLE, "scribes-3")
    place = "tool_makers"
    if isinstance(action, Scribe):
        place = PLACES[action.target]
    elif isinstance(action, Trade | Place):
        place = PLACES[action.place]
    return phrase(phrases.GROUP_AREA, "components-3", area=place)


def _label(action: Action) -> Phrase:
    if isinstance(action, Trade):
        return phrase(phrases.LINK_TRADE, "trade-2", area=PLACES[action.place], get=GOODS[action.get], give=GOODS[action.give])
    if isinstance(action, Place):
        return phrase(phrases.LINK_PLACE, "place-1", place=PLACES[action.place], n=action.count, good=GOODS[action.good])
    if isinstance(action, Scribe):
        if action.target == AVAILABLE:
            return phrase(phrases.LINK_SCRIBE_BACK, "scribes-3", source=SPOT_NAMES[action.source])
        if action.source == AVAILABLE:
            return phrase(phrases.LINK_SCRIBE_PLACE, "scribes-1", place=PLACES[action.target])
        return phrase(phrases.LINK_SCRIBE_MOVE, "scribes-3", source=SPOT_NAMES[action.source], place=PLACES[action.target])
    assert isinstance(action, Plain)
    return phrase(phrases.LINK_TOOL, "tools-1")


def _pictures(action: Action) -> list[str | None]:
    if isinstance(action, Trade):
        return [SYMBOLS.get(GOODS[action.give]), SYMBOLS.get(GOODS[action.get])]
    if isinstance(action, Place):
        return [SYMBOLS.get(GOODS[action.good]), SYMBOLS["worker"]]
    if isinstance(action, Scribe):
        return [SYMBOLS["scribes"], SYMBOLS["worker"]]
    return [SYMBOLS.get("metal"), SYMBOLS.get("tool")]


def _held(part: _Part) -> list[tuple[str | None, Phrase, int]]:
    """Return what the seat has after a link: its goods, or its workers and scribes."""
    state, seat = part.after, part.before.active
    if isinstance(part.action, Place | Scribe):
        usable = part.before.usable - isinstance(part.action, Scribe)
        workers = part.before.workers_available[seat]
        if isinstance(part.action, Place):
            workers -= part.action.count
        else:
            workers += (part.action.target == AVAILABLE) - (part.action.source == AVAILABLE)
        return [
            (SYMBOLS["worker"], phrase(phrases.LINK_WORKERS, "place-1"), workers),
            (SYMBOLS["scribes"], phrase(phrases.LINK_SCRIBES, "scribes-1"), usable),
        ]
    goods = state.goods[seat * KINDS : (seat + 1) * KINDS]
    return [
        (SYMBOLS.get(GOODS[good]), phrase(phrases.BASKET_GOOD, None, good=GOODS[good]), count) for good, count in enumerate(goods) if count
    ]
