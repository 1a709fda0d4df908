"""The pages of duplicate sets: what each role sees and may do, bad input, the number of statements."""

from __future__ import annotations

import re

import pytest

from games.core.rng import SeededRng
from portal.clubs.models import DuplicateSet
from portal.contests import duplicate_selectors, duplicates
from portal.tables import past
from portal.tables.loading import load
from portal.tables.models import Table
from tests.portal.leaks.eyes import Eyes, forget, masked
from tests.portal.leaks.secrets import VARY
from tests.portal.tables.ending import end
from tests.portal.tables.telling import play

from .test_duplicates import ids, sit

pytestmark = pytest.mark.django_db
BASE = "/clubs/enlil/duplicates/"
FORM = {"game": "ra", "name": "Week 3", "seats": "3", "n_tables": "3", "seat-1": "scribe"}


@pytest.fixture
def at(client):
    """Sign somebody in."""

    def sign_in(user):
        client.force_login(user)
        return client

    return sign_in


def test_outsiders_of_a_private_club_find_nothing(made, charlie, at, client):
    reading, sending = ("", "new/", f"{made.pk}/"), tuple(f"{made.pk}/{verb}/" for verb in ("sit", "start", "close", "end"))
    data = {"table": ids(made)[0], "seat": 0}
    for eyes in (client, at(charlie)):
        for call, address in [(eyes.get, path) for path in reading] + [(eyes.post, path) for path in (*sending, "new/")]:
            there, missing = (call(f"/clubs/{slug}/duplicates/{address}", data) for slug in ("enlil", "nowhere"))
            assert there.status_code == missing.status_code == 404, address
            assert masked(there.content).replace(b"enlil", b"nowhere") == masked(missing.content), address
    assert load(ids(made)[0]).table.status == "open"


def test_sets_of_another_club_are_not_found_here(made, olga, at):
    from portal.clubs import services

    other = services.create_club(owner=olga, name="Nabu")
    for address in (f"/clubs/{other.slug}/duplicates/{made.pk}/", f"{BASE}99999/", f"{BASE}{10**30}/"):
        assert at(olga).get(address).status_code == 404


def test_a_member_sits_down_and_lands_at_the_table(made, bob, at):
    page = at(bob).get(f"{BASE}{made.pk}/").content.decode()
    assert page.count("Take seat 1 at table") == 2
    assert "Start with bots" not in page
    assert "End the set" not in page
    answer = at(bob).post(f"{BASE}{made.pk}/sit/", {"table": ids(made)[1], "seat": 0})
    assert (answer.status_code, answer["Location"]) == (303, f"/tables/{ids(made)[1]}/")
    page = at(bob).get(f"{BASE}{made.pk}/").content.decode()
    assert "Take seat" not in page
    assert "Go to my table" in page
    again = at(bob).post(f"{BASE}{made.pk}/sit/", {"table": ids(made)[0], "seat": 0})
    assert again.status_code == 409
    assert "Nobody can play the same deal twice" in again.content.decode()


@pytest.mark.parametrize(
    "sent", [{}, {"table": "x"}, {"table": "1" * 40, "seat": "0"}, {"table": "-1", "seat": "0"}, {"seat": "9"}, {"seat": "²"}]
)
def test_a_seat_that_is_none_is_refused(made, bob, at, sent):
    data = {"table": ids(made)[0], **sent}
    answer = at(bob).post(f"{BASE}{made.pk}/sit/", data)
    assert answer.status_code in (404, 422)
    assert load(ids(made)[0]).table.status == "open"


def test_who_gets_up_before_the_start_is_led_to_the_other_tables(pair, bob, at):
    sit(pair, 0, bob)
    page = at(bob).get(f"/tables/{ids(pair)[0]}/").content.decode()
    assert "a club officer starts it" in page
    assert f'href="{BASE}{pair.pk}/"' in page
    answer = at(bob).post(f"/tables/{ids(pair)[0]}/leave/")
    assert (answer.status_code, answer["Location"]) == (303, f"{BASE}{pair.pk}/")
    assert "Take seat 1 at table 1" in at(bob).get(answer["Location"]).content.decode()


def test_a_get_of_the_seat_address_leads_to_the_set(made, bob, at):
    assert at(bob).get(f"{BASE}{made.pk}/sit/")["Location"] == f"{BASE}{made.pk}/"


def test_an_officer_makes_a_set(club, olga, at):
    assert at(olga).get(f"{BASE}new/?game=babel").status_code == 200
    answer = at(olga).post(f"{BASE}new/", {**FORM, "unrated": "on"})
    made = DuplicateSet.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, f"{BASE}{made.pk}/")
    tables = list(Table.objects.filter(duplicate=made))
    assert [table.is_rated for table in tables] == [False] * 3
    assert [[seat.bot_level for seat in load(table.pk).seats] for table in tables] == [["", "scribe", ""]] * 3


@pytest.mark.parametrize(
    "changed",
    [
        {"name": ""},
        {"name": "x" * 10_000},
        {"name": "a\u202eb"},
        {"seats": "7"},
        {"seats": "two"},
        {"seats": ""},
        {"n_tables": "1"},
        {"n_tables": "999"},
        {"n_tables": "²"},
        {"seat-1": "grandmaster"},
        {"seat-0": "scribe", "seat-2": "scribe"},
    ],
)
def test_a_form_that_cannot_be_comes_back_with_the_reason(club, olga, at, changed):
    answer = at(olga).post(f"{BASE}new/", FORM | changed)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert not DuplicateSet.objects.exists()


def test_an_unknown_game_is_not_found(club, olga, at):
    assert at(olga).post(f"{BASE}new/", FORM | {"game": "chess"}).status_code == 404
    assert at(olga).get(f"{BASE}new/?game=../etc").status_code == 404


def test_members_cannot_make_start_close_or_end(made, bob, at):
    sit(made, 0, bob)
    for address in ("new/", f"{made.pk}/start/", f"{made.pk}/close/", f"{made.pk}/end/"):
        assert at(bob).post(BASE + address, {**FORM, "table": ids(made)[1]}).status_code == 403
    assert at(bob).get(f"{BASE}new/").status_code == 403
    assert [load(table_id).table.status for table_id in ids(made)] == ["playing", "open"]
    assert DuplicateSet.objects.count() == 1


def test_an_officer_starts_closes_and_ends(pair, olga, bob, at):
    sit(pair, 0, bob)
    page = at(olga).get(f"{BASE}{pair.pk}/").content.decode()
    assert page.count("with bots</button>") == 1
    assert at(olga).post(f"{BASE}{pair.pk}/start/", {"table": ids(pair)[1]}).status_code == 409  # nobody sits there
    assert at(olga).post(f"{BASE}{pair.pk}/start/", {"table": ids(pair)[0]}).status_code == 303
    assert at(olga).post(f"{BASE}{pair.pk}/close/").status_code == 303
    assert at(olga).post(f"{BASE}{pair.pk}/close/").status_code == 409
    assert at(olga).post(f"{BASE}{pair.pk}/end/").status_code == 303
    assert [load(table_id).table.status for table_id in ids(pair)] == ["abandoned", "abandoned"]
    assert "nothing to compare" in at(olga).get(f"{BASE}{pair.pk}/").content.decode()


def test_visitors_of_a_public_club_see_the_progress(public, made, alice, client):
    sit(made, 0, alice)
    page = client.get(f"{BASE}{made.pk}/").content.decode()
    assert "0 of 2 tables finished" in page
    assert "Only club members can join." in page
    assert f'href="/tables/{ids(made)[0]}/"' not in page
    assert client.get(f"/tables/{ids(made)[0]}/").status_code == 404


def test_the_comparison_is_shown_after_the_reveal(made, alice, bob, at):
    sit(made, 0, alice)
    sit(made, 1, bob)
    end(ids(made)[0], seed=1)
    before = at(alice).get(f"{BASE}{made.pk}/").content.decode()
    assert "1 of 2 tables finished" in before
    assert "Duplicate points" not in before
    end(ids(made)[1], seed=2)
    after = at(alice).get(f"{BASE}{made.pk}/").content.decode()
    assert "Who made the most of their seat?" in after
    assert bytes(made.secret).hex() in after
    for table_id in ids(made):
        score = load(table_id).seats[0].score
        assert re.search(rf'href="/tables/{table_id}/".*?table__cell--num">{score}<', after, re.S)
        assert f'href="/tables/{table_id}/"' in after
    assert "Compared" in at(alice).get(BASE).content.decode()


def test_a_table_is_replayed_from_ones_own_seat_until_the_reveal(public, made, alice, bob, at):
    """Byte for byte alike, whatever the other seat holds in any earlier position, and whatever the secret of the set is."""
    sit(made, 0, alice)
    sit(made, 1, bob)
    first, second = ids(made)
    play(first)
    page = f"/tables/{first}/"

    def answers():
        forget()
        seen = {name: (answer.status_code, masked(answer.content)) for name, answer in Eyes(alice)._replay(page, False)}
        return seen | {path: (at(alice).get(path).status_code, masked(at(alice).get(path).content)) for path in (page, f"{page}log/")}

    before = answers()
    assert before["replay"][0] == before["replay steps 1"][0] == before["replay from 1"][0] == 200
    assert before["replay from 0"][0] == before["replay from 2"][0] == before["replay steps from 0"][0] == 404
    assert b"Seen from" not in before["replay"][1]
    assert b"Study" not in before[page][1]
    assert at(alice).get(f"{page}study/?step=1").status_code == 409
    last = load(first).table.seq
    kept = [key for key in past._kept if key[0] == first and key[2] != last]
    assert len(kept) > 50
    for key in kept:
        past._kept[key] = VARY["ra"](past._kept[key], 0, SeededRng(f"{key[2]}"))
    Table.objects.filter(pk=first).update(secret=bytes(32))
    assert answers() == before
    past._kept.clear()
    for path in (page, f"{page}replay/?step=1", f"{page}replay/steps/?step=1", f"{page}study/?step=1"):
        assert at(bob).get(path).status_code == 404, path
    play(second)
    for user in (alice, bob):
        for seat in range(3):
            assert at(user).get(f"{page}replay/?step=1&seat={seat}").status_code == 200


def test_lists_and_pages_cost_the_same_statements_for_few_and_many(club, made, olga, alice, at, django_assert_num_queries):
    client = at(olga)
    sit(made, 0, alice)

    def costs():
        found = []
        for address in ("", f"{made.pk}/"):
            client.get(BASE + address)
            with django_assert_num_queries(5 if address else 3):
                client.get(BASE + address)
            found.append(address)
        return found

    costs()
    for number in range(4):
        duplicates.create_set(club=club, actor=olga, name=f"More {number}", game="babel", seats=2, n_tables=6)
    costs()


def test_more_sets_than_a_page_holds(club, olga, at, monkeypatch):
    monkeypatch.setattr(duplicate_selectors.sets_of, "__kwdefaults__", {"page": 1, "size": 2})
    for number in range(3):
        duplicates.create_set(club=club, actor=olga, name=f"Set {number}", game="babel", seats=2, n_tables=2)
    first, second = (at(olga).get(BASE + query).content.decode() for query in ("", "?page=2"))
    assert "Set 2" in first and "Set 0" not in first
    assert "Set 0" in second and "Set 2" not in second
    for query in ("?page=3", "?page=0", "?page=x", "?page=99999999999"):
        assert at(olga).get(BASE + query).status_code == 404


def test_pages_of_a_private_club_are_kept_by_nobody(made, alice, at):
    for address in ("", f"{made.pk}/"):
        control = at(alice).get(BASE + address)["Cache-Control"]
        assert "private" in control and "no-cache" in control
