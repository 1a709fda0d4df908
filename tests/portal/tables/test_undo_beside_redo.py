"""Undo and redo stand side by side at every table while either is possible; after a die both are gone and the page says why."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from games.registry import GAMES, game
from portal.tables import services
from portal.tables.loading import load
from portal.tables.models import Table

from .driver import play_on
from .test_baskets import browser

pytestmark = pytest.mark.django_db
BUTTONS = re.compile(r'<button[^>]* id="(undo|redo)-turn"([^>]*)>')
WHY = "Why can&#x27;t I undo my move?"


def page(table, user):
    return browser(user).get(reverse("table", args=[table.pk])).content.decode()


def offered(html):
    """Return which of the two buttons can be pressed, in the order of the page."""
    return [(name, "aria-disabled" not in rest and "formaction" in rest) for name, rest in BUTTONS.findall(html)]


def moved(key, user):
    """Return a table of a game right after a move of a person who could undo it and still has to decide."""
    seats = min(3, max(game(key).meta.seats))
    opened = services.create_table(owner=user, game_key=key, seats=seats, bots=["apprentice"] * (seats - 1))
    return play_on(opened.table.pk, until=lambda it: it.table.line and it.table.line[-1][1] == it.seat_of(user)).table


@pytest.mark.parametrize("key", GAMES)
def test_undo_and_redo_are_side_by_side_in_every_game(key, alice):
    table = moved(key, alice)
    assert offered(page(table, alice)) == [("undo", True), ("redo", False)]
    state = Table.objects.get(pk=table.pk).state
    for act, now in (("undo", [("undo", False), ("redo", True)]), ("redo", [("undo", True), ("redo", False)])):
        while offered(page(table, alice)) != now:  # all that can be undone
            version = load(table.pk).table.version
            assert browser(alice).post(reverse(f"table-{act}", args=[table.pk]), {"expected_version": version}).status_code == 303
    assert Table.objects.get(pk=table.pk).state == state


def test_nobody_else_is_offered_either(alice, bob):
    table = moved("tigris_euphrates", alice)
    assert offered(page(table, bob)) == []


def test_after_dice_both_are_gone_and_the_list_of_reasons_says_why(alice):
    opened = services.create_table(owner=alice, game_key="history_of_the_world", seats=3, bots=["apprentice"] * 2)
    me = opened.seat_of(alice)
    rolled = play_on(opened.table.pk, until=lambda it: _has_just_rolled(it, me)).table
    html = page(rolled, alice)
    assert offered(html) == []
    why = html.partition('id="why"')[2].partition("</details>")[0]
    assert WHY in why
    assert "something has been drawn or rolled" in why


def _has_just_rolled(loaded, me):
    actors = [line["a"] for line in loaded.table.recent]
    seats = [line for line in loaded.table.recent if line["a"] >= 0]
    return me in loaded.table.due and actors[-1:] == [-1] and seats[-1:] and seats[-1]["a"] == me and seats[-1]["b"] == "player"


def test_before_ones_first_move_nothing_is_said_about_undoing(alice):
    opened = services.create_table(owner=alice, game_key="after_the_flood", seats=3, bots=["apprentice"] * 2)
    table = play_on(opened.table.pk, until=lambda it: it.seat_of(alice) in it.table.due).table
    html = page(table, alice)
    assert offered(html) == []
    assert WHY not in html
