"""Pages of tables and of a table's log: by cursor, each row once, while the answers of older programs stay as they were."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.tables import services
from portal.tables.models import Table
from tests.portal.api.asking import Person
from tests.portal.tables.test_services import act

pytestmark = pytest.mark.django_db
COUNT = 7


def below(address: str) -> str:
    return address.split("/api/v1/", 1)[1]


def pages(person, at: str) -> list[dict]:
    found = [person.get(at).json()]
    while found[-1]["next"]:
        found.append(person.get(below(found[-1]["next"])).json())
    return found


@pytest.fixture
def tables(alice):
    made = [services.create_table(owner=alice, game_key="ra", seats=2).table.pk for _ in range(COUNT)]
    moment = timezone.now()
    Table.objects.filter(pk__in=made[:4]).update(created_at=moment)  # alike but for their ids
    Table.objects.filter(pk__in=made[2:5]).update(due_since=moment - timedelta(minutes=1))
    return made


@pytest.mark.parametrize("name", ["open", "mine", "finished"])
def test_each_table_is_listed_once_in_the_order_of_the_list(hers, tables, name):
    if name == "finished":
        Table.objects.update(status="finished", finished_at=timezone.now())
    whole = hers.get(f"tables/?list={name}").json()
    assert (whole["count"], whole["next"], whole["previous"]) == (COUNT, None, None)
    found = pages(hers, f"tables/?list={name}&limit=3")
    assert [len(page["results"]) for page in found] == [3, 3, 1]
    assert {page["count"] for page in found} == {COUNT}
    assert [row["id"] for page in found for row in page["results"]] == [row["id"] for row in whole["results"]]
    assert {row["id"] for row in whole["results"]} == set(tables)
    if name == "mine":
        assert {row["id"] for row in whole["results"][:3]} == set(tables[2:5])  # those that wait come first


def test_a_new_table_moves_nothing(hers, alice, tables):
    first = hers.get("tables/?limit=3").json()
    services.create_table(owner=alice, game_key="ra", seats=2)
    second = hers.get(below(first["next"])).json()
    assert not {row["id"] for row in first["results"]} & {row["id"] for row in second["results"]}
    assert second["count"] == COUNT + 1


def test_offsets_go_on_and_say_that_they_will_go(hers, tables):
    answer = hers.get("tables/?limit=3&offset=3")
    told = answer.json()
    assert len(told["results"]) == 3
    assert "offset=6" in told["next"] and "cursor" not in told["next"] and told["previous"].endswith("limit=3")
    assert answer["Deprecation"].startswith("@") and answer["Sunset"].endswith("GMT") and 'rel="deprecation"' in answer["Link"]
    assert "Deprecation" not in hers.get("tables/?limit=3")


@pytest.mark.parametrize("cursor", ["x", "WzFd:abc", "9" * 400])
def test_a_cursor_that_is_none(hers, cursor):
    for address in ("tables/", "tables/?list=mine&limit=2"):
        joint = "&" if "?" in address else "?"
        refused = hers.get(f"{address}{joint}cursor={cursor}")
        assert refused.status_code == 400
        assert refused["Content-Type"] == "application/problem+json"
        assert refused.json()["errors"][0]["field"] == "cursor"


def test_a_cursor_of_another_list(hers, tables):
    cursor = hers.get("tables/?limit=3").json()["next"].partition("cursor=")[2]
    assert hers.get(f"tables/?list=mine&cursor={cursor}").status_code == 400


def test_the_log_comes_in_pages_or_whole(hers, duel):
    for _ in range(3):
        act(duel.pk, "draw")
    at = f"tables/{duel.pk}/log/"
    whole = hers.get(at)
    assert isinstance(whole.json(), list) and "Link" not in whole
    found, address = [], f"{at}?limit=1"
    while address:
        page = hers.get(address)
        assert len({line["seq"] for line in page.json()}) <= 1
        found += page.json()
        address = below(page["Link"].split(">")[0]) if "Link" in page else ""
    assert found == whole.json()
    version = min(line["version"] for line in whole.json())
    later = hers.get(f"{at}?since={version}").json()
    assert later == [line for line in whole.json() if line["version"] > version]
    assert 0 < len(later) < len(whole.json())


def test_pages_of_the_log_are_the_viewers_own(hers, strangers, duel):
    act(duel.pk, "draw")
    at = f"tables/{duel.pk}/log/?limit=5"
    assert strangers.get(at).json() == strangers.get(f"tables/{duel.pk}/log/").json()[: len(strangers.get(at).json())]
    Table.objects.filter(pk=duel.pk).update(privacy="link")
    assert Person().get(at).status_code in (401, 404)


@pytest.mark.parametrize("query", ["since=x", "since=-5", "since=" + "9" * 30, "limit=0", "limit=x", "cursor=x"])
def test_what_the_log_refuses(hers, duel, query):
    refused = hers.get(f"tables/{duel.pk}/log/?{query}")
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["field"] == query.partition("=")[0]
