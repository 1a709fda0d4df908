"""Sentences in the reader's language: refusals, log lines, questions, scores.

The English message id of a sentence is in the game (`Phrase.text`, or `game.phrases[event.key]`), its translation in the gettext catalogue.
Values are inserted with typed fields:

    {seat:name}         a seat's player            {seats:names}        several of them
    {tile:noun}         one glossary id            {tiles:nouns}        a list of ids, or {id: count}
    {points:signed}     +5, −2, 0, +1.5            {n:count tile}       a number with its noun, "3 tiles"
    {n}                 anything else as it is; a Phrase as its sentence

A fraction has the decimal sign of the language.

Names are never inflected. Where "you" needs a sentence of its own, the game gives a second message id under the key plus ".me"; it is used
when the event's `seat` is the reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from babel.numbers import get_decimal_symbol
from django.utils import translation

from games import registry
from games.core.contract import Event, IllegalAction, Phrase, PositionError
from games.core.phrases import CONTEXT_END
from voice import glossary

FIELD: Final = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
SPECS: Final = frozenset({"", "name", "names", "noun", "nouns", "signed"})  # and "count <id>"
MINUS: Final = "\N{MINUS SIGN}"

Names = Sequence[str] | Mapping[int, str]


class WordingError(ValueError):
    """A message id uses an unknown or missing field: a fault in the game's phrases."""


def say(
    what: Phrase | Event | IllegalAction,
    lang: str,
    *,
    names: Names = (),
    me: int | None = None,
    game: str = "",
) -> str:
    """Return the sentence in a language as plain text (not escaped).

    `names` gives the players by seat, `me` is the reader's seat, `game` the key of the game whose phrases and nouns are used.
    Of an event's secrets only those of `me` go into the sentence.
    """
    if isinstance(what, Phrase):
        return fill(translate(what.text, lang), what.params, lang, names=names, game=game)
    if isinstance(what, IllegalAction):
        return fill(
            translate(phrase_id(game, what.reason), lang),
            what.params,
            lang,
            names=names,
            game=game,
        )
    params: dict[str, Any] = dict(what.params)
    own = what.secret.get(me) if me is not None else None
    if own:
        params |= own
    text = _event_text(
        game,
        what.key,
        is_me=me is not None and params.get("seat") == me,
        knows=bool(own),
    )
    return fill(translate(text, lang), params, lang, names=names, game=game)


def say_fault(error: PositionError, lang: str) -> str:
    """Return what is wrong with a position, in a language; the field keeps its name. A fault without a sentence is said in English."""
    if error.what is None:
        return str(error)
    text = translate(error.what.text, lang)
    if error.what.params:
        text = fill(text, error.what.params, lang, game=error.game)
    return f"{error.where}: {text}" if error.where else text


def nouns_of(event: Event, *, me: int | None = None, game: str) -> list[str]:
    """Return the glossary ids of what the sentence of an event names, in its order and each once, as the reader `me` may read it."""
    own = event.secret.get(me) if me is not None else None
    params = {**event.params, **(own or {})}
    found: dict[str, None] = {}
    for name, spec in fields(_event_text(game, event.key, is_me=me is not None and params.get("seat") == me, knows=bool(own))):
        if spec == "noun":
            found[str(params[name])] = None
        elif spec == "nouns":
            found |= dict.fromkeys(params[name])
    return list(found)


def say_key(game: str, key: str, lang: str, *, names: Names = (), **params: Any) -> str:
    """Return a game's sentence for a key ("score.pharaoh_most", "end.suns")."""
    return fill(translate(phrase_id(game, key), lang), params, lang, names=names, game=game)


def phrase_id(game: str, key: str) -> str:
    """Return the message id for a key of a game's phrases. Raises WordingError when there is none."""
    try:
        return registry.game(game).phrases[key]
    except KeyError:
        raise WordingError(f"{game} has no phrase {key!r}") from None


def _event_text(game: str, key: str, *, is_me: bool, knows: bool) -> str:
    """Return the message id of an event: `key.known` for a reader who knows its secret, `key.me` for the acting reader."""
    phrases = registry.game(game).phrases
    for wanted, variant in ((knows, f"{key}.known"), (is_me, f"{key}.me")):
        if wanted and variant in phrases:
            return phrases[variant]
    return phrase_id(game, key)


def translate(text: str, lang: str) -> str:
    """Return the translation of a message id; the id itself if the catalogue has none."""
    if not text:
        return ""
    if translation.get_language() == lang:  # as on every page; switching costs more than translating
        return _without_context(translation.gettext(text))
    with translation.override(lang):
        return _without_context(translation.gettext(text))


def _without_context(text: str) -> str:
    """Return a message that the catalogue lacks without the context of its id (see `NC_`)."""
    return text.rpartition(CONTEXT_END)[2]


def fields(text: str) -> Iterator[tuple[str, str]]:
    """Yield the fields of a message id as (name, spec); a doubled brace is not a field.

    >>> list(fields("{seat:name} bid {n}."))
    [('seat', 'name'), ('n', '')]
    """
    for literal, name, spec in _parts(text):
        if literal is None:
            yield name, spec


def fill(
    text: str,
    params: Mapping[str, Any],
    lang: str,
    *,
    names: Names = (),
    game: str = "",
) -> str:
    """Return `text` with its fields replaced. Raises WordingError for an unknown or a missing field."""
    out: list[str] = []
    for literal, name, spec in _parts(text):
        if literal is not None:
            out.append(literal)
            continue
        if name not in params:
            raise WordingError(f"{text!r} needs {name!r}; given: {', '.join(sorted(params)) or 'nothing'}")
        out.append(_value(params[name], spec, lang, names, game, text))
    return "".join(out)


@cache
def _parts(text: str) -> tuple[tuple[str | None, str, str], ...]:
    """Cut a message into (literal, "", "") and (None, field, spec)."""
    out: list[tuple[str | None, str, str]] = []
    at = 0
    for match in FIELD.finditer(text):
        if match.start() > at:
            out.append((text[at : match.start()], "", ""))
        out.append((None, match[1], match[2] or ""))
        at = match.end()
    if at < len(text):
        out.append((text[at:], "", ""))
    return tuple(out)


def _value(value: Any, spec: str, lang: str, names: Names, game: str, text: str) -> str:
    match spec.split():
        case []:
            if isinstance(value, Phrase):
                return fill(translate(value.text, lang), value.params, lang, names=names, game=game)
            return _number(value, lang) if isinstance(value, float) else str(value)
        case ["name"]:
            return names[value]
        case ["names"]:
            return glossary.and_list([names[seat] for seat in value], lang)
        case ["noun"]:
            return glossary.noun(game, str(value), lang)
        case ["nouns"]:
            return glossary.nouns(game, value, lang)
        case ["signed"]:
            return f"+{_number(value, lang)}" if value > 0 else _number(value, lang).replace("-", MINUS)
        case ["count", noun_id]:
            return glossary.counted(game, noun_id, lang, value)
    raise WordingError(f"{text!r}: {spec!r} is no kind of field")


def _number(value: float, lang: str) -> str:
    said = str(value)
    return said.replace(".", get_decimal_symbol(lang)) if "." in said else said  # asking for the sign costs more than the rest
