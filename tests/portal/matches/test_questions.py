"""In a match nobody asks the others anything: its games end by the clock."""

import pytest

from portal.matches.feeding import feed
from portal.tables import refusals, voting
from portal.tables.loading import load
from portal.tables.models import Table
from portal.tables.pace import Pace
from portal.tables.services import open_table
from portal.tables.votes import What, questions

from .conftest import LIVE

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[LIVE, Pace("days", days=1)], ids=["live", "days"])
def tables(request, match_of, gilga, enkidu):
    """A game of a match of two bots, and the same game without a match."""
    match_of("gilga", "enkidu", games=2, pace=request.param)
    feed()
    alone = open_table(game_key="ra", sitters=[gilga.user, enkidu.user], pace=request.param)
    return load(Table.objects.filter(in_match=True).earliest("pk").pk), load(alone.table.pk)


def test_bots_ask_each_other_nothing(tables, gilga):
    of_match, alone = tables
    assert questions(of_match, gilga.user) == []
    assert {What.NO_CLOCKS, What.CALL_OFF, What.TIME} <= {one.what for one in questions(alone, gilga.user)}


@pytest.mark.parametrize("what", list(What))
def test_a_question_in_a_match_is_refused_and_the_clocks_run_on(tables, gilga, what):
    table = tables[0].table
    for about in (None, 0, 1):
        with pytest.raises(refusals.CannotAsk):
            voting.ask(table_id=table.pk, user=gilga.user, what=what, about=about)
    after = Table.objects.get(pk=table.pk)
    assert (after.pace, after.vote, after.version, after.status) == (table.pace, {}, table.version, "playing")
    assert after.clocks == table.clocks
