"""What the pages of a club show to whom, with how many statements, and the answers of their forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from html.parser import HTMLParser

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.registry import GAMES
from portal.clubs import announcements, calendar, entry_views, services, ways_in
from portal.clubs.journal import SENTENCES
from portal.clubs.models import Announcement, Club, ClubEntry, Invitation, JoinRequest, Membership
from portal.clubs.waiting import invitations_of
from portal.common.limits import Use
from portal.tables import services as tables
from tests.portal.clubs.conftest import person
from tests.portal.clubs.test_permissions import everything

pytestmark = pytest.mark.django_db
READ = ("club", "club-tables", "club-games", "club-members", "club-announcements", "club-calendar", "club-ics", "club-log", "club-settings")
POSTED = (
    "club-join", "club-ask", "club-withdraw", "club-leave", "club-invite", "club-ban", "club-announce", "club-texts",
    "club-owner-settings", "club-link", "club-hand-over", "club-close",
)  # fmt: skip
POSTED_AT = (
    "club-remove", "club-role", "club-decide", "club-invitation-withdraw", "club-ban-lift", "club-announcement", "club-evening-call-off",
    "club-evening-answer",
)  # fmt: skip
HUGE = 10**25


def page(name, club, *args):
    return reverse(name, args=[club.slug, *args])


def text_of(answer):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


@pytest.fixture
def busy(club, alice, olga, bob):
    """The club with some of everything."""
    for name in ("asking", "asked"):
        ways_in.ask(club=club, user=person(name), message="Let me in.")
    for name in ("first", "second"):
        ways_in.invite(club=club, actor=olga, person=person(name))
    for title in ("One", "Two"):
        announcements.announce(club=club, actor=olga, title=title, text="Text.")
        evening = calendar.create_evening(club=club, actor=olga, title=title, starts_at=timezone.now() + timedelta(days=3))
        calendar.answer(club=club, user=bob, evening_id=evening.pk, answer="yes")
    for _ in range(2):
        tables.create_table(owner=alice, game_key="babel", seats=2, club=club)
    return club


class Outline(HTMLParser):
    """Collects what every page must get right: heading order, labels, names of controls, captions, ids."""

    VOID = frozenset({"input", "br", "meta", "link", "img", "use", "hr", "path"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.headings: list[int] = []
        self.labels: set[str] = set()
        self.controls: list[dict[str, str | None]] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.tables = self.captions = 0
        self.open: list[str] = []
        self.in_labels: list[dict[str, str | None]] = []
        self.feed(html)
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if tag not in self.VOID:
            self.open.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag == "label" and "for" in found:
            self.labels.add(found["for"] or "")
        if tag in ("input", "select", "textarea") and found.get("type") != "hidden":
            (self.in_labels if "label" in self.open else self.controls).append(found)
        self.tables += tag == "table"
        self.captions += tag == "caption"
        if found.get("id"):
            self.ids.append(found["id"])
        for name in ("aria-labelledby", "aria-describedby"):
            self.references += (found.get(name) or "").split()

    def handle_startendtag(self, tag, attrs):
        if dict(attrs).get("id"):
            self.ids.append(dict(attrs)["id"])

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open[-3:], self.getpos())
        self.open.pop()


def check_outline(html: str) -> None:
    found = Outline(html)
    assert found.headings[0] == 1 and found.headings.count(1) == 1
    assert all(after - before <= 1 for before, after in zip(found.headings, found.headings[1:], strict=False)), found.headings
    assert all(control.get("id") in found.labels or control.get("aria-label") for control in found.controls)
    assert found.tables == found.captions
    assert len(found.ids) == len(set(found.ids)), sorted(found.ids)
    assert set(found.references) <= set(found.ids)


def readable(club, role) -> Iterator[str]:
    for name in READ:
        if name == "club-settings" and role not in ("owner", "officer"):
            continue
        if name == "club-log" and role is None:
            continue
        yield page(name, club)
    yield "/clubs/"
    if role in ("owner", "officer"):
        yield page("club-evening-new", club)
        yield "/clubs/new/"


@pytest.mark.parametrize("role", [None, "owner", "officer", "member"])
def test_every_page_opens_and_has_its_headings_labels_and_captions(client, busy, alice, olga, bob, role):
    users = {"owner": alice, "officer": olga, "member": bob}
    if role:
        client.force_login(users[role])
    for address in readable(busy, role):
        answer = client.get(address)
        assert answer.status_code == 200, address
        if "html" in answer["Content-Type"]:
            check_outline(answer.content.decode())
        assert client.head(address).status_code == 200


def test_forms_that_come_back_have_their_labels_too(client, busy, alice):
    client.force_login(alice)
    for name, posted in (
        ("club-invite", {"username": "nobody"}),
        ("club-ban", {"username": "nobody"}),
        ("club-announce", {"title": ""}),
        ("club-texts", {"about_en": "x" * 3000}),
        ("club-owner-settings", {"name": "", "joining": "x"}),
        ("club-hand-over", {"username": "nobody"}),
        ("club-close", {"name": "another"}),
        ("club-evening-new", {"title": "", "starts_at": ""}),
    ):
        answer = client.post(page(name, busy), posted)
        assert answer.status_code == 422, name
        html = answer.content.decode()
        check_outline(html)
        assert 'aria-invalid="true"' in html and "field__error" in html, name


def test_the_number_of_statements_does_not_grow(client, busy, alice, olga, bob):
    """Twice as much of everything takes no more statements, for anybody."""

    def counts():
        found = {}
        for user in (None, alice, olga, bob):
            client = Client()
            if user is not None:
                client.force_login(user)
            role = None if user is None else Membership.objects.get(user=user, club=busy).role
            for address in readable(busy, role):
                client.get(address)
                with CaptureQueriesContext(
                    connection,
                ) as queries:
                    assert client.get(address).status_code == 200
                found[(role, address)] = len(queries)
        return found

    before = counts()
    for number in range(3):
        member = person(f"member{number}")
        ways_in.join_by_link(code=busy.link_code, user=member)
        ways_in.ask(club=busy, user=person(f"asks{number}"))
        ways_in.invite(club=busy, actor=olga, person=person(f"comes{number}"))
        announcements.announce(club=busy, actor=alice, title=f"More {number}")
        evening = calendar.create_evening(club=busy, actor=olga, title=f"More {number}", starts_at=timezone.now() + timedelta(days=5))
        calendar.answer(club=busy, user=member, evening_id=evening.pk, answer="no")
        tables.create_table(owner=member, game_key="babel", seats=2, club=busy)
        services.create_club(owner=bob, name=f"Other {number}")
    assert counts() == before
    assert max(before.values()) <= 15, before


# Who sees what


def test_a_private_club_is_nowhere_for_others(client, private, alice, bob, charlie, zoe):
    for user in (None, charlie, zoe):
        client.logout()
        if user is not None:
            client.force_login(user)
        for name in READ:
            answer = client.get(page(name, private))
            assert answer.status_code == 404, (name, user)
            assert "Enlil" not in answer.content.decode()
            assert "no-cache" in answer["Cache-Control"] and "private" in answer["Cache-Control"]
        assert client.get("/clubs/no-such-club/").content.replace(b"no-such-club", b"enlil") is not None
        for address in ("/clubs/", "/clubs/?q=enlil"):
            assert ">Enlil<" not in client.get(address).content.decode()
    client.force_login(bob)
    answer = client.get(page("club", private))
    assert answer.status_code == 200 and 'content="noindex"' in answer.content.decode()
    assert "no-cache" in answer["Cache-Control"] and "private" in answer["Cache-Control"]


def test_who_looks_at_a_public_club_without_being_in_it_sees_no_buttons_of_members(client, busy, charlie):
    client.force_login(charlie)
    html = client.get(page("club", busy)).content.decode()
    assert page("club-ask", busy) in html
    for address in (page("club-settings", busy), page("club-log", busy), "table-new", page("club-leave", busy), "/join/" + busy.link_code):
        assert address not in html
    assert "lobby-join" not in html and "/join/" not in client.get(page("club-tables", busy)).content.decode()
    html = client.get(page("club-members", busy)).content.decode()
    members = re.sub(r"\b[A-Za-z0-9]{64}\b", "", html)  # a form token may hold any three letters
    for secret in (busy.link_code, "asking", "first", "Left every game", "zoe"):
        assert secret not in members, secret


def test_a_member_sees_neither_link_nor_requests_nor_bans(client, busy, bob):
    client.force_login(bob)
    for name in ("club", "club-members"):
        html = client.get(page(name, busy)).content.decode()
        for secret in (busy.link_code, "Let me in.", "Left every game"):
            assert secret not in html


def test_the_way_in_fits_the_reader(client, club, alice, charlie, zoe, guest, bob, olga):
    def ways(user):
        client.logout()
        if user is not None:
            client.force_login(user)
        html = client.get(page("club", club)).content.decode()
        found = {name for name in ("club-join", "club-ask", "club-withdraw", "club-leave") if f'action="{page(name, club)}"' in html}
        return found, html

    def let(joining):
        services.change_settings(club=club, actor=alice, name=club.name, is_private=False, joining=joining)

    assert ways(charlie)[0] == {"club-ask"}
    assert "banned you" in ways(zoe)[1] and ways(zoe)[0] == set()
    assert "You need an account to be in a club" in ways(guest)[1]
    assert "/accounts/login/?next=/clubs/enlil/" in ways(None)[1]
    assert ways(bob)[0] == {"club-leave"} and ways(alice)[0] == set()
    ways_in.ask(club=club, user=charlie)
    assert ways(charlie)[0] == {"club-withdraw"}
    ways_in.withdraw_request(club=club, user=charlie)
    let("open")
    assert ways(charlie)[0] == {"club-join"}
    let("invitation")
    assert ways(charlie)[0] == set() and "by invitation" in ways(charlie)[1]
    ways_in.invite(club=club, actor=olga, person=charlie)
    assert "You have an invitation" in ways(charlie)[1]
    services.close_club(club=club, actor=alice)
    assert ways(charlie)[0] == set() and "closed" in ways(charlie)[1]


def test_what_the_club_says_comes_in_the_readers_language_or_the_first_there_is(client, club, alice):
    for language, said, marked in (("hu", "Csütörtökön", "hu"), ("en", "Thursdays", "en"), ("ru", "Thursdays", "en")):
        client.cookies["django_language"] = language
        html = client.get(page("club", club), headers={"accept-language": language}).content.decode()
        assert said in html and f'<p class="club-about" lang="{marked}">' in html


def test_texts_are_shown_as_they_are_and_never_run(client, alice, olga, club):
    evil = "<script>alert(1)</script>"
    services.edit_texts(club=club, actor=olga, about_en=evil, about_hu="", about_ru="")
    services.change_settings(club=club, actor=alice, name="<b>Enlil</b>", is_private=False, joining="request")
    announcements.announce(club=club, actor=olga, title=evil, text=evil)
    calendar.create_evening(club=club, actor=olga, title=evil, text=evil, starts_at=timezone.now() + timedelta(days=1))
    client.force_login(alice)
    for address in readable(Club.objects.get(), "owner"):
        answer = client.get(address)
        if "html" in answer["Content-Type"]:
            assert evil.encode() not in answer.content and b"<b>Enlil" not in answer.content


def test_lists_are_paged_and_a_page_that_is_not_there_is_none(client, busy, alice, monkeypatch):
    monkeypatch.setattr("portal.clubs.selectors.MEMBERS", 2)
    monkeypatch.setattr("portal.clubs.selectors.LOG_LINES", 3)
    monkeypatch.setattr("portal.clubs.selectors.LISTED", 1)
    services.create_club(owner=alice, name="Ninlil")
    client.force_login(alice)
    for address in (page("club-members", busy), page("club-log", busy), "/clubs/"):
        assert 'href="?page=2"' in client.get(address).content.decode()
        assert client.get(f"{address}?page=2").status_code == 200
        assert client.get(f"{address}?page=999999").status_code == 404
        for bad in ("0", "-1", "x", "9" * 40, "²", "1.5", ""):
            assert client.get(address, {"page": bad}).status_code == 404
    assert client.get(page("club-games", busy), {"game": "chess"}).status_code == 404
    for key in GAMES:
        assert client.get(page("club-games", busy), {"game": key}).status_code == 200


def test_clubs_are_found_by_a_part_of_their_name(client, club, alice):
    services.create_club(owner=alice, name="Ősi Kő")
    for sought, found in (
        ("enl", {"Enlil"}),
        ("ősi", {"Ősi Kő"}),
        ("%", set()),
        ("_", set()),
        ("\x1b", {"Enlil", "Ősi Kő"}),
        ("x" * 999, set()),
    ):
        html = client.get("/clubs/", {"q": sought}).content.decode()
        assert {name for name in ("Enlil", "Ősi Kő") if f"<bdi>{name}</bdi>" in html} == found, sought
    assert client.get("/clubs/?q=%00").status_code == 400


# Forms


def test_a_club_is_founded_by_the_form(client, charlie):
    client.force_login(charlie)
    answer = client.post("/clubs/new/", {"name": "Казань", "joining": "open", "about_ru": "Привет", "is_private": "on"})
    club = Club.objects.get()
    assert answer.status_code == 303 and answer["Location"] == f"/clubs/{club.slug}/" and club.slug.startswith("kazan-")
    assert club.is_private and club.joining == "open" and club.about_ru == "Привет"
    again = client.post("/clubs/new/", {"name": "казань", "joining": "open", "about_hu": "Szia"})
    assert again.status_code == 422 and "There is already a club with this name." in text_of(again) and "Szia" in again.content.decode()


@pytest.mark.parametrize("name", ["", "x" * 61, "x" * 10_000, "En\u202elil", "En\x00lil", "En\x07lil"], ids=lambda name: ascii(name)[:12])
def test_a_bad_name_comes_back_with_the_reason(client, charlie, name):
    client.force_login(charlie)
    answer = client.post("/clubs/new/", {"name": name, "joining": "open"})
    assert answer.status_code == 422 and 'id="id_name_error"' in answer.content.decode()
    assert not Club.objects.exists()


def test_visitors_and_guests_are_led_to_an_account(client, guest, club):
    answer = client.get("/clubs/new/")
    assert answer.status_code == 302 and answer["Location"].startswith("/accounts/login/?next=/clubs/new/")
    assert client.post("/clubs/new/", {"name": "Ninlil", "joining": "open"}).status_code == 302
    client.force_login(guest)
    html = client.get("/clubs/new/").content.decode()
    assert "You need an account to be in a club" in html and 'name="about_en"' not in html
    assert client.post("/clubs/new/", {"name": "Ninlil", "joining": "open"}).status_code == 403
    assert Club.objects.count() == 1


def test_the_link_asks_before_it_leads_in(client, private, charlie, zoe, bob, guest, alice):
    address = reverse("club-join-link", args=[private.link_code])
    html = client.get(address).content.decode()
    assert "Enlil" in html and f"/accounts/login/?next={address}" in html and "noindex" in html
    assert client.post(address).status_code == 403
    client.force_login(guest)
    assert "need an account" in client.get(address).content.decode()
    assert client.post(address).status_code == 403
    client.force_login(zoe)
    assert "banned you" in client.get(address).content.decode()
    assert client.post(address).status_code == 403
    client.force_login(bob)
    assert client.get(address)["Location"] == page("club", private)
    assert client.post(address).status_code == 409
    client.force_login(charlie)
    assert client.get(address).status_code == 200 and not Membership.objects.filter(user=charlie).exists()
    assert client.post(address)["Location"] == page("club", private)
    assert Membership.objects.filter(user=charlie).exists()
    for wrong in ("nonsense", "x" * 5000, "-", "_"):
        assert client.get(f"/clubs/join/{wrong}/").status_code == 404
    services.close_club(club=private, actor=alice)
    client.logout()
    assert client.get(address).status_code == 409


def test_an_invitation_shows_at_the_menu_of_every_page_without_a_statement(client, club, olga, charlie, django_capture_on_commit_callbacks):
    client.force_login(charlie)
    client.get("/verify/")
    with CaptureQueriesContext(connection) as before:
        assert "1 invitation" not in text_of(client.get("/verify/"))
    with django_capture_on_commit_callbacks(execute=True):
        found = ways_in.invite(club=club, actor=olga, person=charlie)
    with CaptureQueriesContext(connection) as after:
        assert "1 invitation" in text_of(client.get("/verify/"))
    assert len(after) == len(before)
    html = client.get("/clubs/").content.decode()
    assert reverse("club-invitation", args=[found.pk]) in html
    for healing in (lambda: client.get("/clubs/"), lambda: client.force_login(charlie)):  # an emptied cache has it again
        cache.clear()
        assert invitations_of(charlie.pk) == 0
        healing()
        assert invitations_of(charlie.pk) == 1
    for bad in ({}, {"do": "perhaps"}):
        assert client.post(reverse("club-invitation", args=[found.pk]), bad).status_code == 422
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post(reverse("club-invitation", args=[found.pk]), {"do": "accept"}).status_code == 303
    assert "1 invitation" not in text_of(client.get("/verify/"))
    assert Membership.objects.filter(club=club, user=charlie).exists() and not Invitation.objects.exists()
    assert client.post(reverse("club-invitation", args=[found.pk]), {"do": "accept"}).status_code == 409
    assert client.post(reverse("club-invitation", args=[HUGE]), {"do": "accept"}).status_code == 409


def test_officers_see_that_somebody_asks(client, busy, olga, bob):
    client.force_login(olga)
    assert "2 people have asked to join." in text_of(client.get(page("club", busy)))
    assert "2 requests" in text_of(client.get("/clubs/"))
    client.force_login(bob)
    assert "asked to join" not in text_of(client.get(page("club", busy)))
    assert "2 requests" not in text_of(client.get("/clubs/"))


def test_leaving_and_closing_are_confirmed(client, club, alice, bob):
    client.force_login(bob)
    assert client.post(page("club-leave", club)).status_code == 422
    assert Membership.objects.filter(user=bob).exists()
    client.force_login(alice)
    for typed in ("", "enlil", "Ninlil", "x" * 9999):
        assert client.post(page("club-close", club), {"name": typed}).status_code == 422
    assert Club.objects.get().closed_at is None
    assert client.post(page("club-close", club), {"name": " Enlil "}).status_code == 303
    assert Club.objects.get().closed_at is not None


def test_names_that_nobody_has_come_back_in_the_form(client, club, alice, charlie):
    client.force_login(alice)
    for name in ("club-invite", "club-ban", "club-hand-over"):
        for typed in ("nobody", "", "x" * 10_000, "a\x00b", "\u202e"):
            answer = client.post(page(name, club), {"username": typed})
            assert answer.status_code == 422, (name, typed)
    answer = client.post(page("club-hand-over", club), {"username": "charlie"})
    assert answer.status_code == 422 and "This person isn&#x27;t a member of this club." in text_of(answer)
    answer = client.post(page("club-invite", club), {"username": "bob"})
    assert answer.status_code == 409 and "This person is already a member." in text_of(answer)


def test_a_name_is_not_told_to_who_may_not_invite(client, club, bob):
    client.force_login(bob)
    before = everything()
    for typed in ("alice", "nobody"):
        assert client.post(page("club-invite", club), {"username": typed}).status_code == 403
        assert client.post(page("club-ban", club), {"username": typed}).status_code == 403
    assert everything() == before


def test_wrong_methods_numbers_buttons_and_missing_tokens_change_nothing(club, alice, monkeypatch):
    monkeypatch.setattr("portal.common.limits.use", lambda *_args, **_limits: Use(1, 1))
    client = Client()
    client.force_login(alice)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alice)
    before = everything()
    for name in POSTED:
        assert client.get(page(name, club)).status_code == 405, name
        assert client.put(page(name, club)).status_code == 405, name
        assert strict.post(page(name, club), {"name": "Enlil", "sure": "yes"}).status_code == 403, name
    for name in READ:
        for method in (client.post, client.delete, client.put):
            assert method(page(name, club)).status_code == 405, name
    for name in POSTED_AT:
        assert client.get(page(name, club, 1)).status_code == 405, name
        assert strict.post(page(name, club, 1), {"do": "delete"}).status_code == 403, name
        for number in (0, 10**9, 2**31, 2**63, HUGE):
            for do in ("grant", "pin", "officer", "delete", "nonsense", ""):
                answer = client.post(page(name, club, number), {"do": do, "answer": "yes"})
                assert answer.status_code in (404, 409, 422), (name, number, do)
        assert client.post(page(name, club, 1).replace("/1/", "/-1/")).status_code == 404
    assert strict.post("/clubs/new/", {"name": "Ninlil", "joining": "open"}).status_code == 403
    assert strict.post(reverse("club-join-link", args=[club.link_code])).status_code == 403
    for slug in ("x" * 500, "no-such-club", "new", "join"):
        assert client.post(f"/clubs/{slug}/join/").status_code in (404, 405)
    assert everything() == before


def test_what_a_person_could_pour_out_is_limited(client, club, charlie, alice, olga):
    client.force_login(charlie)
    founded = range(entry_views.CLUBS_PER_DAY + 1)
    statuses = [client.post("/clubs/new/", {"name": f"Club {number}", "joining": "open"}).status_code for number in founded]
    assert statuses == [303] * entry_views.CLUBS_PER_DAY + [429]
    assert Club.objects.count() == 1 + entry_views.CLUBS_PER_DAY
    statuses = []
    for _ in range(entry_views.REQUESTS_PER_HOUR + 1):
        statuses.append(client.post(page("club-ask", club)).status_code)
    assert statuses[0] == 303 and set(statuses[1:-1]) == {409} and statuses[-1] == 429
    assert JoinRequest.objects.count() == 1


def test_announcements_are_made_pinned_and_deleted_by_their_buttons(client, club, olga):
    client.force_login(olga)
    assert client.post(page("club-announce", club), {"title": "News", "text": "One\r\ntwo", "is_pinned": "on"}).status_code == 303
    found = Announcement.objects.get()
    html = client.get(page("club", club)).content.decode()
    assert "One<br>two" in html and "Pinned" in html
    assert client.post(page("club-announcement", club, found.pk), {"do": "unpin"}).status_code == 303
    assert client.post(page("club-announcement", club, found.pk), {"do": "delete"}).status_code == 303
    assert not Announcement.objects.exists()


# The log


def test_every_verb_that_is_written_has_a_sentence():
    from pathlib import Path

    import portal.clubs
    import portal.contests

    written = set()
    for file in [file for app in (portal.clubs, portal.contests) for file in Path(app.__file__).parent.glob("*.py")]:
        source = file.read_text()
        written |= set(re.findall(r'\bnote\(\s*\w+(?:\.\w+)*, "(\w+)"', source))
        written |= {verb for pair in re.findall(r'\bnote\(\s*\w+(?:\.\w+)*, "(\w+)" if [^,]+ else "(\w+)"', source) for verb in pair}
        written |= set(re.findall(r'_admit\([^"\n]+"(\w+)"', source))
    assert len(written) >= 30
    assert written <= set(SENTENCES)


def test_the_log_tells_it_in_sentences(client, busy, alice, olga):
    client.force_login(alice)
    told = text_of(client.get(page("club-log", busy)))
    for sentence in (
        "alice created the club.",
        "olga joined through the link.",
        "alice made olga an officer.",
        "olga banned zoe.",
        "olga posted the announcement “One”.",
    ):
        assert sentence in told, sentence
    assert "Left every game" not in told
    olga.delete()
    assert "a closed account posted" in text_of(client.get(page("club-log", busy)))


@pytest.mark.parametrize("verb", sorted(SENTENCES))
def test_each_sentence_can_be_said(verb, club, alice, client):
    names = set(re.findall(r"%\((\w+)\)s", SENTENCES[verb])) - {"actor", "subject"}
    ClubEntry.objects.create(club=club, actor=alice, subject=None, verb=verb, values=dict.fromkeys(names, "100 %s %"))
    client.force_login(alice)
    answer = client.get(page("club-log", club))
    assert answer.status_code == 200 and (not names or "100 %s %" in answer.content.decode())
