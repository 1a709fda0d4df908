"""A hostile crawler over every page, as everybody: never a fault of the server, and never what somebody else must not read.

The suite sends a sample of it, the same each time; `make hostile` sends more.
"""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from rules_docs import loader
from tests.portal.hostile.addresses import LANGUAGES, routes
from tests.portal.hostile.conftest import EACH, LONG, ROLES, World
from tests.portal.hostile.crawler import SENT, Crawler, kind_of
from tests.portal.hostile.reading import Form, Page

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def books(db):
    loader.load("ra")


def test_every_page_by_everybody(world: World, unlimited) -> None:
    """Links are followed from the start; what no link leads to is opened by its route. Then the forms that were found are sent."""
    values, sent, faults, shown = itertools.cycle(SENT), set(), [], set()
    for number, role in enumerate(ROLES):
        table = list(world.tables.values())[number % len(world.tables)]
        for language in LANGUAGES if LONG else [LANGUAGES[number % 3]]:
            crawler = Crawler(world, role, language)
            is_clerk = role in ("staff", "superuser") and not LONG  # everywhere else they are a member of no club
            crawler.crawl(("/admin/",) if is_clerk else ("/", f"/tables/{table}/"), each=EACH)
            for address in world.addresses:
                if not crawler.opened[kind_of(f"/{address}")] and address.startswith("admin/" if is_clerk else ""):
                    crawler.open(f"/{address}")
            crawler.forms = {key: form for key, form in crawler.forms.items() if (key, role if LONG else "") not in sent}
            sent |= {(key, role if LONG else "") for key in crawler.forms}
            crawler.send_forms(values)
            faults += crawler.faults
            shown |= crawler.shown
    assert not faults, "\n".join(faults[:30])
    assert len({key for key, _role in sent}) > 80, "the forms of the site"
    assert shown >= {"link of the club", "reason of a ban", "message of a request", "mail of owner"}, "whoever may read them does"


@pytest.mark.filterwarnings("ignore::django.core.cache.CacheKeyWarning")  # an odd key of a session
def test_every_address_misused(world: World, unlimited) -> None:
    turns: Counter[object] = Counter()
    crawlers = [Crawler(world, role, LANGUAGES[number % 3]) for number, role in enumerate(ROLES)]
    by_route = world.by_route
    assert set(by_route) == set(routes())
    for number, (route, address) in enumerate(by_route.items()):
        for crawler in crawlers if LONG else [crawlers[number % len(crawlers)]]:
            crawler.misuse(route, address, turns)
    faults = [fault for crawler in crawlers for fault in crawler.faults]
    assert not faults, "\n".join(faults[:30])


def test_the_crawler_notices_faults_and_what_is_shown(world: World, monkeypatch) -> None:
    world.secrets["word"] = ("Ziggurat", {"owner"})
    crawler = Crawler(world, "player", "en")
    crawler.open("/")
    assert [fault for fault in crawler.faults if fault.endswith("shows the word")]
    assert not Crawler(world, "owner", "en").hidden.keys() & {"word"}
    crawler.faults.clear()
    monkeypatch.setattr("portal.tables.lobby_views.table_rows", lambda *_args: 1 // 0)
    crawler.open("/lobby/")
    assert [fault for fault in crawler.faults if "500" in fault and "ZeroDivisionError" in fault]


def test_the_crawler_finds_links_and_what_forms_send() -> None:
    page = Page(
        "/a/b/",
        """<a href="../c/?d=1#e">x</a><a href="https://elsewhere.example/">x</a><img src="/static/x.png">
        <form method="post" id="f" action="go/"><input name="a" value="1"><input type="checkbox" name="no"><input type="radio" name="r" value="2" checked>
        <select name="s"><option value="3"><option value="4" selected></select><textarea name="t"></textarea></form>
        <button form="f" name="b" value="5">x</button>""",
    )
    assert page.links == ["/a/c/?d=1"]
    assert page.forms == [Form("post", "/a/b/go/", [("a", "1"), ("r", "2"), ("s", "4"), ("t", ""), ("b", "5")])]
