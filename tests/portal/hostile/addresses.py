"""The addresses of the site, with ids and words of things that are there or not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.urls import URLPattern, get_resolver

from portal.accounts.models import User
from portal.clubs.models import Club
from portal.notices.models import Kind
from portal.notices.stopping import stop_token
from portal.tables.models import Table
from tests.portal.clubs.test_hostile import filled

LANGUAGES = ("en", "hu", "ru")
VALUES = {  # as they are in an address
    "nothing": "",
    "space": "%20",
    "very long": "x" * 3000,
    "hyphens": "-" * 2000,
    "quotes": "%27%22%60%3B%5C",
    "NUL": "a%00b",
    "half of a surrogate pair": "%ed%a0%80",
    "no UTF-8": "%ff%fe%c3%28",
    "half a sequence": "%",
    "huge": "9" * 400,
    "beyond the database": str(2**63),
    "beyond a date": "99999999",
    "negative": "-1",
    "very negative": str(-(2**63) - 1),
    "zero": "0",
    "infinite": "1e999",
    "no number": "NaN",
    "digits of another script": "%D9%A3",
    "a digit that is no number": "%C2%B2",
    "full-width": "%EF%BC%91",
    "search operators": "a%26%21%28b%7C",
    "a search by distance": "%3A*%3CB%27%3C-%3E%29%28",
    "wildcards": "%25_%25%25",
    "path": "..%2F..%2Fetc%2Fpasswd",
    "another site": "%2F%2Fevil.example%2F",
    "header": "a%0D%0ASet-Cookie:%20a=b",
    "right to left": "%E2%80%AEabc",
    "template": "%7B%7B7*7%7D%7D%25(x)s%25s%7B0%7D",
    "markup": "%3Cscript%3Ealert(1)%3C/script%3E",
    "list": "%5B%7B%22a%22:1%7D%5D",
}
ODD_ROUTES = {
    r"^accounts/confirm-email/(?P<key>[-:\w]+)/$": "accounts/confirm-email/a:b/",
    r"^accounts/password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$": "accounts/password/reset/key/1-set-password/",
    r"accounts/^confirm-email/(?P<key>[-:\w]+)/$": "accounts/confirm-email/a:b/",
    r"accounts/^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$": "accounts/password/reset/key/1-x/",
    r"admin/^(?P<app_label>clubs|notices|accounts|talk|tables|site|common|people|studies|mfa|auth|account|axes)/$": "admin/auth/",
    r"admin/(?P<url>.*)$": "admin/nothing",
}


def routes() -> list[str]:
    """Every route of the site, as Django writes it."""

    def below(patterns, start) -> Iterator[str]:
        for pattern in patterns:
            if isinstance(pattern, URLPattern):
                yield start + str(pattern.pattern)
            else:
                yield from below(pattern.url_patterns, start + str(pattern.pattern))

    return list(dict.fromkeys(below(get_resolver().url_patterns, "")))


def addresses(route: str, club: Club, bob: User, tables: tuple[Table, ...], managed: dict[str, int]) -> Iterator[str]:
    """Yield the addresses of a route with ids of existing objects; `managed` has those of the admin's pages by how they start."""
    if route in ODD_ROUTES:
        yield ODD_ROUTES[route]
        return
    if (below := route.removeprefix("clubs/<slug:slug>/")) not in (route, ""):
        yield filled(below, club, bob).removeprefix("/")
        return
    playing, waiting, ended = (table.pk for table in tables)
    number = ended if route.endswith("/record/") else waiting if route.endswith("/join/") else playing
    for lang in LANGUAGES if "<language:lang>" in route else [""]:
        values = {
            "pk": number,
            "seq": 9,
            "line": 1,
            "number": 1,
            "seat": 1,
            "step": 1,
            "vote": 1,
            "invitation": 1,
            "room": "players",
            "lang": lang,
            "slug": club.slug,
            "code": tables[1].link_code if route.startswith(("invite/", "api/v1/links/")) else club.link_code,
            "token": stop_token(bob, Kind.TURN),
            "game": "ra",
            "chapter": "auction",
            "anchor": "auction-3",
            "example": "auction",
            "term": "pharaoh",
            "username": "bob",
            "other": "alice",
            "digest": "ab" * 16,
            "content_type_id": 1,
            "kind": "seats",
            "name": "ra-2025-10.json",
            "paragraph": "auction-3",
            "position": "auction",
            "form": "svg",
            "entrant": 1,
            "pairing": 1,
            "object_id": next((pk for start, pk in managed.items() if route.startswith(start)), 1),
        }
        yield re.sub(r"<(?:\w+:)?(\w+)>", lambda part, values=values: str(values[part[1]]), route)
