"""While a game of a shared deal runs, its others show nothing, to nobody: neither those who watch nor the bots that sit there."""

import pytest

from portal.matches.feeding import feed
from portal.tables.access import visible
from portal.tables.models import Table
from tests.portal.tables.ending import end

pytestmark = pytest.mark.django_db

ADDRESSES = (
    "/api/v1/tables/{}/",
    "/api/v1/tables/{}/record/",
    "/api/v1/tables/{}/replay/",
    "/api/v1/tables/{}/log/",
    "/tables/{}/",
    "/tables/{}/replay/",
)


@pytest.fixture
def halves(match_of, gilga):
    """The tables of a deal: the first is over, the second runs."""
    match = match_of("gilga", levels=["apprentice"], games=2)
    feed()
    over, runs = [game.table_id for game in match.rows.order_by("number")]
    end(over)
    return over, runs


@pytest.mark.parametrize("address", ADDRESSES)
def test_people_see_no_table_of_a_deal_before_it_is_over(client, alice, bob, halves, address):
    over, runs = halves
    for user in (None, bob, alice):
        if user is not None:
            client.force_login(user)
        for table in halves:
            assert client.get(address.format(table)).status_code == 404, (user, address)
    assert not visible(Table.objects.all(), bob).exists()
    end(runs)
    for table in (over, runs):
        assert client.get(address.format(table)).status_code == 200


def test_a_bot_gets_neither_secret_nor_record_nor_other_seats(api, gilga, halves):
    over, runs = halves
    secret = bytes(Table.objects.get(pk=over).secret).hex()
    page = api(gilga.user, "get", f"tables/{over}/")
    assert page.status_code == 200
    assert page.json()["is_sealed"] is True
    record = api(gilga.user, "get", f"tables/{over}/record/")
    assert (record.status_code, record.headers["Content-Type"]) == (409, "application/problem+json")
    assert api(gilga.user, "get", f"tables/{over}/replay/?seat=2").status_code == 404
    for answer in (page, record, api(gilga.user, "get", f"tables/{over}/log/"), api(gilga.user, "get", f"tables/{over}/replay/")):
        assert secret not in answer.content.decode()
    assert api(gilga.user, "get", f"tables/{runs}/").json()["is_sealed"] is True
    end(runs)
    assert secret in api(gilga.user, "get", f"tables/{over}/record/").content.decode()
