"""The sentences of a table for one reader, with links to rule paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.urls import reverse

from games.core.contract import Event, IllegalAction, Phrase
from portal.accounts.pseudonyms import named
from portal.tables.phrases import SITE_PHRASES
from rules_docs.content import paragraph_label
from rules_docs.pages import drawer
from voice import glossary, wording


@dataclass(frozen=True, slots=True)
class Speaker:
    """Says the sentences of one table to one reader."""

    game: str
    lang: str
    names: Sequence[str]
    me: int | None

    def say(self, what: Phrase | Event | IllegalAction) -> str:
        if isinstance(what, Event) and what.key in SITE_PHRASES:
            text = wording.translate(SITE_PHRASES[what.key], self.lang)
            params = {key: named(value, what.params.get("is_bot")) if key == "who" else value for key, value in what.params.items()}
            return wording.fill(text, params, self.lang, names=self.names, game=self.game)
        return wording.say(what, self.lang, names=self.names, me=self.me, game=self.game)

    def key(self, key: str, **params: Any) -> str:
        return wording.say_key(self.game, key, self.lang, names=self.names, **params)

    def noun(self, word: str) -> str:
        """Return the noun of a glossary id in the reader's language; any other word as it is (a square, "D2")."""
        try:
            return glossary.noun(self.game, word, self.lang)
        except KeyError:
            return word

    def rule(self, rule: str | None) -> dict[str, str] | None:
        """Return address and words of a link to a paragraph ("ra#auction-3")."""
        return rule_link(rule, self.lang) if rule else None


@cache
def rule_link(rule: str, lang: str) -> dict[str, str]:
    """Return address and words of a link to a paragraph; the words are the anchor itself if no book has it."""
    game, _, anchor = rule.partition("#")
    try:
        label = paragraph_label(game, anchor, lang)
    except (KeyError, OSError):
        label = anchor
    return {"url": reverse("rules:paragraph", args=[lang, game, anchor]), "label": label}


def opened_rule(rule: str, lang: str) -> dict[str, Any] | None:
    """Return what the rule drawer shows of a paragraph; None if no loaded book has it."""
    game, _, anchor = rule.partition("#")
    return drawer(game, anchor, lang)
