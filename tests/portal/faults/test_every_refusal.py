"""Illegal actions in the games of `cases/`, through page and API: refused with the paragraph, and nothing changes.

A module of cases gives `SEATS`, taken by Alice, Bob and Charlie; `CASES`: a position, the seat that asks, an action, the status, the paragraph (None: not checked) and part of the
sentence; `state_of(position)`, as a file has it; and perhaps `ODD`, texts that are no choice in the first position.
"""

from __future__ import annotations

import pytest

from portal.tables.loading import load

from .cases import after_the_flood, babel, history_of_the_world, tigris_euphrates
from .refusals import assert_choices_show_the_question, assert_each_refused, table_of

pytestmark = pytest.mark.django_db

CASES = {module.__name__.rpartition(".")[2]: module for module in (after_the_flood, babel, history_of_the_world, tigris_euphrates)}


def by_position():
    """Return all cases of each game, position and seat together, so that one table is asked for all of them."""
    groups = {}
    for key, module in CASES.items():
        for position, seat, *asked in module.CASES:
            groups.setdefault((key, repr(position), seat), (key, position, seat, []))[3].append(asked)
    return [pytest.param(*group, id=f"{group[0]} {group[2]} {group[3][0][0][:30]}, {len(group[3])} in all") for group in groups.values()]


@pytest.fixture
def people(alice, bob, charlie):
    """Return who sits at a table of a game, by seat."""
    return lambda key: (alice, bob, charlie)[: CASES[key].SEATS]


@pytest.mark.parametrize(("key", "position", "seat", "asked"), by_position())
def test_refused_by_page_and_api_with_the_paragraph(people, key, position, seat, asked):
    table = table_of(key, people(key), CASES[key].state_of(position))
    assert {status == 409 for _, status, _, _ in asked} == {seat not in load(table.pk).table.due}
    assert_each_refused(table, people(key)[seat], asked)


@pytest.mark.parametrize("key", [key for key, module in CASES.items() if hasattr(module, "ODD")])
def test_odd_choices_in_the_making_show_the_question_and_change_nothing(people, key):
    position = CASES[key].CASES[0][0]
    assert_choices_show_the_question(table_of(key, people(key), CASES[key].state_of(position)), people(key)[0], CASES[key].ODD)
