"""A whole book on one page, printed, and as one file."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from rules_docs import content, examples

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rules")]


def text(response: Any) -> str:
    return response.content.decode()


def ids(page: str) -> list[str]:
    return re.findall(r'\sid="([^"]+)"', page)


@pytest.mark.parametrize("game", content.book_keys())
@pytest.mark.parametrize("file", ["", "file/"])
def test_the_whole_book_is_on_one_page_in_order_with_links_that_stay_in_it(client: Client, game: str, file: str) -> None:
    page = text(client.get(f"/hu/rules/{game}/whole/{file}"))
    found = ids(page)
    assert len(found) == len(set(found))
    assert [one for one in found if one in content.places(game)] == list(content.places(game))
    assert [one.removeprefix("chapter-") for one in found if one.startswith("chapter-")] == [c.slug for c in content.book(game).chapters]
    assert page.count("example--still") >= len(examples.example_names(game)) > 0
    book = page[page.index('<article class="whole') : page.index("</article>")]
    links = re.findall(r'href="([^"]*)"', book)
    assert links
    elsewhere = {link for link in links if not link.startswith("#")}
    assert not elsewhere if file else all(re.match(r"/static/art/\w+\.svg#", link) for link in elsewhere)
    assert {link[1:] for link in links} - set(found) - {link[1:] for link in elsewhere} == set()


def test_the_paper_is_chosen_by_the_address(client: Client) -> None:
    for asked, paper in (("", "a4"), ("?paper=a5", "a5"), ("?paper=letter", "a4")):
        assert f'class="whole whole--{paper}"' in text(client.get(f"/en/rules/ra/whole/{asked}"))


def test_the_file_needs_nothing_else_and_holds_nothing_of_the_reader(client: Client) -> None:
    response = client.get("/ru/rules/ra/whole/file/")
    page = text(response)
    assert response.headers["Content-Disposition"] == 'attachment; filename="ra-ru.html"'
    assert "<script" not in page
    assert "csrf" not in page
    assert "url(" not in page.split("</style>")[0]
    assert re.findall(r'(?:src|href)="((?!#)[^"]*)"', page) == ["http://127.0.0.1:8000/ru/rules/ra/whole/"] * 2
    assert f"{content.book('ra').title['ru']}: правила" in page
    assert len(response.content) < 400_000


def test_the_contents_of_a_book_lead_to_it_whole(client: Client) -> None:
    page = text(client.get("/hu/rules/ra/"))
    for address in ("/hu/rules/ra/whole/", "/hu/rules/ra/whole/?paper=a5", "/hu/rules/ra/whole/file/"):
        assert f'href="{address}"' in page


def test_a_whole_book_costs_two_queries(client: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(2):
        client.get("/en/rules/ra/whole/")
