"""Everything that the site answers to one viewer about one table, byte for byte; only tokens are masked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

from django.conf import settings
from django.core.cache import cache
from django.test import Client

from portal.accounts.services import token_for_sign_in
from portal.tables import choices, reel
from portal.tables.models import Table

MASKS = (
    (re.compile(rb'(name="csrfmiddlewaretoken"[^>]* value=")[A-Za-z0-9]{64}"'), rb'\1-"'),
    (re.compile(rb"(X-CSRFToken[^A-Za-z0-9]{1,12})[A-Za-z0-9]{64}"), rb"\1-"),
    (re.compile(rb'("at":)"[^"]*"(\}\n)'), rb"\1-\2"),  # when a line of a stream was made
    (re.compile(rb"(/events/tables/\d+/\?token=)[\w:%-]+"), rb"\1-"),
)
HEADER_MASKS = {
    "Set-Cookie",
    "Date",
    "Expires",
    "RateLimit",
}  # the times of the answer; what is left to the viewer, and for how many seconds
HTMX = {"HX-Request": "true"}
FAR = 99_999  # a step that no game has
RECENT = 12  # versions that the reel shows again
ODD_ACTIONS = ("tile gold", "score", "nonsense", "god god god god god god god god god")
PREFIXES = {  # partial choices of a seat in each game
    "ra": ("call", "god"),
    "tigris_euphrates": ("tile temple", "swap temple", "support 1 temple", "treasure"),
    "babel": ("migrate medes persians", "halve assyrians", "discard medes", "end"),
    "history_of_the_world": ("take i_plague", "take sumerians", "look events", "conquer nile", "play i_weaponry", "guard ask", "kingdom"),
    "after_the_flood": ("invade babylon", "invade", "attack", "place grain", "trade amorites", "pass"),
}
SECOND = {
    "ra": "hu",
    "tigris_euphrates": "hu",
    "babel": "ru",
    "after_the_flood": "hu",
    "history_of_the_world": "hu",
}  # the language besides English
REFUSED = {  # what no seat may do, whatever it holds
    "ra": ("bid 99", "deal 0 1 2", "discard ra", *ODD_ACTIONS),
    "tigris_euphrates": (
        "tile temple E1",
        "support 6 farm",
        "swap farm farm farm farm farm farm",
        "build black_red A1",
        "treasure A1",
        "catastrophe F3",
        "draw temple",
        *ODD_ACTIONS,
    ),
    "babel": (
        "move quarry",
        "steal 7",
        "expel medes 7",
        "halve sumerians 7",
        "discard medes medes medes medes medes medes medes medes medes medes medes medes",
        "draw medes medes medes",
        "reveal 2 1",
        "start 0",
        *ODD_ACTIONS,
    ),
    "history_of_the_world": (
        "take i_artillery",
        "conquer brazil fleet",
        "kingdom",
        "roll 6 6 1",
        "draw i_plague",
        "play i_plague",
        *ODD_ACTIONS,
    ),
    "after_the_flood": ("invade akkad", "build egypt", "trade kassites lapis gold", "roll 6 6", "order 0 1 2", "garrison 2", *ODD_ACTIONS),
}


def masked(body: bytes) -> bytes:
    for pattern, instead in MASKS:
        body = pattern.sub(instead, body)
    return body


def forget() -> None:
    """Drop what was drawn before: an answer that is kept would be the same after any change of the secrets."""
    cache.clear()
    choices._kept.clear()
    reel._kept.clear()


class Eyes:
    """A viewer: a person with a session and a token, or a visitor with neither."""

    def __init__(self, user=None, game: str = "ra") -> None:
        self.user = user
        self.game = game
        self.client = Client(raise_request_exception=True)
        self.bearer = {}
        if user is not None:
            self.client.force_login(user)
            self.bearer = {"Authorization": f"Token {token_for_sign_in(user=user)}"}

    def see(self, table_id: int, *, at_table: bool = False) -> dict[str, tuple[int, tuple, bytes]]:
        """Request everything, including what must be refused; return each answer by its request.

        With `at_table` only the table itself: not the lists and profiles that mention it, and each thing once.
        """
        self.client.get(f"/tables/{table_id}/")  # a page also records that its reader has seen it, so not between two others
        forget()
        seen = {}
        for name, response in self._answers(table_id, at_table):
            body = masked(b"".join(response.streaming_content) if response.streaming else response.content)
            headers = tuple(sorted((key, value) for key, value in response.headers.items() if key not in HEADER_MASKS))
            cookies = tuple(sorted(response.cookies))
            seen[name] = (response.status_code, (*headers, ("cookies", cookies)), body)
        return seen

    def _answers(self, table_id: int, at_table: bool) -> Iterator[tuple[str, object]]:
        page, api = f"/tables/{table_id}/", f"/api/v1/tables/{table_id}/"
        since = str(max(0, Table.objects.values_list("version", flat=True).get(pk=table_id) - RECENT))
        chosen = [f"{page}?a={prefix}" for prefix in PREFIXES[self.game]]
        lists = [] if at_table else [f"/verify/?table={table_id}", "/", "/lobby/", "/people/alice/", "/people/bob/"]
        lists += [] if at_table else [f"/embed/tables/{table_id}/", f"/embed/tables/{table_id}/steps/", f"/pictures/tables/{table_id}.svg"]
        told = quote(f"{settings.BASE_URL}/tables/{table_id}/", safe="")
        lists += [] if at_table else [f"/oembed/?url={told}", f"/oembed/?url={told}replay%2F%3Fstep%3D1"]
        lists += [] if at_table else [f"/positions/{self.game}/?table={table_id}{step}" for step in ("", "&step=1", f"&step={FAR}")]
        lists += [] if at_table else [f"{page}reel/", f"{page}region/?v=1", f"/leaderboards/{self.game}/"]
        gets = [
            page,
            *(chosen[1::2] if at_table else chosen),
            f"{page}region/",
            f"{page}log/",
            f"{page}record/",
            f"{page}why/9/",
            f"{page}hint/",
            f"{page}chances/",
            f"{page}report/",
            *lists,
        ]
        in_second = [page, *chosen[::2], f"{page}region/", f"{page}log/"][2 * at_table :]
        for language, paths in (("en", gets), (SECOND[self.game], in_second)):
            for path in paths:
                yield f"{language} {path}", self.client.get(path, headers={"Accept-Language": language})
            yield f"{language} choices", self.client.get(f"{page}choices/", headers={"Accept-Language": language})
            yield f"{language} htmx", self.client.get(f"{page}region/", headers={"Accept-Language": language, **HTMX})
            if language == "en":
                yield "reel", self.client.get(f"{page}region/", headers={**HTMX, "X-Reel": since})
            if not at_table:
                yield f"{language} htmx page", self.client.get(page, headers={"Accept-Language": language, **HTMX})
        lists = [] if at_table else [f"/api/v1/tables/{which}" for which in ("", "?list=mine", "?list=finished")]
        lists += [] if self.user is None else ["/api/v1/stream/", f"/api/v1/stream/?since={table_id}:1"]
        lists += [] if at_table else [f"/api/v1/people/alice/{which}" for which in ("", "games/", "against/bob/")]
        parts = [
            "",
            "log/",
            "stream/",
            "moves/",
            "moves/?since=1",
            "record/",
            "record/?full=1",
            "votes/",
            "chat/",
            "chat/players/",
            "chat/watchers/",
        ]
        parts += ["note/", "invitations/"] if self.user is not None else []
        for path in (*(f"{api}{part}" for part in parts), *lists):
            yield path, self.client.get(path, headers=self.bearer)
        yield from self._replay(page, at_table)
        yield from self._replay_of_api(f"{api}replay/")
        yield from self._refused(table_id, page, api, at_table)

    def _replay(self, page: str, at_table: bool) -> Iterator[tuple[str, object]]:
        """Earlier positions: the newest steps, some in the middle, the first, and what is refused as the view of another seat."""
        first = self.client.get(f"{page}replay/steps/?step=1")
        count = first.json()["count"] if first.status_code == 200 else 0  # the table may be hidden, or not started
        yield "replay from the start", first
        places = {max(1, count - 23), count // 2} if at_table else {max(1, count - 23), count // 2, max(1, count // 4)}
        for number, step in enumerate(sorted(places)):
            yield (
                f"replay steps {number}",
                self.client.get(f"{page}replay/steps/?step={step}", headers={"Accept-Language": SECOND[self.game]}),
            )
        yield "replay", self.client.get(f"{page}replay/?step={count}")
        for seat in (0, 1, 2):
            yield f"replay from {seat}", self.client.get(f"{page}replay/?step={count}&seat={seat}")
            yield f"replay steps from {seat}", self.client.get(f"{page}replay/steps/?step=1&seat={seat}")

    def _replay_of_api(self, path: str) -> Iterator[tuple[str, object]]:
        """The newest position, one in the middle and the first, and what is refused as the view of another seat."""
        outline = self.client.get(path, headers=self.bearer)
        count = outline.json()["count"] if outline.status_code == 200 else 0
        yield f"{path}", outline
        for name, step in (("first", 0), ("middle", count // 2), ("last", count), ("none", count + 1)):
            yield f"api replay {name}", self.client.get(f"{path}{step}/", headers=self.bearer)
        for seat in ("0", "1", "spectator"):
            yield f"api replay from {seat}", self.client.get(f"{path}{count}/?seat={seat}", headers=self.bearer)

    def _refused(self, table_id: int, page: str, api: str, at_table: bool) -> Iterator[tuple[str, object]]:
        """Requests that change nothing: stale, illegal, malformed, nonexistent; page and API in turn, since they share a service.

        What can never be an action is tried once for each game, where the lists are looked at too.
        """
        table = Table.objects.only("version", "status").get(pk=table_id)
        version = str(table.version)
        for number, action in enumerate(action for action in REFUSED[self.game] if not at_table or action not in ODD_ACTIONS):
            data = {"action": action, "expected_version": version}
            if number % 2 == 0:  # without script, then with one
                yield f"act {action}", self.client.post(f"{page}act/", data, headers=HTMX if number else {})
            else:
                yield f"api {action}", self.client.post(f"{api}actions/", data, content_type="application/json", headers=self.bearer)
        yield "act stale", self.client.post(f"{page}act/", {"action": "draw", "expected_version": "0"}, headers=HTMX)
        yield (
            "act then",
            self.client.post(f"{page}act/", {"action": "bid 99", "then": "at most 13", "expected_version": version}, headers=HTMX),
        )
        yield "undo", self.client.post(f"{page}undo/", {"expected_version": "0"})
        yield "redo", self.client.post(f"{page}redo/", {"expected_version": "0"})
        yield "order", self.client.post(f"{page}order/", {"order": "nonsense"})
        yield "api order", self.client.put(f"{api}order/", {"order": "nonsense"}, content_type="application/json", headers=self.bearer)
        if table.status == Table.Status.OPEN:
            return
        yield "start", self.client.post(f"{page}start/")
        yield "join", self.client.post(f"{page}join/", {"word": "x" * 61}) if self.user is not None else self.client.get(f"{page}join/")
        yield "verify", self.client.post("/verify/", {"text": "{}"})


def assert_closed(seen: dict, table_id: int, secret: bytes) -> None:
    """Until the end the record is refused, and no answer contains the sealed secret."""
    assert not [name for name, (_, _, body) in seen.items() if secret.hex().encode() in body.lower()]
    for path in (f"en /tables/{table_id}/record/", f"/api/v1/tables/{table_id}/record/", f"/api/v1/tables/{table_id}/record/?full=1"):
        assert seen[path][0] == 409, path


def assert_not_kept(seen: dict, table_id: int) -> None:
    """No answer about a table may be cached for another viewer: no shared caching, and the viewer's browser must revalidate.

    Frames for other sites are the same for everybody, so they may be kept.
    """
    for request, (status, headers, _) in seen.items():
        if f"/{table_id}/" not in request or "/embed/" in request or status >= 400:
            continue
        values = dict(headers)
        control = values.get("Cache-Control", "")
        assert "private" in control or "no-store" in control, (request, control)
        assert "public" not in control, request
        vary_on = values.get("Vary", "").lower()
        assert "cookie" in vary_on or "no-store" in control, (request, vary_on)


def differences(before: dict, after: dict) -> list[str]:
    """Return the requests whose answers are not the same bytes."""
    assert before.keys() == after.keys()
    return [f"{name}: {_first(before[name], after[name])}" for name in before if before[name] != after[name]]


def _first(one: tuple, other: tuple) -> str:
    """Show the first place at which two answers differ."""
    if one[:2] != other[:2]:
        return f"{one[0]} {set(one[1]) ^ set(other[1])}" if one[2] == other[2] else f"{one[0]}, {other[0]}; {_place(one[2], other[2])}"
    return _place(one[2], other[2])


def _place(one: bytes, other: bytes) -> str:
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"{one[max(0, at - 60) : at + 40]!r} and {other[max(0, at - 60) : at + 40]!r}"
