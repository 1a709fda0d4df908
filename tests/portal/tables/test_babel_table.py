"""The table of Babel: pieces that are answers, the chain of a turn, and what is sent."""

from __future__ import annotations

import gzip
import html as markup
import re

import pytest
from django.test import Client
from django.urls import reverse

from games.babel.components import PEOPLES
from portal.tables import services
from portal.tables.loading import load
from portal.tables.recent import RECENT_LINES
from portal.tables.selectors import table_page
from rules_docs import examples
from tests.portal.tables.driver import play_on
from tests.portal.tables.ending import end
from tests.portal.tables.test_grid_board import HTMX, outline_of, parts_of

CHAIN = ["switch", "migrate hittites sumerians", "switch", "destroy", "move assyrians", "settle hittites", "steal"]


@pytest.fixture
def lands(alice, bob, fixed_secret):
    """The position of the long example, on Alice's turn."""
    position = examples.example("babel", "long-turn").position
    loaded = services.create_table(owner=alice, game_key="babel", seats=2, position=position)
    return services.join_table(table_id=loaded.table.pk, user=bob).table


@pytest.fixture
def fresh(alice, bob, fixed_secret):
    """A game that has just started."""
    loaded = services.create_table(owner=alice, game_key="babel", seats=2)
    return services.join_table(table_id=loaded.table.pk, user=bob).table


def browser(user=None):
    client = Client()
    client.cookies["django_language"] = "en"
    if user is not None:
        client.force_login(user)
    return client


def shown(table, user, **query):
    return browser(user).get(reverse("table", args=[table.pk]), query).content.decode()


def act(table, *actions):
    for action in actions:
        loaded = load(table.pk)
        user = loaded.seats[loaded.table.due[0]].user
        services.submit_action(table_id=table.pk, user=user, action=action, expected_version=loaded.table.version)


def controls(html):
    """Return the links on the board by id: address and text."""
    board = html[html.index('id="board"') : html.index('id="action"')]
    found = {}
    for attributes in re.findall(r'<a class="ba-hit[^"]*"([^>]*)>', board):
        parts = {name: markup.unescape(value) for name, value in re.findall(r'([\w-]+)="([^"]*)"', attributes)}
        found[parts["id"]] = {"href": parts["href"], "label": parts["aria-label"]}
    return found


def chain(html):
    """Return the heading and the steps of the chain."""
    found = re.search(r'<div class="chain"><h3.*?</svg>(.*?)</h3><ol class="chain__steps">(.*?)</ol>', html)
    if found is None:
        return None
    return markup.unescape(found[1]), [
        markup.unescape(step).replace("\xa0", " ") for step in re.findall(r'<li class="chain__step[^"]*">(.*?)</li>', found[2])
    ]


# Pieces


def test_every_answer_with_a_place_is_a_link_on_the_board(lands, alice):
    html = shown(lands, alice)
    found = controls(html)
    game = load(lands.pk)
    asked = game.game.ask(game.game.view_for(game.state, 0))
    targets = {option.target: option.text for option in asked.options if option.target}
    assert set(targets) >= {"land-assyrians", "hand-hittites", "column-hittites", "run-sumerians-1", "rival-outermost"}
    assert set(found) == set(targets)
    for name, text in targets.items():
        assert found[name]["href"] == "?a=" + text.replace(" ", "+")
    assert "Assyria" in found["land-assyrians"]["label"]


def test_a_migration_is_chosen_by_two_columns(lands, alice):
    found = controls(shown(lands, alice, a="migrate hittites"))
    assert {name: control["href"] for name, control in found.items()} == {
        f"column-{people}": f"?a=migrate+hittites+{people}" for people in PEOPLES if people != "hittites"
    }
    chosen = shown(lands, alice, a="migrate hittites medes")
    assert re.search(r'<a class="ba-hit is-chosen" id="column-medes"[^>]* aria-current="true"', chosen)
    for html, count in ((shown(lands, alice), 0), (shown(lands, alice, a="migrate hittites"), 1), (chosen, 1)):
        assert html.count("is-source") == html.count("Three cards migrate from here") == count
    source = chosen[chosen.index("is-source") :]
    assert re.findall(r'is-migrant.*?ba-card__name">(\w+)<', source[: source.index("</ol>")]) == ["Assyrian", "Persian", "Persian"]
    assert 'name="action" value="migrate hittites medes"' in chosen


def test_nobody_else_has_links_or_the_hand(lands, bob, charlie):
    for user in (bob, charlie, None):
        html = shown(lands, user)
        assert controls(html) == {}
        assert ("Your hand: 7 cards" in html) is (user == bob)
    assert 'class="ba-hand"' not in shown(lands, None)


def test_lands_cards_and_temples_have_names(lands, alice):
    html = shown(lands, alice)
    start = html.index('class="ba-land ba-land--hittites')
    hatti = html[start : html.index('class="ba-land ba-land--medes', start)]
    assert 'aria-label="Hatti"' in hatti
    assert 'aria-label="alice: 7 cards, from the inside out"' in hatti
    assert re.findall(r'ba-card__name">(\w+)<', hatti)[-7:] == ["Sumerian"] * 4 + ["Assyrian", "Persian", "Persian"]
    assert 'aria-label="bob\'s temple: height 6"' in hatti
    assert 'aria-label="alice has no temple"' in hatti
    assert 'aria-label="alice\'s pawn"' in hatti
    assert 'aria-label="switching sides"' in hatti


def test_the_score_bar_keeps_its_columns_when_the_game_is_won(alice, bob, fixed_secret):
    columns = [{"hittites": "AAAASH", "assyrians": "HHAAAA", "medes": "HHHH"}, {"medes": "SSMM"}]
    temples = [{"hittites": [1, 2, 3, 4, 5], "assyrians": [1, 2, 3, 4, 5], "medes": [1, 2, 3, 4]}, {"medes": [1]}]
    state = {"turn": 20, "active": 0, "pawns": ["hittites", "medes"], "columns": columns, "temples": temples, "stocks": [[6], [5]]}
    position = {
        "format": "ziggurat-position/1",
        "game": "babel",
        "rules_version": 1,
        "options": {},
        "seats": 2,
        "fill": "won",
        "state": state,
    }
    opened = services.create_table(owner=alice, game_key="babel", seats=2, position=position)
    lands = services.join_table(table_id=opened.table.pk, user=bob).table
    before = re.findall(r'class="ba-score__goal[^"]*">([^<]*)<', shown(lands, bob))
    assert before == ["wins at 15", "wins at 20"]
    act(lands, "build own")
    html = shown(lands, bob)
    assert re.findall(r'class="ba-score__points">(\d+)<', html) == ["15", "1"]
    assert re.findall(r'class="ba-score__goal[^"]*">([^<]*)<', html) == ["", ""], "each row has as many cells as before"


@pytest.mark.parametrize("chosen", ["", "switch", "migrate hittites", "move hittites", "end"])
def test_ids_are_unique_and_nothing_is_nested(lands, alice, chosen):
    outline = outline_of(shown(lands, alice, a=chosen))
    assert [name for name, count in outline.ids.items() if count > 1] == []
    assert outline.nested == []


def test_half_of_a_hand_is_chosen_by_its_cards(lands, bob):
    act(lands, *CHAIN, "move sumerians", "halve persians")
    found = controls(shown(lands, bob))
    assert set(found) == {f"hand-{people}" for people in PEOPLES}
    found = controls(shown(lands, bob, a="discard medes medes"))
    assert found["hand-persians"]["href"] == "?a=discard+medes+medes+persians"


# The chain of a turn


def test_a_turn_is_told_as_a_chain_to_everybody(lands, alice, bob):
    assert chain(shown(lands, alice)) is None
    act(lands, *CHAIN)
    steps = [
        "…",  # the game started within this turn
        "won over Mede",
        "migrated from Hatti to Sumer",
        "won over 2 Assyrians",
        "destroyed bob's temple in Hatti",
        "moved to Assyria",
        "settled 1 Hittite",
        "took level 3 from bob",
    ]
    assert chain(shown(lands, alice)) == ("Your turn so far", steps)
    for user in (bob, None):
        assert chain(shown(lands, user)) == ("alice's turn so far", steps)


def test_what_is_taken_back_leaves_the_chain_and_returns_when_it_is_done_again(lands, alice):
    act(lands, *CHAIN)
    before = chain(shown(lands, alice))
    for kept in (-1, -2, -3):
        services.undo_action(table_id=lands.pk, user=alice, expected_version=load(lands.pk).table.version)
        html = shown(lands, alice)
        assert chain(html)[1] == before[1][:kept]
        assert "disabled" not in html.partition('id="redo-turn"')[2].partition(">")[0]
    for _ in range(3):
        services.redo_action(table_id=lands.pk, user=alice, expected_version=load(lands.pk).table.version)
    assert chain(shown(lands, alice)) == before


def test_the_chain_begins_anew_with_a_turn_and_the_one_before_stays_to_be_read(lands, alice, bob):
    act(lands, *CHAIN, "move sumerians", "halve persians", "discard hittites medes persians", "end")
    html = shown(lands, bob)
    assert chain(html)[0] == "alice's last turn"
    assert chain(html)[1][-2:] == ["halved bob's hand", "discarded Hittite, Mede and Persian"]
    assert chain(shown(lands, alice))[0] == "Your last turn"
    hand = load(lands.pk).game.view_for(load(lands.pk).state, 1).hand
    people = next(people for people in hand if people != "assyrians")
    act(lands, f"move {people}")
    title, steps = chain(shown(lands, bob))
    assert (title, len(steps)) == ("Your turn so far", 1)
    assert chain(shown(lands, alice))[0] == "bob's turn so far"


def test_a_long_turn_is_told_whole_however_often_it_was_tried_and_taken_back(alice, bob, fixed_secret):
    state = {"turn": 9, "active": 0, "pawns": ["medes", "medes"], "hands": [dict.fromkeys(PEOPLES, 6), 5]}
    position = {
        "format": "ziggurat-position/1",
        "game": "babel",
        "rules_version": 1,
        "options": {},
        "seats": 2,
        "fill": "long",
        "state": state,
    }
    opened = services.create_table(owner=alice, game_key="babel", seats=2, position=position)
    lands = services.join_table(table_id=opened.table.pk, user=bob).table
    act(lands, "end")
    people = next(iter(load(lands.pk).game.view_for(load(lands.pk).state, 1).hand))
    act(lands, f"settle {people}", "end")
    settled = [f"settle {people}" for people in PEOPLES for _ in range(6)]
    act(lands, *settled[:6])
    for _ in range(30):
        services.undo_action(table_id=lands.pk, user=alice, expected_version=load(lands.pk).table.version)
        services.redo_action(table_id=lands.pk, user=alice, expected_version=load(lands.pk).table.version)
    act(lands, *settled[6:])
    title, steps = chain(shown(lands, alice))
    assert title == "Your turn so far"
    assert steps == [f"settled 1 {noun}" for noun in ("Assyrian", "Hittite", "Mede", "Sumerian", "Persian") for _ in range(6)]
    page = table_page(lands.pk, alice)
    assert len({line.seq for line in page.log.lines}) == RECENT_LINES, "the log beside the board stays short"
    assert len(load(lands.pk).table.recent) < 2 * len(settled), "what was taken back is not kept"
    act(lands, "end")
    assert chain(shown(lands, bob)) == ("alice's last turn", steps)
    act(lands, f"settle {next(iter(load(lands.pk).game.view_for(load(lands.pk).state, 1).hand))}")
    assert chain(shown(lands, alice))[0] == "bob's turn so far"
    assert len(load(lands.pk).table.recent) <= RECENT_LINES + 2


def test_other_games_tell_no_chain(table, alice):
    play_on(table.pk, until=lambda loaded: loaded.table.version > 8)
    assert 'class="chain"' not in shown(table, alice)


# What is sent


def kept_and_sent(table, user, action):
    """Return the parts that are kept and those that are sent when an action changes the page of `user`."""
    client = browser(user)
    url = reverse("table-region", args=[table.pk])
    page = client.get(url, headers=HTMX).content.decode()
    act(table, action)
    answer = client.get(url, headers={**HTMX, "X-Have": parts_of(page)}).content.decode()
    return set(" ".join(re.findall(r'data-keep="([\w -]+)"', answer)).split()), set(re.findall(r'id="([\w-]+)" data-h=', answer))


def test_an_action_sends_the_lands_that_changed(lands, charlie):
    kept, sent = kept_and_sent(lands, charlie, "settle hittites")
    assert {"land-1", "land-3", "land-4", "land-5", "bar", "decks", "stock-1"} <= kept
    assert {"land-2", "recent", "stock-2"} <= sent
    kept, sent = kept_and_sent(lands, charlie, "move assyrians")
    assert {"land-3", "land-4", "land-5", "bar", "stock-1"} <= kept
    assert {"land-1", "land-2", "decks", "stock-2"} <= sent


def test_the_lands_of_the_last_turn_are_marked(lands, charlie):
    act(lands, "migrate hittites sumerians")
    assert sorted(re.findall(r"ba-recent__land--(\d)", shown(lands, charlie))) == ["2", "4"]


def test_sizes_of_the_table(fresh, alice):
    table = play_on(fresh.pk, until=lambda loaded: loaded.state.turn > 12 and loaded.table.due == [0]).table
    page = browser(alice).get(reverse("table", args=[table.pk])).content
    assert len(gzip.compress(page)) < 14_500
    url = reverse("table-region", args=[table.pk])
    sizes, alices = [], browser(alice)
    for step in range(20):
        region = alices.get(url, headers=HTMX).content.decode()
        version = load(table.pk).table.version
        play_on(table.pk, seed=step, until=lambda loaded, version=version: loaded.table.version > version)
        answer = alices.get(url, headers={**HTMX, "X-Have": parts_of(region)})
        sizes.append(len(gzip.compress(answer.content)))
    assert sorted(sizes)[len(sizes) // 2] < 3500


# The end


def test_a_finished_game_shows_the_last_position_and_where_the_points_came_from(fresh, alice):
    end(fresh.pk)
    loaded = load(fresh.pk)
    html = shown(fresh, alice)
    assert html.count(' class="ba-land ') == len(PEOPLES)
    assert "ba-hit" not in html
    assert "wins at" in html, "the board is that before the final scoring"
    assert "Temple heights" in html
    assert loaded.game.outcome(loaded.state) is not None
