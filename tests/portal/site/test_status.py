"""The status page: true, in plain words, for everybody, whatever is away."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.conf import settings as site_settings
from django.db import OperationalError

from portal.accounts.models import User
from portal.site import facts, status
from portal.site.facts import Data, Facts, Line

pytestmark = pytest.mark.django_db
NOON = 1_790_000_000.0
IDLE = Line(state="moving", waiting=0, oldest_s=0.0, taken_s=1.0, seen_s=0.5)
CALM = Data(games={}, waiting_s={}, mail=0, mail_waiting_s=0.0, mail_failing=0, unrated=0)
WELL = Facts(at=NOON, data=CALM, lines=dict.fromkeys(("bots", "scoring", "mail"), IDLE), backup_age_s=None)
ALL_GOOD = dict.fromkeys(("Pages", "Games", "Bots", "Scoring", "Mail", "Live updates"), "good")


@pytest.fixture(autouse=True)
def _nothing_kept():
    status.kept.forget()
    yield
    status.kept.forget()


@pytest.fixture
def found(monkeypatch):
    """Show the page for given facts."""
    return lambda facts: monkeypatch.setattr(status, "gather", lambda: facts)


def states(facts):
    return {str(row.name): row.state for row in status.rows(facts)}


def with_line(queue, **changes):
    return replace(WELL, lines={**WELL.lines, queue: replace(IDLE, **changes)})


def with_data(**changes):
    return replace(WELL, data=replace(CALM, **changes))


@pytest.mark.parametrize(
    ("facts", "changed"),
    [
        (WELL, {}),
        (replace(WELL, lines=None), {"Bots": "bad", "Scoring": "bad", "Mail": "bad", "Live updates": "slow"}),
        (replace(WELL, data=None), dict.fromkeys(("Pages", "Games", "Bots", "Scoring", "Mail"), "bad")),
        (with_line("bots", state="stuck"), {"Bots": "bad"}),
        (with_line("scoring", state="no worker"), {"Scoring": "bad"}),
        (with_line("mail", state="no worker"), {"Mail": "bad"}),
        (with_data(waiting_s={"bot": 30.0, "scorer": 3.0}), {"Bots": "slow"}),
        (with_data(waiting_s={"bot": 3.0, "scorer": 30.0}), {"Scoring": "slow"}),
        (with_data(mail=1, mail_waiting_s=400.0), {"Mail": "slow"}),
        (with_data(mail_failing=1), {"Mail": "slow"}),
        (with_data(mail=3, mail_waiting_s=20.0, games={"bot": 9}, unrated=1), {}),
    ],
)
def test_what_each_part_says(facts, changed):
    assert states(facts) == ALL_GOOD | changed


@pytest.mark.parametrize(
    ("lang", "all_well", "bots"),
    [
        ("en", "Everything is working.", "Bots can't move right now. Your games wait for them and then carry on."),
        ("hu", "Minden működik.", "A botok most nem tudnak lépni. A játékaid megvárják őket, aztán folytatódnak."),
        ("ru", "Всё работает.", "Боты сейчас не могут ходить. Ваши игры дождутся их и продолжатся."),
    ],
)
def test_it_speaks_the_readers_language(client, found, lang, all_well, bots):
    found(WELL)
    page = client.get("/status/", headers={"Accept-Language": lang})
    assert page.status_code == 200
    assert all_well in page.content.decode()
    status.kept.forget()
    found(with_line("bots", state="stuck"))
    page = client.get("/status/", headers={"Accept-Language": lang}).content.decode()
    assert bots.replace("'", "&#x27;") in page
    assert all_well not in page


def test_the_time_is_the_readers(client, found, alice):
    found(WELL)
    User.objects.filter(pk=alice.pk).update(time_zone="America/New_York")
    shown = [client.get("/status/").content.decode()]
    client.force_login(alice)
    shown.append(client.get("/status/").content.decode())
    assert [re.search(r"Checked at ([\d:]+ \w+)\.", text)[1] for text in shown] == ["16:13:20 CEST", "10:13:20 EDT"]


def test_the_footer_of_every_page_leads_there_and_a_script_can_ask_for_the_part_that_changes(client, found):
    found(WELL)
    assert 'href="/status/"' in client.get("/lobby/").content.decode()
    page, part = client.get("/status/").content.decode(), client.get("/status/?part=now").content.decode()
    assert '<section class="card stack" id="status-now"' in part
    assert "<footer" not in part
    assert part.strip() in page
    assert 'data-part="/status/?part=now"' in page


def test_everybody_gets_what_was_found_within_some_seconds(client, monkeypatch, django_assert_num_queries):
    now = [1000.0]
    monkeypatch.setattr(status, "monotonic", lambda: now[0])
    with django_assert_num_queries(3):
        client.get("/status/")
    with django_assert_num_queries(0):
        client.get("/status/?part=now")
    now[0] += status.KEPT_S
    with django_assert_num_queries(3):
        client.get("/status/")


def test_a_reader_is_answered_while_another_still_asks(monkeypatch):
    def gather():
        assert status.kept.get() is WELL  # somebody else, meanwhile
        return replace(WELL, data=None)

    monkeypatch.setattr(status, "gather", lambda: WELL)
    assert status.kept.get() is WELL
    status.kept.forget()
    monkeypatch.setattr(status, "gather", gather)
    assert status.kept.get().data is None


def test_without_valkey_it_is_right(client, settings):
    settings.LIVE_REDIS_URL = "unix:///nowhere/valkey.sock?db=2"
    page = client.get("/status/").content.decode()
    assert "Part of the site isn&#x27;t working right now." in page
    assert "updates only every 20 seconds" in page
    assert "Your moves are accepted and saved." in page


def test_without_the_database_it_is_shown_to_somebody_who_is_signed_in_and_who_stays_it(client, alice, monkeypatch, settings):
    client.force_login(alice)
    session = client.cookies[site_settings.SESSION_COOKIE_NAME].value

    def away(*_args, **_options):
        raise OperationalError("gone")

    monkeypatch.setattr("django.db.backends.utils.CursorWrapper.execute", away)
    client.raise_request_exception = False
    assert client.get("/lobby/").status_code == 503
    page = client.get("/status/")
    assert page.status_code == 200
    assert "Most pages can&#x27;t be shown right now." in page.content.decode()
    assert client.cookies[site_settings.SESSION_COOKIE_NAME].value == session
    assert not page.cookies.get(site_settings.SESSION_COOKIE_NAME)


def test_it_tells_no_details_of_the_machine(client, found):
    found(replace(with_line("bots", state="stuck", waiting=4711), backup_age_s=4711.0))
    content = client.get("/status/").content.decode().split("<main")[1].split("</main>")[0]
    for word in ("4711", "stuck", "worker", "queue", "Valkey", "PostgreSQL", "database", "backup"):
        assert word not in content
    assert facts.gather().at
