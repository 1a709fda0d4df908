"""The rule books in the test database, and small books written for a single test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rules_docs import content, loader
from rules_docs.models import Book

BOOK = """
title.hu = "Ra"
title.en = "Ra"
languages = ["hu", "en"]
source_language = "hu"
source_edition = "alea"
source_revision = 1
retired = { auction-13 = "" }

[[chapters]]
slug = "auction"
title.hu = "Az árverés"
title.en = "The auction"
"""
HEAD = "---\ntitle: {title}\nsource: alea\nsource_revision: {revision}\nstate: {state}\n---\n"


@pytest.fixture(scope="module")
def _loaded(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Load every rule book once for the tests of a file, and leave the database unchanged."""
    with django_db_blocker.unblock():
        for game in content.book_keys():
            loader.load(game)
    yield
    with django_db_blocker.unblock():
        Book.objects.all().delete()


@pytest.fixture
def rules(_loaded: None, db: None) -> None:
    """Every rule book."""


@pytest.fixture
def write_book(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Write a book of one chapter, "auction": the Hungarian body, and the English one if given."""

    def write(
        hu: str, en: str | None = None, *, revision: int = 1, en_revision: int = 1, state: str = "reviewed", toml: str = BOOK
    ) -> Path:
        for lang, title, body, of in (("hu", "Az árverés", hu, revision), ("en", "The auction", en, en_revision)):
            (tmp_path / "ra" / lang).mkdir(parents=True, exist_ok=True)
            if body is not None:
                file = tmp_path / "ra" / lang / "01-auction.md"
                file.write_text(HEAD.format(title=title, revision=of, state=state) + body, "utf-8")
        (tmp_path / "ra" / "book.toml").write_text(toml, "utf-8")
        content.forget()
        return tmp_path

    yield write
    content.forget()
