"""The requests of docs/api.md, made in their order, give what it shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache

from rules_docs import loader
from tests.portal.api.asking import Person

pytestmark = pytest.mark.django_db
PAGE = Path(settings.BASE_DIR, "docs/api.md")
REQUEST = re.compile(
    r"^(\w+)> (GET|POST|PUT|PATCH|DELETE) (\S+)\n(?:(\{.*\})\n)?(\d{3})(?:\n(\{(?:.|\n)*?\}))?(?=\n\n|\n```)", re.MULTILINE
)
FEWEST = 20  # requests; a page that can't be read would pass otherwise


def compare(shown, given, numbers: dict[int, int], at: str) -> None:
    """Each value that the page shows is there; numbers of rows may be others, which are noted, and "…" stands for anything."""
    if isinstance(shown, dict):
        assert isinstance(given, dict), at
        assert set(shown) <= set(given), (at, set(shown) - set(given))
        for key, value in shown.items():
            compare(value, given[key], numbers, f"{at}.{key}")
    elif isinstance(shown, list):
        assert (isinstance(given, list) and bool(shown) == bool(given)) or at.endswith(".marks"), (at, given)
        for index, value in enumerate(shown):
            compare(value, given[index], numbers, f"{at}[{index}]")
    elif isinstance(shown, int) and at.endswith((".id", ".table", ".version")):
        numbers[shown] = given
    elif shown != "…":
        assert shown == given, (at, given)


def test_the_page_tells_the_truth(alice, bob, fixed_secret, monkeypatch):
    cache.clear()
    monkeypatch.setattr("portal.matching.services.later", lambda *_args: None)
    monkeypatch.setattr("portal.notices.unread.transaction.on_commit", lambda call, **_options: call())
    loader.load("ra")
    people = {"alice": Person(alice), "bob": Person(bob)}
    numbers: dict[int, int] = {}
    found = REQUEST.findall(PAGE.read_text())
    assert len(found) > FEWEST
    assert len(found) == len(re.findall(r"^\w+> ", PAGE.read_text(), re.MULTILINE))
    for name, method, path, body, status, shown in found:
        real = {str(one): str(other) for one, other in numbers.items()}
        path = re.sub(r"(?<=/)\d+(?=/)", lambda match, real=real: real.get(match[0], match[0]), path)
        sent = json.loads(body) if body else {}
        if "expected_version" in sent:
            sent["expected_version"] = numbers[sent["expected_version"]]
        if "table" in sent:
            sent["table"] = numbers[sent["table"]]
        person = people[name]
        answer = person.get(path) if method == "GET" else person.post(path, sent, method)
        assert answer.status_code == int(status), (path, answer.content)
        if shown:
            compare(json.loads(shown), answer.json(), numbers, path)
