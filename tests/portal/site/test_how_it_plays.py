"""How a game plays: the recorded turn of each game, its page, its steps for the reel, and the board on the front page."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils.html import escape

from games.registry import GAMES
from portal.tables.how import how_it_plays, kept_address, picture
from rules_docs.content import paragraph_label
from rules_docs.turns import TurnError, turn_of
from tests.portal.site.test_home_and_lobby import main_of

pytestmark = pytest.mark.django_db
LANGUAGES = settings.INTERFACE_LANGUAGES
SECONDS = 60


@pytest.mark.parametrize("key", GAMES)
def test_a_turn_is_told_in_a_few_steps_in_every_language(key):
    turn = turn_of(key)
    assert turn is not None
    assert 5 <= len(turn.steps) <= 8
    for step in turn.steps:
        game, _, anchor = step.rule.partition("#")
        assert game == key
        for language in LANGUAGES:
            assert step.text[language].endswith(".")
            assert paragraph_label(game, anchor, language)
    assert {len(turn.names[language]) for language in LANGUAGES} == {
        GAMES[key].game.state_to_json(turn.start).get("seats", len(turn.names["en"]))
    }
    assert 0 < turn.picture <= len(turn.steps)


@pytest.mark.parametrize("key", GAMES)
def test_every_step_of_the_reel_is_a_whole_picture_and_leaves_time_to_read(key):
    for language in LANGUAGES:
        shown = how_it_plays(GAMES[key], language)
        assert shown is not None
        steps = shown.steps["steps"]
        assert [step["text"] for step in steps] == [still.text for still in shown.stills[1:]]
        boards = [shown.steps["base"], *steps]
        assert all(step["board"] and step["players"] for step in boards)
        assert len({still.board + still.players for still in shown.stills}) == len(shown.stills)  # something happens in each
        assert sum(step["hold"] for step in steps) < SECONDS * 1000


def test_dice_and_points_of_the_turn_are_told():
    shown = how_it_plays(GAMES["history_of_the_world"], "en")
    assert shown is not None
    assert shown.steps["steps"][1]["dice"] == [{"faces": [1, 6], "total": 6}, {"faces": [1], "total": 2}]
    shown = how_it_plays(GAMES["after_the_flood"], "en")
    assert shown is not None
    assert [3, 28] in [list(gain) for gain in shown.steps["steps"][-1]["gains"]]


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_a_turn(client, key, language, django_assert_num_queries):
    address = reverse("how", args=[key])
    headers = {"Accept-Language": language}
    client.get(address, headers=headers)
    with django_assert_num_queries(0):
        page = main_of(client.get(address, headers=headers))
    shown = how_it_plays(GAMES[key], language)
    assert shown is not None
    assert page.count('class="how__step"') == len(shown.stills) - 1
    assert shown.stills[-1].board in page
    assert f'data-url="{escape(kept_address("how-steps", key, language))}"' in page
    assert f'method="post" action="{reverse("play-now", args=[key])}"' in page
    first = main_of(client.get(address, {"step": "1"}, headers=headers))
    assert shown.stills[1].board in first
    assert re.search(r'id="step-1" data-n="1" aria-current="step"', first)
    assert 'href="?step=0"' in first
    assert 'href="?step=2"' in first


@pytest.mark.parametrize("step", ["-1", "x", "99999999999", "%00", "", "¾", "999"])
def test_a_step_that_is_not_there_is_the_last_one(client, step):
    answer = client.get(f"{reverse('how', args=['ra'])}?step={step}")
    if step == "%00":
        assert answer.status_code == 400
        return
    assert 'id="step-7" data-n="7" aria-current="step"' in answer.content.decode()


@pytest.mark.parametrize("route", ["how-steps", "how-board"])
def test_what_is_drawn_is_kept_by_browsers_under_its_version(client, route):
    address = kept_address(route, "ra", "hu")
    kept = client.get(address)
    assert {"public", "immutable"} <= set(kept["Cache-Control"].split(", "))
    for other in (address.replace("v=", "v=x"), address.partition("&")[0]):
        assert client.get(other)["Cache-Control"] == "no-cache"
        assert client.get(other).content == kept.content


@pytest.mark.parametrize(("game", "language"), [("chess", "en"), ("ra", "de"), ("ra", "xx" * 40), ("ra", ""), ("..", "en")])
def test_a_game_or_language_that_is_not_there(client, game, language):
    for route in ("how-steps", "how-board"):
        assert client.get(reverse(route, args=[game]), {"lang": language}).status_code == 404
    if game != "ra":
        assert client.get(reverse("how", args=[game])).status_code == 404


@pytest.mark.parametrize("key", GAMES)
def test_the_board_on_the_front_page_is_a_picture_without_links_or_ids(client, key):
    """One page has five of them: nothing in them takes the focus, and no id stands in it but those of definitions."""
    for language in LANGUAGES:
        drawn = picture(GAMES[key], language)
        assert drawn is not None
        assert "<a " not in drawn
        outside = re.sub(r"<defs>.*?</defs>", "", drawn, flags=re.DOTALL)
        assert not re.findall(r'\sid="[^"]*"', outside)
        assert client.get(kept_address("how-board", key, language)).content.decode() == drawn


def test_the_front_page_says_of_each_game_what_it_is_once(client):
    page = main_of(client.get(reverse("home")))
    for key, entry in GAMES.items():
        assert page.count(f'data-board="{escape(kept_address("how-board", key, "en"))}"') == 1
        assert page.count(f'href="{reverse("how", args=[key])}"') == 1
        assert page.count(entry.game.meta.theme.replace("'", "&#x27;")) == 1
    assert page.count("seats you with") == 1
    assert page.count("button--primary") == len(GAMES)
    for fact in ("2 to 5 players", "3 players", "45 min", "30–60 min", "2–3 h", "light", "medium", "heavy"):
        assert fact in page


def test_the_front_page_stays_light(client):
    """The boards are not in it: each is fetched when it comes into view, and kept."""
    assert len(client.get(reverse("home")).content) < 40_000


def test_a_turn_that_breaks_a_rule_is_refused_with_its_place(tmp_path):
    folder = tmp_path / "ra"
    folder.mkdir()
    (folder / "how.json").write_text("{}")
    with pytest.raises(TurnError, match=r"ra/how\.json"):
        turn_of("ra", tmp_path)
    assert turn_of("babel", tmp_path) is None
