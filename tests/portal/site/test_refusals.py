"""Every refusal of the portal: its own sentence in each language, a status, a code, and no value left unfilled."""

from __future__ import annotations

import re
import string
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from portal.common.refusals import Refusal, every_refusal

for _file in sorted(Path(settings.BASE_DIR, "portal").rglob("refusals.py")):
    import_module(".".join(_file.relative_to(settings.BASE_DIR).with_suffix("").parts))

REFUSALS = sorted(set(every_refusal()), key=lambda kind: f"{kind.__module__}.{kind.__qualname__}")  # alike in each process of the suite
LANGUAGES = [code for code, _name in settings.LANGUAGES]
OPEN = re.compile(r"%\((\w+)\)|\{\w*\}|%[sd]")


class Anything(dict[str, object]):
    """A value for every name in a sentence, both a number and a text."""

    def __missing__(self, name: str) -> object:
        return 7


def said(refusal: type[Refusal], lang: str) -> str:
    raw = refusal.__new__(refusal)
    raw.values = Anything()
    with translation.override(lang):
        return str(raw.sentence % raw.values)


def name_of(refusal: type[Refusal]) -> str:
    return f"{refusal.__module__}.{refusal.__name__}"


def test_the_family_is_found() -> None:
    apps = {refusal.__module__.split(".")[1] for refusal in REFUSALS}
    assert apps == {
        "accounts",
        "books",
        "bots",
        "clubs",
        "common",
        "contests",
        "friends",
        "matches",
        "matching",
        "notices",
        "people",
        "ratings",
        "studies",
        "tables",
        "talk",
    }
    assert len(REFUSALS) > 150


@pytest.mark.parametrize("refusal", REFUSALS, ids=name_of)
def test_a_refusal_is_said_in_every_language(refusal: type[Refusal]) -> None:
    sentences = {lang: said(refusal, lang) for lang in LANGUAGES}
    for lang, sentence in sentences.items():
        assert not OPEN.search(sentence), (lang, sentence)
        assert sentence[-1] in ".?!…7", (lang, sentence)
        assert sentence[0] not in string.ascii_lowercase, (lang, sentence)
    assert len(set(sentences.values())) == len(LANGUAGES), sentences


@pytest.mark.parametrize("refusal", REFUSALS, ids=name_of)
def test_a_refusal_has_status_and_code(refusal: type[Refusal]) -> None:
    assert refusal.status in (400, 401, 403, 404, 409, 422, 429, 503), refusal
    assert (refusal.retry_after_s is not None) == (refusal.status in (429, 503)), refusal
    assert re.fullmatch(r"[a-z_]+", refusal.code)
    assert refusal.__name__[0].isupper() and not refusal.__name__.endswith("Error")


def test_a_code_has_one_status() -> None:
    statuses = defaultdict(set)
    for refusal in REFUSALS:
        statuses[refusal.code].add(refusal.status)
    assert all(len(found) == 1 for found in statuses.values()), statuses


def test_the_sentence_is_chosen_when_it_is_read() -> None:
    from portal.tables.refusals import BadWord

    error = BadWord(limit=60)
    with translation.override("hu"):
        assert "60" in str(error) and "karakter" in str(error)
    with translation.override("en"):
        assert str(error) == "The word can have at most 60 printable characters."
