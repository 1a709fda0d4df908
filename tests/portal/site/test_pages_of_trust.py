"""About, help, privacy, terms, contact and security.txt: there for everybody, in three languages, and they say what the code does."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.test import Client
from django.urls import reverse
from django.utils import translation

from games.registry import GAMES
from portal.accounts.mail import KEEP_SENT
from portal.accounts.models import User
from portal.accounts.services import GUEST_DAYS
from portal.site import cleaning, helping, keeping, pages
from portal.site.status import status
from portal.tables import inviting
from rules_docs import loader

pytestmark = pytest.mark.django_db
NAMES = ("about", "help", "privacy", "terms", "contact")
TITLES = {
    "en": ("About Ziggurat", "Help", "Privacy", "Terms of use", "Contact"),
    "hu": ("A Zigguratról", "Súgó", "Adatvédelem", "Használati feltételek", "Kapcsolat"),
    "ru": ("О сайте Ziggurat", "Помощь", "Конфиденциальность", "Условия использования", "Контакты"),
}
PORTAL = Path(pages.__file__).resolve().parent.parent


def main_of(client: Client, address: str, lang: str = "en") -> str:
    """Return what a page says between header and footer, with its markup."""
    response = client.get(address, headers={"Accept-Language": lang})
    assert response.status_code == 200
    body = response.content.decode()
    return body[body.index("<main") : body.index("</main>")]


def words_of(client: Client, address: str, lang: str = "en") -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main_of(client, address, lang))).split())


def rows_of(client: Client, anchor: str) -> dict[str, str]:
    """Return the rows of a list on the page "Privacy": name -> how long it is kept."""
    section = re.search(rf'<section[^>]*aria-labelledby="{anchor}".*?</section>', main_of(client, "/privacy/"), re.DOTALL)
    assert section is not None
    found = re.findall(r'kept__name">\s*(.*?)\s*</dt>.*?kept__until">\s*(.*?)\s*</span>', section[0], re.DOTALL)
    return {unescape(name): unescape(until) for name, until in found}


@pytest.mark.parametrize("lang", site_settings.INTERFACE_LANGUAGES)
@pytest.mark.parametrize("index", range(len(NAMES)))
def test_each_page_is_there_in_each_language_without_a_statement(client, django_assert_num_queries, index, lang):
    with django_assert_num_queries(0):
        response = client.get(f"/{NAMES[index]}/", headers={"Accept-Language": lang})
    body = response.content.decode()
    assert response.status_code == 200
    assert f'<html lang="{lang}"' in body
    assert re.search(rf"<h1>\s*{TITLES[lang][index]}\s*</h1>", body)


@pytest.mark.parametrize("lang", ["hu", "ru"])
def test_nothing_in_a_translation_is_left_in_english(client, lang):
    """A sentence that reads alike in two languages was not translated; names of people and publishers are."""
    sentence = re.compile(r"<(?:p|li|h2|h3|dt|dd)\b[^>]*>\s*(\w[^<]{24,})")
    publishers = tuple(f"{entry.game.meta.publisher}." for entry in GAMES.values())
    for name in NAMES:
        english, other = ({text.strip() for text in sentence.findall(main_of(client, f"/{name}/", of))} for of in ("en", lang))
        assert english
        assert not {text for text in english & other if not text.endswith(publishers)}


@pytest.mark.parametrize("name", [*NAMES, "security"])
@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_pages_can_only_be_read(client, settings, name, method):
    settings.CONTACT_EMAIL = "games@example.org"
    assert getattr(client, method)(reverse(name)).status_code == 405
    assert client.head(reverse(name)).status_code == 200


def test_every_page_of_the_site_leads_to_them(client):
    body = client.get("/lobby/").content.decode()
    footer = body[body.index('<footer class="site-footer"') :]
    for name in NAMES:
        assert f'href="/{name}/"' in footer


def test_every_link_leads_somewhere(client, alice, settings):
    settings.CONTACT_EMAIL = "games@example.org"
    loader.load("ra")
    client.force_login(alice)
    found: set[str] = set()
    for name in NAMES:
        here = main_of(client, f"/{name}/")
        anchors = re.findall(r'\bid="([^"]+)"', here)
        assert len(anchors) == len(set(anchors))
        for address in re.findall(r'href="([^"]+)"', here):
            if address.startswith("#"):
                assert address[1:] in anchors
            elif not address.startswith("mailto:"):
                found.add(unescape(address))
    assert {"/verify/", "/bots/", "/ratings/", "/api/docs/", "/settings/delete/", "/help/#block"} <= found
    found.remove(reverse(status))  # asks the workers: `test_status.py`
    for address in found:
        path, _, anchor = address.partition("#")
        response = client.get(path)
        assert response.status_code in (200, 302), address  # somebody who is signed in has no use for the form to sign up
        assert not anchor or f'id="{anchor}"' in response.content.decode(), address


@pytest.mark.parametrize("name", NAMES)
def test_no_link_sticks_to_a_sentence(client, name):
    """The loader of templates leaves out what is between two lines."""
    assert not re.search(r"[.?!:]<a\b|</a>:\S", main_of(client, f"/{name}/", "hu"))


# What they say


def test_about_names_authors_and_publishers_of_every_game(client):
    said = words_of(client, "/about/")
    for entry in GAMES.values():
        meta = entry.game.meta
        assert f"{meta.title}: {', '.join(meta.designers)}; {meta.publisher}." in said
    assert "unofficial" in said


def test_help_answers_every_question_with_the_numbers_of_the_code(client, monkeypatch):
    said = words_of(client, "/help/")
    asked = [str(one.asked) for group in helping.GROUPS for one in group.questions]
    assert len(asked) >= 12
    assert all(said.count(question) == 2 for question in asked)  # in the list, and above the answer
    assert f"is removed after {GUEST_DAYS} days." in said
    assert f"An invitation expires after {inviting.LASTS.days} days." in said
    assert "%(" not in said
    monkeypatch.setattr(helping, "GUEST_DAYS", 1)
    assert "is removed after 1 day." in words_of(client, "/help/")


def test_buttons_are_called_as_they_are(client):
    """The answers name buttons in quotation marks: so do the templates, and in each language alike."""
    templates = "".join(path.read_text() for path in (PORTAL.parent / "templates").rglob("*.html"))
    for group in helping.GROUPS:
        for question in group.questions:
            for answer in question.answers:
                for name in re.findall("“(.+?)”", str(answer)):
                    assert f'"{name}"' in templates or f">{name}<" in templates, name
                    for lang in ("hu", "ru"):
                        with translation.override(lang):
                            assert translation.gettext(name) in str(answer), (lang, name)


def test_privacy_says_how_long_as_the_code_has_it(client, settings):
    settings.BACKUP_EVERY_H, settings.BACKUP_KEEP = 24, 7
    kept = rows_of(client, "kept")
    assert kept["Notices"] == f"Kept: {cleaning.NOTICES_KEPT.days} days."
    assert kept["Wrong passwords"] == f"Kept: {cleaning.ATTEMPTS_KEPT.days} days at most."
    assert kept["Mail"] == f"Kept: {KEEP_SENT.days} days after it was sent."
    assert kept["Clubs"] == f"Kept: for good; unanswered ones {cleaning.UNANSWERED_KEPT.days} days."
    assert kept["Guest"].startswith(f"Kept: {GUEST_DAYS} days ")
    assert kept["Signed-in devices"].endswith(f"{site_settings.SESSION_COOKIE_AGE // 86400} days without use.")
    assert kept["Backups"] == "Kept: until there are 7 newer ones."
    assert "every 24 hours" in words_of(client, "/privacy/")
    assert "Reports of errors" not in kept


def test_privacy_follows_what_the_code_has(client, monkeypatch):
    monkeypatch.setattr(keeping, "NOTICES_KEPT", timedelta(days=1))
    assert rows_of(client, "kept")["Notices"] == "Kept: 1 day."


def test_privacy_follows_how_the_site_is_set_up(client, settings):
    settings.BACKUP_EVERY_H, settings.SENTRY_DSN = 0, "https://key@sentry.example.org/1"
    kept = rows_of(client, "kept")
    assert kept["Backups"] == "Kept: as the operator decides."
    assert kept["Reports of errors"] == "Kept: as long as that service keeps them."


def test_privacy_lists_the_cookies_that_the_site_sets(client, alice):
    said = rows_of(client, "cookies")
    set_by_us = {
        name.strip().strip('"') for path in PORTAL.rglob("*.py") for name in re.findall(r"\.set_cookie\(\s*([^,]+),", path.read_text())
    }
    assert set_by_us == {"settings.LANGUAGE_COOKIE_NAME", "theme", "DISMISSED"}
    client.post("/language/", {"language": "en"})
    client.post("/theme/", {"theme": "dark"})
    client.post("/play/ra/")
    client.get("/lobby/")
    assert set(client.cookies) <= set(said)
    assert {"sessionid", "csrftoken", "django_language", "theme", "news", "messages"} == set(said)
    for name, cookie in client.cookies.items():
        if cookie["max-age"] and name != "messages":
            assert said[name].startswith(f"Kept: {int(cookie['max-age']) // 86400} days"), name


def test_counters_of_limits_last_a_day_at_most():
    windows = [int(number) for path in PORTAL.rglob("*.py") for number in re.findall(r"window_s=(\d+)", path.read_text())]
    assert len(windows) > 20
    assert max(windows) <= 86400


# The address of the operators


def test_without_an_address_the_contact_page_says_so(client, settings):
    settings.CONTACT_EMAIL = ""
    here = main_of(client, "/contact/")
    assert "haven't given an address" in unescape(here)
    assert "mailto:" not in here
    assert client.get("/.well-known/security.txt").status_code == 404


def test_the_contact_page_has_the_address(client, settings):
    settings.CONTACT_EMAIL = "o'brien+games@example.org"
    here = main_of(client, "/contact/")
    assert 'href="mailto:o%27brien+games@example.org"' in here
    assert "o&#x27;brien+games@example.org" in here
    assert "haven't given" not in unescape(here)


def test_an_address_is_never_markup(client, settings):
    """The configuration refuses such a value; the page would not trust it either."""
    settings.CONTACT_EMAIL = '"><script>alert(1)</script>@example.org'
    body = client.get("/contact/").content.decode()
    assert "<script>alert" not in body
    assert 'href="mailto:%22%3E%3Cscript%3E' in body


def fields(client: Client) -> dict[str, str]:
    response = client.get("/.well-known/security.txt")
    assert response.status_code == 200
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    text = response.content.decode()
    assert text.endswith("\n")
    lines = [line.partition(": ") for line in text.splitlines()]
    assert len({name for name, _, _ in lines}) == len(lines)
    return {name: value for name, _, value in lines}


def test_security_txt(client, settings):
    settings.CONTACT_EMAIL, settings.BASE_URL = "games@example.org", "https://games.example.org"
    said = fields(client)
    assert set(said) == {"Contact", "Expires", "Preferred-Languages", "Canonical"}
    assert said["Contact"] == "mailto:games@example.org"
    assert said["Preferred-Languages"] == "en, hu, ru"
    assert said["Canonical"] == "https://games.example.org/.well-known/security.txt"
    expires = datetime.strptime(said["Expires"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert timedelta(days=30) < expires - datetime.now(UTC) < timedelta(days=365)


def test_security_txt_names_no_address_without_tls(client, settings):
    settings.CONTACT_EMAIL, settings.BASE_URL = "games@example.org", "http://games.example.org"
    assert set(fields(client)) == {"Contact", "Expires", "Preferred-Languages"}


def test_an_address_in_security_txt_stays_on_its_line(client, settings: Any):
    settings.CONTACT_EMAIL, settings.BASE_URL = "games@example.org\nContact: https://elsewhere.example", "http://x"
    assert set(fields(client)) == {"Contact", "Expires", "Preferred-Languages"}


def test_whoever_is_signed_in_reads_the_same(client, alice: User):
    before = {name: words_of(client, f"/{name}/") for name in NAMES}
    client.force_login(alice)
    assert {name: words_of(client, f"/{name}/") for name in NAMES} == before
