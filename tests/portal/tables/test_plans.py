"""Actions that are gathered and played together: a chain of trades, several workers; all of it by links, one form, several records."""

from __future__ import annotations

import html as htmllib
import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse

from games.core.records import verify_record
from games.registry import game
from portal.tables import selectors, services
from portal.tables.loading import load
from portal.tables.models import ActionRecord, Table

from .driver import at_position, play_on
from .test_baskets import browser, post, texts

pytestmark = pytest.mark.django_db
OIL, GOLD, LAPIS = "trade amorites oil textile", "trade egypt gold oil", "trade kassites lapis gold"
CHAIN = f"{OIL} then {GOLD} then {LAPIS}"
WORKERS = "place textile irrigation 2 then scribe available egypt then scribe available dilmun"


@pytest.fixture
def market(alice):
    """A table of After the Flood where Alice can trade in three areas and has two scribes."""
    return at_position(alice, "after_the_flood/trade")


def shown(table, user, chosen=""):
    answer = browser(user).get(reverse("table", args=[table.pk]), {"a": chosen} if chosen else {})
    assert answer.status_code == 200
    return answer.content.decode()


def panel(html):
    return html.partition('id="action"')[2].partition("</section>")[0]


def rows(html):
    """Return the links of the chain as they are read out: what each does, and what one then has."""
    found = []
    for row in re.findall(r'<li class="plan__link.*?</li>', html, re.DOTALL):
        told = row.partition('class="sr-only">')[2].partition('<span class="plan__count"')[0].partition("<a ")[0]
        words = re.sub(r"\s+", " ", htmllib.unescape(re.sub(r"<[^>]+>", " ", told))).strip()
        label, _, held = words.partition(" You then have: ")
        found.append((label, held))
    return found


def links(html, name):
    """Return the prefix to which a control leads, by its id."""
    found = re.search(rf'<a[^>]* id="{name}"[^>]*>', html)
    assert found, f"there is no {name}"
    href = re.search(r'href="([^"]*)"', found[0])
    return None if href is None else parse_qs(urlsplit(htmllib.unescape(href[1])).query).get("a", [""])[0]


def sends(html):
    found = re.search(r'id="confirm"[^>]*value="([^"]*)"', html)
    return found and found[1]


def test_a_chain_of_trades_shows_what_one_has_after_each_link(market, alice):
    html = shown(market, alice, CHAIN)
    assert rows(html) == [
        ("Amorites: 1 oil for 1 textile", "grain 2 metal 1 textile 1 tool 1 oil 1"),
        ("Egypt: 1 gold for 1 oil", "grain 2 metal 1 textile 1 tool 1 gold 1"),
        ("Kassites: 1 lapis lazuli for 1 gold", "grain 2 metal 1 textile 1 tool 1 lapis lazuli 1"),
    ]
    assert sends(html) == f"{CHAIN} then done"
    assert "Play all 3" in panel(html)
    assert texts(market) == texts(Table.objects.get(pk=market.pk)), "nothing is played by looking"


def test_each_link_is_offered_by_the_engine_and_only_while_it_is_possible(market, alice):
    html = panel(shown(market, alice, "trade"))
    values = re.findall(r'href="\?a=([^"]*)"', html)
    offered = {parse_qs("a=" + htmllib.unescape(value))["a"][0] for value in values}
    legal = {str(action) for action in game("after_the_flood").legal_actions(load(market.pk).state, 0)}
    assert {text for text in legal if text.startswith("trade ") or text == "tool"} <= offered
    after_oil = panel(shown(market, alice, OIL))
    assert GOLD.replace(" ", "+") in after_oil
    assert LAPIS.replace(" ", "+") not in after_oil, "there is no gold yet"


def test_one_form_plays_the_chain_with_a_record_each_and_one_undo_takes_it_back(market, alice):
    before, state = texts(market), market.state
    answer = post(market, alice, action=f"{CHAIN} then done")
    assert answer.status_code == 303
    assert texts(market)[len(before) :] == [OIL, GOLD, LAPIS, "done"]
    now = Table.objects.get(pk=market.pk)
    assert now.version == market.version + 1
    back = services.undo_action(table_id=market.pk, user=alice, expected_version=now.version)
    assert back.table.state == state
    again = services.redo_action(table_id=market.pk, user=alice, expected_version=back.table.version)
    assert texts(market)[-4:] == [OIL, GOLD, LAPIS, "done"]
    assert again.table.state == now.state


def test_any_link_can_be_taken_back_and_what_needed_it_goes_too_with_the_reason(market, alice):
    html = shown(market, alice, CHAIN)
    assert links(html, "plan-3-drop") == f"{OIL} then {GOLD}"
    without_first = links(html, "plan-1-drop")
    assert without_first == f"{GOLD} then {LAPIS}"
    cut = shown(market, alice, f"trade amorites wood grain then {without_first}")
    assert [label for label, _ in rows(cut)] == ["Amorites: 1 wood for 1 grain"]
    assert 'id="refusal"' in panel(cut)
    assert 'id="refusal"' in panel(shown(market, alice, without_first))
    assert links(html, "undo") == f"{OIL} then {GOLD}"


def test_a_link_in_the_middle_is_changed_and_the_rest_stays(market, alice):
    chain = f"{OIL} then trade amorites wood grain then {GOLD}"
    html = shown(market, alice, chain)
    changing = links(html, "plan-2-change")
    assert changing == f"{OIL} then trade then {GOLD}"
    asked = shown(market, alice, changing)
    assert [label for label, _ in rows(asked)] == ["Amorites: 1 oil for 1 textile", "Egypt: 1 gold for 1 oil"]
    assert sends(asked) is None
    other = f"{OIL} then tool then {GOLD}"
    assert f'href="?a={other.replace(" ", "+")}"' in asked
    assert sends(shown(market, alice, other)) == f"{other} then done"


def test_several_workers_are_gathered_and_their_number_is_changed(market, alice):
    html = shown(market, alice, "place textile irrigation")
    assert rows(html)[0][0].startswith("Irrigation: 2 workers for 1 textile")
    assert links(html, "plan-1-less") == "place textile irrigation 1"
    assert links(shown(market, alice, "place textile irrigation 1"), "plan-1-less") == "place textile", "none is without it"
    assert links(html, "plan-1-more") is None, "a textile places two"
    assert sends(html) == "place textile irrigation 2 then done"
    assert f'href="?a={"place textile irrigation 2 then scribe available egypt".replace(" ", "+")}"' in html, "on the board too"
    full = shown(market, alice, WORKERS)
    assert [held for _, held in rows(full)] == [
        "available workers 3 unused scribes 2",
        "available workers 2 unused scribes 1",
        "available workers 1 unused scribes 0",
    ]
    assert links(full, "plan-1-less") == WORKERS.replace("irrigation 2", "irrigation 1")
    assert sends(full) == WORKERS, "the action ends by itself"
    before = texts(market)
    assert post(market, alice, action=WORKERS).status_code == 303
    assert texts(market)[len(before) :][:3] == WORKERS.split(" then ")


@pytest.mark.parametrize(
    ("action", "status"),
    [
        (f"{GOLD} then {OIL}", 422),
        (f"{OIL} then {OIL} then {OIL}", 422),
        (f"{OIL} then ", 400),
        (f"{OIL} then nonsense", 400),
        (f"{OIL} then pass", 422),
        (" then ".join([OIL] * 70), 400),
    ],
)
def test_all_of_a_chain_or_nothing(market, alice, action, status):
    before = texts(market)
    answer = post(market, alice, action=action)
    assert answer.status_code == status
    assert 'id="notice"' in answer.content.decode()
    assert texts(market) == before
    assert Table.objects.get(pk=market.pk).version == market.version


@pytest.mark.parametrize(
    "chosen", [f"{OIL} then ", " then then ", f"{OIL} then build ur", "build ur then " + OIL, "x then " * 40, f"{OIL} then place wood"]
)
def test_a_chain_of_no_use_is_cut_back(market, alice, chosen):
    html = shown(market, alice, chosen)
    assert 'id="action"' in html
    assert (sends(html) or "").startswith(OIL if OIL in chosen else "")


def test_nobody_else_sees_what_is_gathered(market, bob, alice):
    assert 'id="plan"' not in shown(market, bob, CHAIN)
    assert 'id="plan"' in shown(market, alice, CHAIN)
    assert CHAIN not in shown(market, bob, CHAIN)


def test_a_game_with_a_chain_verifies(market, alice):
    assert post(market, alice, action=f"{CHAIN} then done").status_code == 303
    assert play_on(market.pk).table.status == "finished"
    data = json.loads(json.dumps(selectors.record_of(market.pk, full=True)))
    verdict = verify_record(data, game)
    assert verdict.is_good, verdict.problems
    assert [text for _, text in data["actions"][:4]] == [OIL, GOLD, LAPIS, "done"]
    assert len(set(ActionRecord.objects.filter(table=market, text__in=[OIL, GOLD, LAPIS]).values_list("version", flat=True))) >= 1


@pytest.mark.parametrize(
    "chosen", ["", "trade", OIL, CHAIN, f"trade then {GOLD}", "place textile", "place textile egypt", WORKERS, "scribe"]
)
def test_what_one_cannot_do_is_one_list_behind_one_line(market, alice, chosen):
    html = panel(shown(market, alice, chosen))
    assert html.count('id="why"') <= 1
    outside = re.sub(r'<details class="why-nots".*?</details>', "", html, flags=re.DOTALL)
    assert "Why can&#x27;t" not in outside
    assert "What can" not in outside
    if not chosen:
        assert 'id="why"' in html
