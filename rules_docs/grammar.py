"""The page of a game's actions as text: what programs send, and what records and the typed entry of a table have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import registry
from games.core.grammar import ActionForm, By, shape
from rules_docs import content, pages, views
from voice import glossary, wording

ACTORS: Final[tuple[By, ...]] = ("seat", "chance", "scorer")


@dataclass(frozen=True, slots=True)
class FormRow:
    """A form as the page shows it. `rule` is address and label of its paragraph."""

    shape: str
    meaning: str
    example: str
    rule: tuple[str, str] | None


def rows_of(forms: Sequence[ActionForm], by: By, lang: str) -> list[FormRow]:
    """Return the forms of one kind of actor in a language."""
    return [
        FormRow(shape(form), wording.translate(form.meaning, lang), form.example, _link(form.rule, lang)) for form in forms if form.by == by
    ]


def _link(rule: str | None, lang: str) -> tuple[str, str] | None:
    game, _hash, anchor = (rule or "").partition("#")
    if not anchor or game not in content.book_keys():
        return None
    return content.paragraph_address(game, anchor, lang), content.paragraph_label(game, anchor, lang)


def words_of(game: str, forms: Sequence[ActionForm], lang: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the values that can stand for each name, each with its noun; numbers have none. Values of equal names are put together."""
    found: dict[str, dict[str, None]] = {}
    for form in forms:
        for line in form.lines:
            for part in line:
                found.setdefault(part.name, {}).update(dict.fromkeys(part.values))
    known = glossary.noun_ids(game, lang)
    return [
        (name, [(value, glossary.noun(game, value, lang) if value in known else "") for value in values]) for name, values in found.items()
    ]


@require_safe
def grammar(request: HttpRequest, lang: str, game: str) -> HttpResponse:
    """The forms of a game's actions, with what each does."""
    if (problem := views.not_offered(request, lang, game, "rules:grammar", {"game": game})) is not None:
        return problem
    forms = registry.game(game).grammar()
    if not forms:
        return views.missing(request, lang, _("This game's actions aren't described here."), game=game)
    titles = {"seat": _("What players do"), "chance": _("What chance does"), "scorer": _("How points are counted")}
    context = {
        "book": pages.describe(game, lang),
        "groups": [(titles[by], rows) for by in ACTORS if (rows := rows_of(forms, by, lang))],
        "words": words_of(game, forms, lang),
        "lang": lang,
        "languages": views.switch("rules:grammar", content.book(game).languages, lang, game=game),
    }
    return views.page(request, "rules/grammar.html", context)
