"""The table page: what each person sees, the region, forms without script, and the answers to errors."""

from __future__ import annotations

import gzip
import re

import pytest
from django.test import Client
from django.urls import reverse

from games.registry import game
from portal.common import catalogues
from portal.tables import services
from portal.tables.loading import load
from portal.tables.models import Seat, Table
from portal.tables.parts import Parts
from rules_docs.models import Paragraph
from tests.portal.tables.driver import play_on, snapshot

HTMX = {"HX-Request": "true"}


@pytest.fixture
def client_of():
    """A browser with a person signed in."""

    def sign_in(user=None, language="en"):
        client = Client()
        client.cookies["django_language"] = language
        if user is not None:
            client.force_login(user)
        return client

    return sign_in


def due_person(table):
    loaded = load(table.pk)
    return loaded.seats[loaded.table.due[0]].user


def other_person(table):
    loaded = load(table.pk)
    return next(seat.user for seat in loaded.seats if seat.user is not None and seat.index != loaded.table.due[0])


def address(table, name="table"):
    return reverse(name, args=[table.pk])


def post(client, table, name="table-act", *, htmx=False, **data):
    version = Table.objects.values_list("version", flat=True).get(pk=table.pk)
    data = {"expected_version": version, **data}
    return client.post(address(table, name), data, headers=HTMX if htmx else {})


def text_of(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


# Who sees what


def test_the_due_seat_is_asked_and_the_others_wait(duel, client_of):
    due, other = due_person(duel), other_person(duel)
    asked = client_of(due).get(address(duel))
    waiting = client_of(other).get(address(duel))
    assert "Your move" in text_of(asked)
    assert 'name="action" value="draw"' in asked.content.decode()
    assert f"Waiting for {due.username}" in text_of(waiting)
    assert 'value="draw"' not in waiting.content.decode()


def test_a_stranger_watches_without_any_control(duel, client_of, charlie):
    for user in (charlie, None):
        response = client_of(user).get(address(duel))
        assert response.status_code == 200
        html = response.content.decode()
        assert "You are watching" in html
        assert 'id="csrf"' not in html
        assert "formaction" not in html
        assert "10 fame" not in text_of(response)


def test_fame_of_others_is_not_on_the_page(duel, client_of, alice):
    text = text_of(client_of(alice).get(address(duel)))
    assert text.count("10 fame") == 1


def test_an_unknown_table_is_not_found(db, client_of):
    for path in ("/tables/999/", "/tables/999/region/", "/tables/999/log/", "/tables/99999999999999999999/"):
        assert client_of().get(path).status_code == 404


def test_a_hungarian_page_speaks_hungarian(duel, client_of):
    catalogues.compile_all()
    response = client_of(due_person(duel), "hu").get(address(duel))
    assert response.headers["Content-Language"] == "hu"
    assert "Te jössz" in text_of(response)
    assert "Your move" not in text_of(response)


# A partial choice


def test_a_choice_in_the_making_changes_nothing_and_is_confirmed(duel, client_of):
    client = client_of(due_person(duel))
    client.get(address(duel))
    before = snapshot(duel.pk)
    html = client.get(address(duel), {"a": "call"}).content.decode()
    assert re.search(r'id="o-figure" href="\?a=call" aria-current="true"', html)
    assert re.search(r'id="confirm"[^>]*name="action" value="call"', html)
    assert snapshot(duel.pk) == before


@pytest.mark.parametrize("chosen", ["nonsense", "bid 99", "x" * 500, "draw\n", "god " * 60])
def test_a_choice_that_cannot_be_asks_from_the_start(duel, client_of, chosen):
    response = client_of(due_person(duel)).get(address(duel), {"a": chosen})
    assert response.status_code == 200
    assert 'id="confirm"' not in response.content.decode()


ASKS = r'<a class="choice" id="%s" href="\?a='
POSTS = r'<button class="choice" id="%s"[^>]*name="action" value="'


@pytest.mark.parametrize(("confirm", "draw", "call"), [("always", ASKS, ASKS), ("matters", POSTS, ASKS), ("never", POSTS, POSTS)])
def test_the_table_asks_always_or_when_it_matters_or_never(duel, client_of, confirm, draw, call):
    """A call can't be undone and may come with a bid, so it matters; a draw can be stopped for a moment instead."""
    user = due_person(duel)
    user.confirm = confirm
    user.save()
    html = client_of(user).get(address(duel)).content.decode()
    assert re.search(draw % "o-bag", html)
    assert re.search(call % "o-figure", html)
    assert bool(re.search(r'value="draw"\s+data-recall>', html)) == (confirm == "matters")


def test_a_choice_to_which_more_can_be_added_is_never_played_at_once(duel, client_of, monkeypatch):
    user = due_person(duel)
    user.confirm = "never"
    user.save()
    rules = game("ra")
    legal = rules.legal_for_view
    monkeypatch.setitem(vars(rules), "legal_for_view", lambda view: [*legal(view), "draw twice"])
    html = client_of(user).get(address(duel)).content.decode()
    assert re.search(ASKS % "o-bag", html)
    assert re.search(POSTS % "o-figure", html)


def test_a_caller_may_give_the_bid_with_the_call(duel, client_of):
    html = client_of(due_person(duel)).get(address(duel), {"a": "call"}).content.decode()
    assert '<select class="select" id="then" name="then">' in html
    assert 'name="then"' not in client_of(due_person(duel)).get(address(duel), {"a": "draw"}).content.decode()


# From form to action


def test_a_form_without_script_is_answered_by_a_redirect(duel, client_of):
    client = client_of(due_person(duel))
    response = post(client, duel, action="draw")
    assert (response.status_code, response.headers["Location"]) == (303, address(duel))
    assert Table.objects.get(pk=duel.pk).version == duel.version + 1


def test_htmx_gets_the_region_alone(duel, client_of):
    client = client_of(due_person(duel))
    response = post(client, duel, htmx=True, action="draw")
    html = response.content.decode()
    assert response.status_code == 200
    assert html.lstrip().startswith(("<form", "<div"))
    assert "<html" not in html
    assert f'data-version="{duel.version + 1}"' in html
    assert response.headers["HX-Replace-Url"] == address(duel)


def test_a_get_of_an_action_address_leads_to_the_table(duel, client_of):
    response = client_of(due_person(duel)).get(address(duel, "table-act"))
    assert (response.status_code, response.headers["Location"]) == (302, address(duel))


@pytest.mark.parametrize("htmx", [False, True])
@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({"action": "draw", "expected_version": 0}, 409),
        ({"action": "bid 13"}, 422),
        ({"action": "fly"}, 400),
        ({"action": ""}, 400),
        ({"action": "draw", "expected_version": "one"}, 400),
        ({"action": "draw", "expected_version": "9" * 50}, 400),
        ({"action": "draw", "then": "at-most 99 @1"}, 400),
    ],
)
def test_what_goes_wrong_is_told_and_changes_nothing(duel, client_of, data, status, htmx):
    before = snapshot(duel.pk)
    response = post(client_of(due_person(duel)), duel, htmx=htmx, **data)
    assert response.status_code == status
    assert 'id="notice" role="alert"' in response.content.decode()
    assert snapshot(duel.pk) == before


def test_a_refusal_opens_its_paragraph_beside_the_board(duel, client_of):
    chapter_html = "<p>An auction is needed.</p>"
    response = post(client_of(due_person(duel)), duel, htmx=True, action="bid 13")
    rule = re.search(r'class="rule-link" href="/en/rules/ra/p/([\w-]+)/"', response.content.decode())
    assert rule is not None
    from rules_docs.models import Book, Chapter

    book = Book.objects.create(game="ra", digest="x", changed_at="2026-01-01T00:00:00Z")
    chapter = Chapter.objects.create(
        book=book, lang="en", slug="auction", number=1, title="Auction", source="", state="draft", is_missing=False, is_outdated=False
    )
    Paragraph.objects.create(
        chapter=chapter, game="ra", lang="en", anchor=rule[1], position=1, number=1, kind="text", html=chapter_html, text_lang="en"
    )
    response = post(client_of(due_person(duel)), duel, htmx=True, action="bid 13")
    html = response.content.decode()
    assert response.status_code == 422
    assert 'class="drawer is-open"' in html
    assert chapter_html in html


@pytest.mark.parametrize(
    "name", ["table-act", "table-undo", "table-order", "table-leave", "table-start", "table-add-bot", "table-remove-bot"]
)
def test_who_has_no_seat_may_do_nothing(duel, client_of, charlie, name):
    before = snapshot(duel.pk)
    for user in (charlie, None):
        response = post(client_of(user), duel, name, action="draw", order="at-most 5 @1", level="scribe", seat="0")
        assert response.status_code in (403, 409)
        assert "notice" in response.content.decode()
    assert snapshot(duel.pk) == before


def test_a_forged_form_is_refused(duel, client_of):
    client = Client(enforce_csrf_checks=True)
    client.force_login(due_person(duel))
    before = snapshot(duel.pk)
    assert client.post(address(duel, "table-act"), {"action": "draw", "expected_version": duel.version}).status_code == 403
    assert snapshot(duel.pk) == before


def test_undo_is_offered_while_it_is_possible_and_works(duel, client_of):
    user = due_person(duel)
    client = client_of(user)
    assert 'id="undo-turn"' not in client.get(address(duel)).content.decode()
    post(client, duel, action="call")
    assert 'id="undo-turn"' in client.get(address(duel)).content.decode()
    assert post(client, duel, "table-undo").status_code == 303
    assert "undid the last action" in text_of(client.get(address(duel)))
    assert post(client, duel, "table-undo").status_code == 409


def test_an_answer_in_advance_is_given_shown_and_withdrawn(table, client_of):
    play_on(table.pk, until=lambda loaded: len(client_orders(loaded)) > 0)
    loaded = load(table.pk)
    seat, order = client_orders(loaded)[0]
    client = client_of(loaded.seats[seat].user)
    assert post(client, table, "table-order", order=order).status_code == 303
    assert Seat.objects.get(table=table, index=seat).order == order
    html = client.get(address(table)).content.decode()
    assert re.search(r'name="order" value="" aria-pressed="true"', html)
    assert order not in client_of(other_seated(table, seat)).get(address(table)).content.decode()
    post(client, table, "table-order", order="")
    assert Seat.objects.get(table=table, index=seat).order == ""


def client_orders(loaded):
    """Return (seat, order) of the people who could answer in advance now."""
    found = []
    for seat in loaded.seats:
        if seat.user is not None and seat.index not in loaded.table.due and loaded.table.status == Table.Status.PLAYING:
            found += [(seat.index, option.text) for option in loaded.game.orders(loaded.game.view_for(loaded.state, seat.index))]
    return found


def other_seated(table, seat):
    return next(row.user for row in load(table.pk).seats if row.user is not None and row.index != seat)


# Region and parts


def test_the_region_has_nothing_for_who_has_the_version(duel, client_of, alice):
    client = client_of(alice)
    shown = client.get(address(duel, "table-region"), {"v": duel.version}, headers=HTMX)
    older = client.get(address(duel, "table-region"), {"v": duel.version - 1}, headers=HTMX)
    assert (shown.status_code, shown.content) == (204, b"")
    assert older.status_code == 200
    assert older.headers["X-Table-Version"] == str(duel.version)


def parts_of(html):
    return ",".join(f"{part}:{digest}" for part, digest in re.findall(r'id="([\w-]+)" data-h="(\w+)"', html))


def filled(answer, page):
    """Fill the marks of an answer from the page, as the browser does."""
    known = {}
    for tag in ("svg", "ol", "section", "div", "li", "details", "aside", "input"):
        for found in re.finditer(rf'<{tag}[^>]*? id="([\w-]+)" data-h="\w+"', page):
            known[found[1]] = element(page, found.start(), tag)
    return re.sub(r'<i data-keep="([\w -]+)"></i>', lambda mark: "".join(known[part] for part in mark[1].split()), answer)


def element(html, start, tag):
    """Return the element that starts at `start`."""
    if tag == "input":
        return html[start : html.index(">", start) + 1]
    depth = 0
    for found in re.finditer(rf"<(/?){tag}\b", html[start:]):
        depth += -1 if found[1] else 1
        if depth == 0:
            return html[start : html.index(">", start + found.start()) + 1]
    raise AssertionError(f"{tag} is not closed")


def test_a_page_gets_only_the_parts_it_has_not(duel, client_of, alice, bob):
    client = client_of(alice)
    url = address(duel, "table-region")
    for step in range(12):
        page = client.get(url, headers=HTMX).content.decode()
        version = load(duel.pk).table.version
        play_on(duel.pk, seed=step, until=lambda loaded, version=version: loaded.table.version > version)
        whole = client.get(url, headers=HTMX).content.decode()
        answer = client.get(url, headers={**HTMX, "X-Have": parts_of(page), "X-Away": "1"}).content.decode()
        assert len(answer) < 0.9 * len(whole)
        own = r'data-stream="[^"]*"|value="\w{64}"|<i data-strip></i>|<section[^>]*id="reel".*?</section>'  # the page keeps its strip of latest moves
        masked = [re.sub(own, "", html, flags=re.DOTALL) for html in (filled(answer, page), whole)]
        assert masked[0] == masked[1]


def test_parts_are_kept_apart_by_what_they_are_made_of(rf):
    parts = Parts()
    one = parts.part(
        "seal", "tables/table.html#seal", "en", 1, lambda: {"page": {"seal": {"commitment": "aaaa", "secret": None}}, "words": ""}
    )
    two = parts.part(
        "seal", "tables/table.html#seal", "en", 2, lambda: {"page": {"seal": {"commitment": "bbbb", "secret": None}}, "words": ""}
    )
    again = parts.part("seal", "tables/table.html#seal", "en", 1, dict)
    assert one == again
    assert "bbbb" in two


def test_sizes_of_page_and_update(table, client_of, alice):
    client = client_of(alice)
    play_on(table.pk, until=lambda loaded: loaded.table.version > 30)
    page = client.get(address(table)).content
    assert len(gzip.compress(page)) < 20_000
    sizes = []
    for step in range(40):
        region = client.get(address(table, "table-region"), headers=HTMX).content.decode()
        version = load(table.pk).table.version
        play_on(table.pk, seed=step, until=lambda loaded, version=version: loaded.table.version > version)
        if load(table.pk).table.status != Table.Status.PLAYING:
            break
        answer = client.get(address(table, "table-region"), headers={**HTMX, "X-Have": parts_of(region)})
        sizes.append(len(gzip.compress(answer.content)))
    assert sorted(sizes)[len(sizes) // 2] < 1650


def test_a_page_costs_the_same_statements_early_and_late(duel, client_of, django_assert_num_queries):
    client = client_of(due_person(duel))
    client.get(address(duel))
    with django_assert_num_queries(2):  # the person, and the table with its seats
        client.get(address(duel, "table-region"), headers=HTMX)
    assert play_on(duel.pk, until=lambda loaded: loaded.table.version > 50).table.status == "playing"
    client.get(address(duel))
    with django_assert_num_queries(2):
        client.get(address(duel, "table-region"), headers=HTMX)
    assert play_on(duel.pk).table.status == "finished"
    client.get(address(duel))
    with django_assert_num_queries(3):  # and its records: the board is that before the final scoring
        client.get(address(duel, "table-region"), headers=HTMX)


# Before and after the game


def test_an_open_table_seats_people_and_bots(alice, bob, charlie, client_of):
    loaded = services.create_table(owner=alice, game_key="ra", seats=4)
    table = loaded.table
    owner, guest = client_of(alice), client_of(bob)
    assert "Start when you&#x27;re ready" in text_of(owner.get(address(table)))
    assert post(owner, table, "table-add-bot", level="scribe").status_code == 303
    assert post(owner, table, "table-add-bot", level="god").status_code == 400
    assert "Take seat" in text_of(guest.get(address(table)))
    assert "Start now" not in text_of(guest.get(address(table)))
    assert post(guest, table, "table-join", word="zápor").status_code == 303
    assert "You are at this table" in text_of(guest.get(address(table)))
    assert post(guest, table, "table-start").status_code == 403
    bot = next(seat.index for seat in load(table.pk).seats if seat.bot_level)
    assert post(owner, table, "table-remove-bot", seat=bot).status_code == 303
    assert post(guest, table, "table-leave").status_code == 303
    assert post(owner, table, "table-start").status_code == 303
    assert Table.objects.get(pk=table.pk).status == Table.Status.PLAYING


def test_a_visitor_is_asked_to_sign_in_before_sitting_down(alice, client_of):
    table = services.create_table(owner=alice, game_key="ra", seats=3).table
    page = client_of().get(address(table))
    assert "Sign in to join" in text_of(page)
    response = client_of().post(address(table, "table-join"))
    assert response.status_code == 302
    assert reverse("account_login") in response.headers["Location"]


def test_a_finished_game_shows_every_point_with_its_rule(duel, client_of, alice):
    loaded = play_on(duel.pk)
    response = client_of(alice).get(address(duel))
    html, text = response.content.decode(), text_of(response)
    outcome = loaded.game.outcome(loaded.state)
    winner = loaded.names[outcome.places.index(1)]
    assert f"{winner} won with {max(outcome.scores)} points" in text
    assert bytes(loaded.table.secret).hex() in html
    assert loaded.table.commitment in html
    lines = [line for rounds in outcome.derivation for _, lines in rounds for line in lines]
    assert html.count('<tr class="table__row"><th') == len(lines)
    for line in lines:
        assert f"/en/rules/ra/p/{line.rule.split('#')[1]}/" in html
    assert "data-stream" not in html
    assert "formaction" not in html
    for seat, score in enumerate(outcome.scores):
        assert sum(line.points for _, lines in outcome.derivation[seat] for line in lines) == score


def test_what_one_has_missed_is_shown_once(duel, client_of):
    user, other = due_person(duel), other_person(duel)
    client_of(other).get(address(duel))
    post(client_of(user), duel, action="draw")
    client = client_of(other)
    assert "Since your last visit" in text_of(client.get(address(duel)))
    assert "Since your last visit" not in text_of(client.get(address(duel)))


def test_the_whole_log_is_given(duel, client_of, alice):
    play_on(duel.pk, until=lambda loaded: loaded.table.version > 40)
    response = client_of(alice).get(address(duel, "table-log"))
    assert response.status_code == 200
    assert response.content.decode().count('class="log__line"') > 30
    assert "fame for the epoch" not in text_of(client_of().get(address(duel, "table-log")))


# The catalogue


def test_sentences_of_templates_and_games_are_found():
    found = {message.id if isinstance(message.id, str) else message.id[0] for message in catalogues.sentences()}
    assert {"Your move", "{seat:name} passed.", "bid {n}", "Skip to content"} <= found
