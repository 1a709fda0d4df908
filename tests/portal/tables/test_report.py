"""The report of a game: asked for once, worked out in slices, and only of what is no longer hidden."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone

from games.registry import GAMES
from portal.clubs.models import Club, Membership
from portal.tables import past, report, selectors, slices, tasks, thinking, thoughts
from portal.tables.models import Table, Thought
from portal.tables.replay import replay_of
from portal.tables.report_views import step_at
from tests.portal.tables.telling import play
from tests.portal.tables.test_why import opened, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr(report, "POSITIONS", 4)
    monkeypatch.setattr(report, "PLAYOUTS", 2)
    monkeypatch.setattr(report, "DECISIONS", 8)


@pytest.fixture
def soon(short, monkeypatch):
    """For what doesn't depend on how much was looked at: the best level of Babel thinks long about each choice."""
    monkeypatch.setattr(report, "POSITIONS", 2)
    monkeypatch.setattr(report, "PLAYOUTS", 1)
    monkeypatch.setattr(report, "DECISIONS", 2)


@pytest.fixture
def ended(alice, fixed_secret):
    return play(opened(alice, "babel"))


def worked_out(loaded, client=None):
    """Ask for the report, let the workers do all of it, and return the page's address."""
    address = f"/tables/{loaded.table.pk}/report/"
    assert (client or Client()).post(address).status_code == 302
    while Thought.objects.filter(answer__isnull=True).exists():
        tasks.think(Thought.objects.get().pk)
    return address


@pytest.mark.parametrize("key", GAMES)
def test_a_report_tells_the_chances_the_turning_points_and_how_often_one_chose_well(alice, key, fixed_secret):
    loaded = play(opened(alice, key))
    page = signed_in(alice).get(worked_out(loaded)).content.decode()
    answer = Thought.objects.get().answer
    seats = loaded.table.seat_count
    assert len(answer["chart"]) == 4
    drawing = ElementTree.fromstring(re.search(r'<svg class="report__chart".*?</svg>', page, re.S)[0])
    lines = [line for line in drawing.iter() if line.tag.endswith("polyline")]
    assert [line.get("data-seat") for line in lines] == [str(seat + 1) for seat in range(seats)]
    assert {len(line.get("points").split()) for line in lines} == {5}, "four positions and the result"
    rows = re.findall(r'<tr class="table__row">(.*?)</tr>', page[page.index("<tbody>") :], re.S)
    assert len(rows) == 5
    outcome = loaded.game.outcome(loaded.state)
    assert [int(cell) for cell in re.findall(r"<td[^>]*>(\d+)</td>", rows[-1])] == list(outcome.places)
    own = [choice for choice in answer["choices"] if choice["seat"] == 0]
    assert own == answer["choices"]
    assert "Your choices" in page
    assert re.search(r"</a> \w", page), "a step and what was done there are not one word"
    points = report.turning_points(answer, 0)
    assert page.count("would have chosen") == len(points) == min(3, sum(not choice["is_same"] for choice in own))
    entries = past.line_of(loaded)
    replay = replay_of(loaded, selectors.page_of(loaded, alice))
    for choice in points:
        assert entries[choice["at"]].actor == 0
        assert entries[choice["at"]].by == "player"
        assert f"/replay/?step={step_at(replay, choice['at'])}&amp;seat=1" in page
        assert choice["reasons"]


def test_a_busy_machine_ends_a_slice_by_the_clock_before_the_task_is_interrupted(ended, monkeypatch):
    monkeypatch.setattr(slices, "WAITED_S", 0.0)
    first = report.go_on(ended, None, "apprentice", slice_s=1e9)
    assert first["done"] == 1
    assert report.go_on(ended, first, "apprentice", slice_s=1e9)["done"] == 2


def test_it_is_worked_out_once_and_reading_costs_four_statements(soon, ended, alice, bob, django_assert_num_queries):
    address = f"/tables/{ended.table.pk}/report/"
    assert 'id="ask-report"' in Client().get(address).content.decode()
    assert not Thought.objects.exists(), "looking asks for nothing"
    worked_out(ended, signed_in(bob))
    made = Thought.objects.get()
    signed_in(alice).post(address)
    assert Thought.objects.get().answer == made.answer
    client = Client()
    client.get(address)
    with django_assert_num_queries(3):  # table, answer, records
        assert "report__chart" in client.get(address).content.decode()


def test_slices_come_to_the_same_whatever_they_are(ended, monkeypatch):
    level = "apprentice"
    whole = report.go_on(ended, None, level, 1e9)
    sliced = None
    slices = 0
    while sliced is None or sliced["done"] < sliced["of"]:
        sliced = report.go_on(ended, sliced, level, 0.0)
        slices += 1
    assert slices == whole["of"] == 4 * 2 + 8
    assert report.told(sliced) == report.told(whole)


def test_progress_is_shown_and_what_is_done_is_kept(ended, monkeypatch):
    sent = []
    monkeypatch.setattr(thoughts, "enqueue", lambda task, *args, **more: sent.append(more["priority"]))
    monkeypatch.setattr(thinking, "SLICE_S", 0.0)
    address = f"/tables/{ended.table.pk}/report/"
    client = Client()
    client.post(address)
    first = client.get(address)
    assert first.headers["Refresh"] == "3"
    assert "being worked out" in first.content.decode()
    for _ in range(3):
        tasks.think(Thought.objects.get().pk)
    assert "3 / 16" in client.get(address).content.decode()
    assert set(sent) == {thoughts.BEHIND}, "behind every bot"


def test_nobody_reads_it_before_the_game_is_revealed(table, alice, bob, fixed_secret):
    running = play(opened(alice, "ra", is_rated=False), records=40)
    for number in (table.pk, running.table.pk):
        for client in (signed_in(alice), signed_in(bob), Client()):
            for ask in (client.get, client.post):
                assert ask(f"/tables/{number}/report/").status_code == 409
            assert "/report/" not in client.get(f"/tables/{number}/").content.decode()
    assert not Thought.objects.exists()
    asked = Thought.objects.create(table=running.table, kind=thoughts.REPORT, seq=0, seat=-1, level="scribe", asked_at=timezone.now())
    thinking.work(asked.pk)
    assert Thought.objects.get().answer == {"no": thinking.FAULT}


def test_it_belongs_to_those_who_see_the_game(soon, ended, alice, bob):
    club = Club.objects.create(slug="quiet", name="Quiet", is_private=True, link_code="c0de")
    Membership.objects.create(club=club, user=alice, role="owner")
    Table.objects.filter(pk=ended.table.pk).update(club=club)
    address = worked_out(ended, signed_in(alice))
    assert signed_in(alice).get(address).status_code == 200
    for client in (signed_in(bob), Client()):
        assert client.get(address).status_code == client.post(address).status_code == 404


def test_the_result_leads_to_it(ended):
    assert f'href="/tables/{ended.table.pk}/report/"' in Client().get(f"/tables/{ended.table.pk}/").content.decode()


def test_many_reports_an_hour_are_refused(ended, monkeypatch):
    monkeypatch.setattr("portal.tables.report_views.REPORTS_PER_HOUR", 1)
    client = Client()
    assert [client.post(f"/tables/{ended.table.pk}/report/").status_code for _ in range(2)] == [302, 429]


def test_the_costliest_choices_are_the_turning_points():
    def choice(at, loss, is_same=False):
        return {"at": at, "seat": 0, "loss": loss, "is_same": is_same, "rank": 2 if loss else None, "is_ranked": loss is not None}

    chart = [[0, [[1.0, 1, 1]]], [10, [[1.5, 1, 2]]], [20, [[3.0, 2, 3]]]]
    by_worth = {"chart": chart, "choices": [choice(1, 0.5), choice(2, 3.0), choice(3, 1.0), choice(4, 2.0), choice(5, 0.0, is_same=True)]}
    assert [found["at"] for found in report.turning_points(by_worth, 0)] == [2, 3, 4]
    assert report.summary(by_worth, 0) == (5, 1, 5)
    by_place = {"chart": chart, "choices": [choice(1, None), choice(11, None), choice(12, None), choice(13, None)]}
    assert [found["at"] for found in report.turning_points(by_place, 0)] == [11, 12, 13]
    assert report.summary(by_place, 0) == (4, 0, None)
    assert report.turning_points(by_place, 1) == []
