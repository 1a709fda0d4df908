"""The page of a finished game: the board before it was cleared, places, the points of each round, and what to do next."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client

from games.registry import GAMES
from portal.tables import reel, selectors, services
from portal.tables.loading import load
from portal.tables.models import Table
from portal.tables.replay import replay_of
from portal.tables.speaker import Speaker
from tests.portal.tables.telling import play
from tests.portal.tables.test_replay import opened

pytestmark = pytest.mark.django_db
CELL = re.compile(r'<td class="matrix__cell[^"]*">\s*(?:<a [^>]*data-replay-to="([\d ]+)"[^>]*>)?\s*(−?\d*)\s*(?:</a>)?\s*</td>')


@pytest.fixture(params=GAMES)
def finished(request, alice, fixed_secret):
    return play(opened(alice, request.param))


@pytest.fixture
def ended(alice, fixed_secret):
    return play(opened(alice, "ra"))


def page_of(loaded, user=None):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client.get(f"/tables/{loaded.table.pk}/").content.decode()


def test_the_board_is_that_before_the_final_scoring_and_the_points_add_up(finished):
    html = page_of(finished)
    page = selectors.page_of(finished, None)
    replay = replay_of(finished, page)
    speaker = Speaker(page.entry.key, "en", page.names, None)
    picture = replay.picture(replay.before_the_end, speaker, reel.Follower())
    assert picture["board"] in html
    assert picture["players"] in html
    outcome = page.outcome
    rows = re.findall(r"<tr>(.*?)</tr>", html[html.index('class="matrix__table"') : html.index('id="points"')], re.DOTALL)[1:]
    order = sorted(range(page.seat_count), key=lambda seat: (outcome.places[seat], seat))
    assert len(rows) == page.seat_count
    for seat, row in zip(order, rows, strict=True):
        cells = [([int(step) for step in steps.split()], int(points.replace("−", "-"))) for steps, points in CELL.findall(row) if points]
        assert f">{page.names[seat]}</bdi>" in row
        assert f'class="matrix__total">{outcome.scores[seat]}<' in row
        assert (min if outcome.total == "least" else sum)([points for _, points in cells]) == outcome.scores[seat]
        for steps, points in cells:
            events = [replay.steps[step - 1].line.event for step in steps]
            assert all(event.params["seat"] == seat for event in events if event.key in finished.game.meta.round_scores)
            if finished.table.game == "tigris_euphrates":  # all but the treasures, which are of any colour
                assert len({event.params["colour"] for event in events}) <= 1
                assert 0 <= points - sum(event.params.get("points", 1) for event in events) <= finished.state.jokers[seat]
            elif finished.table.game == "babel":
                assert len({event.params["land"] for event in events}) <= 1
                assert points <= len(events) or any(event.key.startswith("skipped") for event in events), (
                    "a level is built, skipped to or stolen"
                )
            else:
                assert len(steps) <= 1
    linked = [steps for steps, _ in CELL.findall("".join(rows)) if steps]
    assert linked
    assert (
        html.index('class="matrix__table"') < html.index('id="points"') < html.index('class="derivation')
        if 'class="derivation' in html
        else True
    )
    assert re.search(r'<details class="[^"]*result__more[^"]*" id="points">', html), "the breakdown is folded"


def test_play_again_opens_a_table_like_this_one(ended, alice, bob):
    html = page_of(ended, alice)
    form = re.search(r'<form method="post" action="(/tables/new/)">(.*?)</form>', html, re.DOTALL)
    fields = dict(re.findall(r'<input type="hidden" name="([\w-]+)" value="([^"]*)">', form[2]))
    assert fields.pop("csrfmiddlewaretoken")
    assert fields == {"game": "ra", "seats": "3", "seat-1": "apprentice", "seat-2": "apprentice"}
    client = Client()
    client.force_login(alice)
    answer = client.post(form[1], fields)
    again = Table.objects.latest("pk")
    assert answer.url == f"/tables/{again.pk}/"
    assert (again.status, again.game, again.options, again.is_rated) == ("playing", "ra", ended.table.options, True)
    for user in (bob, None):  # who did not play chooses seats and bots
        html = page_of(ended, user)
        assert 'href="/tables/new/?game=ra"' in html
        assert 'action="/tables/new/"' not in html


def test_seats_of_people_are_open_and_options_stay(alice, bob, fixed_secret):
    made = services.create_table(owner=alice, game_key="ra", seats=3, bots=["scribe"], options={"open_fame": True}, is_rated=False)
    services.join_table(table_id=made.table.pk, user=bob)
    play(made.table.pk)
    html = page_of(load(made.table.pk), bob)
    form = re.search(r'<form method="post" action="/tables/new/">(.*?)</form>', html, re.DOTALL)[1]
    fields = dict(re.findall(r'name="([\w-]+)" value="([^"]*)"', form))
    assert fields.items() >= {"seat-1": "open", "seat-2": "scribe", "option-open_fame": "on", "unrated": "on"}.items()


def test_the_ways_on_lead_to_replay_study_and_the_page_itself(ended, alice):
    html = page_of(ended, alice)
    start = f"/tables/{ended.table.pk}/"
    replay = replay_of(ended, selectors.page_of(ended, alice))
    for name, address in (
        ("result-replay", f"{start}replay/?step=0&amp;seat=1"),
        ("result-study", f"{start}studies/new/?step={replay.before_the_end}"),
        ("result-share", start),
        ("replay-link", f"{start}replay/?step={replay.before_the_end}&amp;seat=1"),
    ):
        link = re.search(rf'<a [^>]*id="{name}"[^>]*>', html)[0]
        assert f'href="{address}"' in link
        assert Client().get(address.replace("&amp;", "&")).status_code == 200


def previewed(html: str) -> dict[str, str]:
    return dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)"', html))


def test_a_link_to_a_result_is_shown_elsewhere_with_title_places_and_picture(ended):
    said = previewed(page_of(ended))
    assert re.fullmatch(r"Ra: .+ won with \d+ points?", said["title"])
    assert re.fullmatch(r"[^,]+ \d+(, [^,]+ \d+)+", said["description"])
    assert "alice" in said["description"]
    assert said["url"] == f"{settings.BASE_URL}/tables/{ended.table.pk}/"
    assert said["image"] == f"{settings.BASE_URL}/tables/{ended.table.pk}/result.png?lang=en"


def test_a_table_by_link_tells_other_sites_nothing(ended, alice):
    Table.objects.filter(pk=ended.table.pk).update(privacy=Table.Privacy.LINK)
    html = page_of(ended, alice)
    assert previewed(html) == {}
    assert 'content="noindex"' in html
