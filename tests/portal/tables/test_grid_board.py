"""A board of squares on the table page: named, linked, closed with a reason, typed, listed; with script or without."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from games.core.contract import score_of
from games.tigris_euphrates.components import LABELS, LAND, RIVER, SQUARE_OF, START_TEMPLES, STRIDE
from games.tigris_euphrates.scene import CELL, MARGIN
from games.tigris_euphrates.state import REVOLT, labels_of
from games.tigris_euphrates.strengths import revolt_strength, war_strength
from portal.tables import services
from portal.tables.loading import load
from portal.tables.models import Table
from portal.tables.parts import Parts
from tests.portal.tables.driver import play_on
from tests.portal.tables.ending import end

HTMX = {"HX-Request": "true"}
POSITIONS = Path(__file__).parents[2] / "browser/positions/tigris_euphrates"
EMPTY_LAND = LAND & ~START_TEMPLES


@pytest.fixture
def rivers(alice, bob, fixed_secret):
    """Tigris & Euphrates for two people, just started, with nothing placed."""
    loaded = services.create_table(owner=alice, game_key="tigris_euphrates", seats=2)
    services.join_table(table_id=loaded.table.pk, user=bob)
    return Table.objects.get(pk=loaded.table.pk)


def due_person(table):
    loaded = load(table.pk)
    return loaded.seats[loaded.table.due[0]].user


def browser(user=None, language="en"):
    client = Client()
    client.cookies["django_language"] = language
    if user is not None:
        client.force_login(user)
    return client


def shown(table, user, **query):
    return browser(user).get(reverse("table", args=[table.pk]), query).content.decode()


def kind_in_hand(table):
    """Return a land kind from the hand of the seat due."""
    loaded = load(table.pk)
    seat = loaded.table.due[0]
    hand = loaded.game.view_for(loaded.state, seat).hands[seat]
    return next(kind for kind in hand if kind != "farm")


def squares(html):
    """Return the attributes of the named element on each square, by label: a link, or the square itself."""
    found = {}
    for attributes in re.findall(r'<(?:a|b role="gridcell"[^>]*?)( id="cell-[^>]*)>', html):
        parts = dict(re.findall(r'([\w-]+)="([^"]*)"', attributes)) | dict.fromkeys(re.findall(r" ([\w-]+)(?=[ >]|$)", attributes), "")
        found[parts["id"].removeprefix("cell-")] = parts
    return found


class Outline(HTMLParser):
    """Collects ids, and nesting faults of forms and links."""

    def __init__(self):
        super().__init__()
        self.ids = Counter()
        self.open = []
        self.nested = []

    def handle_starttag(self, tag, attrs):
        self.ids.update(value for name, value in attrs if name == "id")
        if tag in ("form", "a", "button"):
            if tag in self.open:
                self.nested.append(tag)
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.open:
            self.open.remove(tag)


def outline_of(html):
    outline = Outline()
    outline.feed(html)
    return outline


# Squares


def test_every_square_is_named_once_for_everybody(rivers, charlie, alice, bob):
    for user in (alice, bob, charlie, None):
        found = squares(shown(rivers, user))
        assert set(found) == set(SQUARE_OF)
        assert all(parts["aria-label"].startswith(f"{label}, ") for label, parts in found.items())
        assert found["A1"]["aria-label"] == "A1, empty land"
        assert found["E1"]["aria-label"] == "E1, empty river"
        assert found["B2"]["aria-label"] == "B2, temple with a treasure"
        assert not [label for label, parts in found.items() if "href" in parts]


def test_the_board_is_a_grid_of_eleven_rows(rivers):
    html = shown(rivers, None)
    assert html.count('role="grid"') == 1
    assert html.count('role="row"') == 11
    assert html.count('role="gridcell"') == 176


def test_squares_say_whether_they_are_possible_and_why_not(rivers):
    kind = kind_in_hand(rivers)
    found = squares(shown(rivers, due_person(rivers), a=f"tile {kind}"))
    legal = {label for label, parts in found.items() if "data-target" in parts}
    assert legal == set(labels_of(EMPTY_LAND))
    assert all(parts["href"] == f"?a=tile+{kind}+{label}" for label, parts in found.items())
    assert found["A1"]["aria-label"] == "A1, empty land, possible: On its own"
    assert found["E1"]["aria-label"] == "E1, empty river, not possible: river: farms only"
    assert found["B2"]["aria-label"] == "B2, temple with a treasure, not possible: taken"
    assert {found[label]["tabindex"] for label in set(SQUARE_OF) - legal} == {"-1"}  # clickable, but skipped by the Tab key
    assert not any("tabindex" in found[label] for label in legal)


def test_a_closed_square_tells_why_and_stays_marked(rivers):
    kind = kind_in_hand(rivers)
    html = shown(rivers, due_person(rivers), a=f"tile {kind} E1")
    refusal = re.search(r'<div class="notice notice--bad" id="refusal" role="alert">.*?</div>', html)
    assert refusal is not None
    assert "/en/rules/tigris_euphrates/p/tiles-3/" in refusal[0]
    assert [label for label, parts in squares(html).items() if parts.get("class") == "is-refused"] == ["E1"]
    assert 'id="confirm"' not in html
    assert 'id="refusal"' not in shown(rivers, due_person(rivers), a=f"tile {kind} A1")


def test_the_chosen_square_shows_the_piece(rivers):
    kind = kind_in_hand(rivers)
    html = shown(rivers, due_person(rivers), a=f"tile {kind} A1")
    chosen = [label for label, parts in squares(html).items() if parts.get("aria-current") == "true"]
    assert chosen == ["A1"]
    assert squares(html)["A1"]["aria-label"] == "A1, empty land, chosen: On its own"
    assert re.search(rf'id="cell-A1"[^>]*><svg class="grid-map__ghost"[^>]*><use href="#te-tile-{kind}"/></svg></a>', html)
    assert html.count("grid-map__ghost") == 1
    assert f'name="action" value="tile {kind} A1"' in html


def test_own_leaders_can_be_chosen_on_the_board_but_not_while_a_tile_is_placed(rivers):
    user = due_person(rivers)
    services.submit_action(table_id=rivers.pk, user=user, action="leader king A2", expected_version=load(rivers.pk).table.version)
    found = squares(shown(rivers, user))
    assert {label: parts["href"] for label, parts in found.items() if "href" in parts} == {"A2": "?a=leader+king"}
    seat = load(rivers.pk).table.due[0]
    told = f"A2, king, {user.username}, kingdom 1: revolt 1, war 0, possible: Move a leader: king, A2"
    assert found["A2"]["aria-label"] == told
    placing = squares(shown(rivers, user, a=f"tile {kind_in_hand(rivers)}"))
    assert placing["A2"]["aria-label"].endswith("not possible: taken")
    assert load(rivers.pk).state.leaders[4 * seat] == SQUARE_OF["A2"]


def test_the_last_action_is_marked(rivers):
    user = due_person(rivers)
    assert "#zg-mark-last" not in shown(rivers, user)
    version = load(rivers.pk).table.version
    services.submit_action(table_id=rivers.pk, user=user, action="leader king A2", expected_version=version)
    for viewer in (user, None):
        assert re.findall('href="#zg-mark-last" x="([0-9]+)" y="([0-9]+)"', shown(rivers, viewer)) == [("40", "104")]
    services.submit_action(table_id=rivers.pk, user=user, action="withdraw king", expected_version=version + 1)
    html = shown(rivers, None)
    assert re.findall('class="te-gone" x="([0-9]+)" y="([0-9]+)"', html) == [("40", "104")]
    assert "#zg-mark-last" not in html


# The list and the typed square


def test_the_list_names_the_same_places_under_headings(rivers):
    user = due_person(rivers)
    kind = kind_in_hand(rivers)
    html = shown(rivers, user, a=f"tile {kind}")
    assert f"List of places ({EMPTY_LAND.bit_count()})" in html
    panel = html[html.index('<details class="places__more" id="places"') :]
    panel = panel[: panel.index("</details>")]
    places = dict(re.findall(r'<button class="choice" id="o-cell-(\w+)" name="action" value="([^"]+)"', panel))
    assert {label: f"?{urlencode({'a': text})}" for label, text in places.items()} == {
        label: parts["href"] for label, parts in squares(html).items() if "data-target" in parts
    }
    assert re.findall(r'choice-group__title" id="[^"]+">([^<]+)<', panel) == ["Next to tiles with no leader", "On its own"]
    assert '<details class="places__more" id="places">' in html
    user.list_first = True
    user.save()
    html = shown(rivers, user, a=f"tile {kind}")
    assert '<details class="places__more" id="places" open>' in html
    assert html.index('id="places"') < html.index('id="board"')


def test_a_square_can_be_typed_without_script(rivers):
    user = due_person(rivers)
    kind = kind_in_hand(rivers)
    html = shown(rivers, user, a=f"tile {kind}")
    form = re.search(r'<form id="entry" method="get" action="([^"]+)"></form>', html)
    assert form is not None
    assert html.index('<form id="entry"') > html.index("</form>", html.index('id="table"'))
    fields = re.findall(r'<(?:input|button)[^>]*form="entry"[^>]*>', html)
    assert [re.findall(r'name="(\w+)"', field) for field in fields] == [["a"], ["w"], []]
    assert "csrf" not in "".join(fields)
    assert f'name="a" value="tile {kind}"' in fields[0]
    for typed in ("A1", "a1", " a1 "):
        answer = browser(user).get(form[1], {"a": f"tile {kind}", "w": typed}).content.decode()
        assert f'name="action" value="tile {kind} A1"' in answer
    assert 'id="entry-word"' not in shown(rivers, user)  # nothing to type yet


@pytest.mark.parametrize("typed", ["E1", "Z9", "<em>", "D2 D3", "\u0000", "x" * 300])
def test_a_typed_word_that_is_no_place_asks_again(rivers, typed):
    kind = kind_in_hand(rivers)
    html = shown(rivers, due_person(rivers), a=f"tile {kind}", w=typed)
    assert "<em>" not in html
    assert ('id="confirm"' in html) is (typed == "D2 D3")
    if typed in ("E1", "Z9"):
        assert 'id="refusal"' in html
        assert f'name="w" value="{typed}"' in html  # the typed text can be corrected


@pytest.mark.parametrize("chosen", ["", "tile", "leader king", "leader king A2", "catastrophe", "swap", "pass"])
def test_ids_are_unique_and_nothing_is_nested(rivers, chosen):
    html = shown(rivers, due_person(rivers), a=f"tile {kind_in_hand(rivers)}" if chosen == "tile" else chosen)
    outline = outline_of(html)
    assert [name for name, count in outline.ids.items() if count > 1] == []
    assert outline.nested == []


# What is sent


def parts_of(html):
    return ",".join(f"{part}:{digest}" for part, digest in re.findall(r'id="([\w-]+)" data-h="(\w+)"', html))


def test_a_move_sends_the_rows_that_changed(rivers, charlie):
    client = browser(charlie)
    url = reverse("table-region", args=[rivers.pk])
    page = client.get(url, headers=HTMX).content.decode()
    user = due_person(rivers)
    services.submit_action(table_id=rivers.pk, user=user, action="leader king A2", expected_version=load(rivers.pk).table.version)
    answer = client.get(url, headers={**HTMX, "X-Have": parts_of(page)}).content.decode()
    assert re.findall(r'role="row" id="([\w-]+)"', answer) == ["row-2"]  # the king's and its temple's
    kept = " ".join(re.findall(r'data-keep="([\w -]+)"', answer)).split()
    assert {"ground", "tiles", "row-1", "row-3", "supply"} <= set(kept)
    assert 'id="leaders"' in answer


def test_what_is_kept_of_pages_is_bounded_and_still_right(rivers, monkeypatch):
    monkeypatch.setattr("portal.tables.parts.MAX_KEPT_CHARS", 20_000)
    user = due_person(rivers)
    for chosen in ("", "catastrophe", "catastrophe A1", f"tile {kind_in_hand(rivers)}", ""):
        found = squares(shown(rivers, user, a=chosen))
        assert len(found) == 176
        assert ("data-target" in found["A1"]) is bool(chosen)
    pieces = Parts._rendered.values()
    assert sum(len(html) for html, _ in pieces) == Parts._kept_chars < 60_000


def test_sizes_of_a_board_of_squares(alice, fixed_secret):
    table = services.create_table(owner=alice, game_key="tigris_euphrates", seats=4, bots=["apprentice"] * 3).table
    play_on(table.pk, until=lambda loaded: loaded.table.version > 60 and loaded.seats[loaded.table.due[0]].user is not None)
    page = browser(alice).get(reverse("table", args=[table.pk])).content
    assert len(gzip.compress(page)) < 21_100  # the panel of preferences is not in it: it is fetched when it is opened
    url = reverse("table-region", args=[table.pk])
    sizes, alices = [], browser(alice)
    for step in range(20):
        region = alices.get(url, headers=HTMX).content.decode()
        version = load(table.pk).table.version
        play_on(table.pk, seed=step, until=lambda loaded, version=version: loaded.table.version > version)
        answer = alices.get(url, headers={**HTMX, "X-Have": parts_of(region)})
        sizes.append(len(gzip.compress(answer.content)))
    assert sorted(sizes)[len(sizes) // 2] < 3500


# Conflicts and the end


def test_everybody_sees_both_sides_of_a_conflict(alice, bob, charlie, fixed_secret):
    table = services.create_table(owner=alice, game_key="tigris_euphrates", seats=3, bots=["apprentice"]).table
    services.join_table(table_id=table.pk, user=bob)
    loaded = play_on(table.pk, until=lambda loaded: loaded.state is not None and loaded.state.conflict)
    for user in (alice, bob, charlie, None):
        html = shown(loaded.table, user)
        panel = re.search(r'<section class="te-conflict".*?</section>', html, re.DOTALL)
        assert panel is not None
        for seat in (loaded.state.attacker, loaded.state.defender):
            assert loaded.names[seat] in panel[0]
        assert f"{loaded.names[loaded.state.defender]} wins ties." in panel[0]


@pytest.mark.parametrize("name", ["war", "revolt", "monument"])
def test_the_numbers_drawn_at_leaders_are_their_strengths(alice, fixed_secret, name):
    position = json.loads((POSITIONS / f"{name}.json").read_text())
    table = services.create_table(
        owner=alice, game_key="tigris_euphrates", seats=2, options={}, bots=["apprentice"], position=position
    ).table
    kinds = set()
    for step in range(12):
        loaded = load(table.pk)
        state, conflict = loaded.state, loaded.state.conflict
        html = shown(table, alice)
        assert html.index('id="marks"') < html.index('id="outlines"'), "no mark hides a number"
        layer = html[html.index('id="outlines"') : html.index('role="row"')]
        drawn = re.findall(r'<text x="(\d+)" y="(\d+)"( class="is-revolt")?>(\d+)</text>', layer)
        standing = [(square, divmod(at, 4)) for at, square in enumerate(state.leaders) if square >= 0]
        wanted = []
        for square, (seat, role) in sorted(standing):
            is_revolt = conflict == REVOLT and role == state.colour and seat in (state.attacker, state.defender)
            number = revolt_strength(state, square) if is_revolt else war_strength(state, role, square)
            x, y = square_place(square)
            wanted.append((str(x), str(y), ' class="is-revolt"' if is_revolt else "", str(number)))
            label = f'"{LABELS[square]}, [^"]*: revolt {revolt_strength(state, square)}, war {war_strength(state, role, square)}'
            assert re.search(label, html), "readers of the page hear both"
        assert drawn == wanted
        assert drawn
        kinds.add(conflict)
        play_on(table.pk, seed=step, until=lambda now, version=loaded.table.version: now.table.version > version)
    assert 0 in kinds


def square_place(square):
    """Return where the leader on a square is drawn."""
    row, column = divmod(square, STRIDE)
    return MARGIN + CELL * column, MARGIN + CELL * row


def test_the_weakest_colour_is_the_score_and_the_tie_break_is_shown(rivers, alice):
    end(rivers.pk)
    loaded = load(rivers.pk)
    outcome = loaded.game.outcome(loaded.state)
    html = shown(rivers, alice)
    assert outline_of(html).ids.most_common(1)[0][1] == 1
    for seat in (0, 1):
        sums = sorted(sum(line.points for line in lines) for _, lines in outcome.derivation[seat])
        assert f"in ascending order: {', '.join(map(str, sums))}" in html
        assert score_of(outcome, seat) == outcome.scores[seat] == sums[0]
    assert html.count("weakest colour: ") == 2
    least = {name for name, lines in outcome.derivation[0] if sum(line.points for line in lines) == outcome.scores[0]}
    table = html[html.index('id="points-1"') :]
    table = table[: table.index("</table>")]
    marked = re.findall(r'<tr class="table__row--least"><th class="table__group" colspan="2" scope="rowgroup">(\w+)</th>', table)
    assert {name.lower() for name in marked} == least
    assert set(squares(html)) == set(SQUARE_OF)
    assert "data-target" not in html


def test_the_river_is_where_farms_go(rivers):
    loaded = play_on(
        rivers.pk,
        until=lambda loaded: loaded.state is not None and loaded.state.phase == 0 and loaded.state.hands[4 * loaded.table.due[0] + 2],
    )
    user = loaded.seats[loaded.table.due[0]].user
    found = squares(shown(loaded.table, user, a="tile farm"))
    possible = {SQUARE_OF[label] for label, parts in found.items() if "data-target" in parts}
    assert possible
    assert all(RIVER >> square & 1 for square in possible)
