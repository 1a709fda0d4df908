"""The pages of the archives and the API: what is there, whose figures they are, and few statements however many games."""

from __future__ import annotations

import csv
import io
from datetime import timedelta
from itertools import pairwise

import pytest
from django.db import connection
from django.shortcuts import render
from django.test import Client
from django.test.utils import CaptureQueriesContext

from archives.figures import DEPTH
from portal.archives import making, pages, views
from portal.archives.models import Archive, OpeningMove
from tests.portal.archives.conftest import OCTOBER, person, ra, three

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(client):
    alice, bob = person("Alice"), person("Bob")
    for number in range(3):
        for _ in range(5):
            ra(alice, bob, number=number)
        ra(number=number, at=OCTOBER + timedelta(days=31))
    three()
    making.make()
    return client


class Shown:
    """What the view gave to the template at the last request of a client."""

    def __init__(self, client, monkeypatch):
        self.client = client
        monkeypatch.setattr(views, "render", self.render)

    def render(self, request, template, context):
        self.context = context
        return render(request, template, context)

    def __call__(self, path, query=None, client=None):
        self.answer = (client or self.client).get(path, query)
        assert self.answer.status_code == 200
        return self.context


@pytest.fixture
def shown(made, monkeypatch):
    return Shown(made, monkeypatch)


def statements(client, path):
    client.get(path)
    with CaptureQueriesContext(connection) as seen:
        assert client.get(path).status_code == 200
    return [query["sql"] for query in seen]


def test_the_list_links_to_every_file_and_shows_its_checksum(made):
    page = made.get("/archives/").content.decode()
    for row in Archive.objects.all():
        for file in row.manifest["files"]:
            assert f'href="/archives/files/ra/{file["name"]}"' in page
            assert file["sha256"] in page
            answer = made.get(f"/archives/files/ra/{file['name']}")
            assert len(b"".join(answer.streaming_content)) == file["bytes"]
            assert answer["Cache-Control"].startswith("public, no-cache")
        assert made.get(f"/archives/files/ra/{row.manifest['name']}.json")["Content-Type"] == "application/json"
    assert "2025-10" in page
    assert "2025-11" in page
    assert made.get("/archives/files/ra/ra-2025-12.json").status_code == 404
    assert made.get("/archives/files/ra/secret_key").status_code == 404


def test_figures_of_the_largest_group_are_shown_first_and_others_on_request(made, shown):
    first = shown("/archives/ra/")["found"]
    assert (first.seats, first.company, first.games) == (2, "all", 18)
    assert shown("/archives/ra/?seats=2&company=people")["found"].games == 15
    assert shown("/archives/ra/?seats=3")["found"].games == 1
    for wrong in (
        "seats=5",
        "seats=x",
        "seats=²",
        "company=bots",
        "seats=3&company=people",
        "move=nonsense",
        "move=draw&" * DEPTH,
        "move=%0A",
    ):
        assert made.get(f"/archives/ra/?{wrong}").status_code == 404, wrong
        assert made.get(f"/archives/ra/openings.csv?{wrong}").status_code == (200 if wrong.startswith("move") else 404)
    assert made.get("/archives/chess/").status_code == 404
    assert made.get("/archives/ra/secrets.csv").status_code == 404


def test_a_line_is_followed_move_by_move(shown):
    start = shown("/archives/ra/")["opening"]
    assert start.games == 18
    assert sum(move.games for move in start.moves) + start.other == 18
    line, games = [], 18
    for depth in range(1, DEPTH):
        page = shown("/archives/ra/", {"seats": 2, "move": line})
        assert (page["opening"].line, page["opening"].games) == (tuple(line), games)
        move, address = page["moves"][0]
        assert move.games == max(one.games for one in page["opening"].moves)
        line, games = [*line, move.text], move.games
        assert shown(address)["opening"].line == tuple(line), depth
    last = shown("/archives/ra/", {"seats": 2, "move": line})
    assert last["moves"]
    assert all(address == "" for _, address in last["moves"])
    assert f'href="/tables/{last["opening"].moves[0].table}/"' in shown.answer.content.decode()


def test_pages_cost_the_same_statements_however_many_games_there_are(made):
    before = [statements(made, path) for path in ("/archives/", "/archives/ra/", "/api/v1/archives/", "/api/v1/archives/ra/")]
    for number in range(3):
        for month in range(2, 5):
            ra(number=number, at=OCTOBER - timedelta(days=31 * month))
    making.make()
    after = [statements(made, path) for path in ("/archives/", "/archives/ra/", "/api/v1/archives/", "/api/v1/archives/ra/")]
    of_archives = [[sql for sql in each if "archives_" in sql] for each in after]
    assert [len(each) for each in of_archives] == [1, 4, 1, 2]
    assert list(map(len, before)) == list(map(len, after))
    assert not [sql for each in after for sql in each if "tables_" in sql]


def test_downloads_have_the_same_numbers(made):
    def read(kind, query="seats=2"):
        answer = made.get(f"/archives/ra/{kind}.csv?{query}")
        assert answer["Content-Type"] == "text/csv; charset=utf-8"
        assert f"-{kind}.csv" in answer["Content-Disposition"]
        return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))[1:]

    assert [row[:2] for row in read("seats")] == [["1", "18"], ["2", "18"]]
    assert sum(float(row[2]) for row in read("seats")) == 18
    assert sum(int(row[1]) for row in read("lengths")) == 18
    assert sum(int(row[1]) for row in read("scores")) == 36
    assert sum(int(row[2]) for row in read("scores")) >= 18
    assert len(read("openings")) == OpeningMove.objects.filter(seats=2, company="all").count()
    assert len(read("openings", "seats=3")) == OpeningMove.objects.filter(seats=3, company="all").count() < len(read("openings"))


def test_without_archives_the_pages_say_so(client):
    for path in ("/archives/", "/archives/ra/"):
        page = client.get(path)
        assert page.status_code == 200
        assert "no archives yet" in page.content.decode()
    assert client.get("/archives/ra/seats.csv").status_code == 404
    assert client.get("/api/v1/archives/").json() == {"next": None, "results": []}
    for path in ("ra/", "ra/openings/", "chess/", "chess/openings/"):
        assert client.get(f"/api/v1/archives/{path}").status_code == 404


def test_the_api_tells_the_same(made):
    first = made.get("/api/v1/archives/?limit=1").json()
    second = made.get(first["next"]).json()
    rows = first["results"] + second["results"]
    assert [row["month"] for row in rows] == ["2025-11", "2025-10"]
    assert second["next"] is None
    assert rows[1]["games"] == 16
    assert rows[1]["files"][0]["url"].endswith(Archive.objects.get(rows=16).manifest["files"][0]["name"])
    assert made.get("/api/v1/archives/?game=babel").json()["results"] == []
    figures = made.get("/api/v1/archives/ra/?seats=2&company=people").json()
    assert figures["games"] == 15 == sum(count["count"] for count in figures["lengths"])
    assert sum(seat["wins"] for seat in figures["by_seat"]) == 15
    opening = made.get("/api/v1/archives/ra/openings/?seats=2").json()
    move = opening["moves"][0]
    deeper = made.get("/api/v1/archives/ra/openings/", {"seats": 2, "move": [move["move"]]}).json()
    assert (deeper["line"], deeper["games"]) == ([move["move"]], move["games"])
    assert move["win_rate_low"] <= move["win_rate"] <= move["win_rate_high"]
    assert made.get("/api/v1/archives/ra/openings/?move=nonsense").status_code == 404


def test_pictures_have_few_bars_of_equal_width():
    assert [bar.label for bar in pages.chart([(5, 1)]).bars] == ["5"]
    for pairs in ([(n, 1) for n in range(100)], [(-3, 2), (40, 1)], [(0, 1), (100_000, 3)], [(199, 1), (200, 2), (215, 1)]):
        chart = pages.chart(pairs)
        assert len(chart.bars) <= pages.BARS
        assert sum(bar.value for bar in chart.bars) == sum(count for _, count in pairs)
        starts = [int(bar.label) for bar in chart.bars]
        assert starts[0] <= pairs[0][0]
        assert len({after - before for before, after in pairwise(starts)}) <= 1


def test_a_mean_has_the_usual_interval():
    values = [1, 1, 2, 3, 3, 3]
    found = pages.Mean.of(sum(values), sum(value * value for value in values), len(values))
    spread = (sum((value - found.value) ** 2 for value in values) / 5 / 6) ** 0.5
    assert found.value == sum(values) / 6
    assert abs(found.by - 1.96 * spread) < 1e-12
    assert pages.Mean.of(2, 4, 1).by is None


def test_visitors_and_people_see_the_same(shown):
    signed_in = Client()
    signed_in.force_login(person("Alice"))
    one, two = shown("/archives/ra/"), shown("/archives/ra/", client=signed_in)
    assert (one["found"], one["opening"]) == (two["found"], two["opening"])
