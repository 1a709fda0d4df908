"""A walk through the API that knows what it has met: real ids from answers, tokens of every sort, and play in the middle of games.

`Walk` keeps one client for each sort of caller, and a pool of values for each place of an address. `Walk.check` holds every answer to the schema.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from typing import Any, Final
from urllib.parse import quote, urlencode

import jsonschema_rs
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, seed, settings

from portal.accounts.models import ApiToken, User
from portal.accounts.own_tokens import make_token
from portal.studies import tasks as study_tasks
from portal.studies.models import Wish
from portal.tables import tasks
from portal.tables.loading import load
from portal.tables.models import Table
from tests.portal.tables.ending import end

ROOT: Final = "/api/v1/"
PROBLEM: Final = "application/problem+json"
MOST_BOT_MOVES: Final = 2_000  # in a row: more than any game has
KEPT: Final = 12  # of each pool, the newest
NAMES: Final = ("alice", "bob", "charlie", "olga", "asking", "invited", "guest-abcde", "zoe")
TOO_BIG: Final = 10_000_000  # bytes of a body
# Which field of an answer names the thing in an address, where that isn't its `id`.
NAMED_BY: Final = {
    "clubs": "slug",
    "people": "username",
    "members": "username",
    "friends": "username",
    "paragraphs": "id",
    "chapters": "slug",
    "links": "link_code",
    "link": "code",
    "moves": "number",
}


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the schema, with what schemathesis generates for it."""

    name: str
    method: str
    path: str
    raw: Mapping[str, Any]
    generated: Any

    @property
    def statuses(self) -> set[int]:
        return {int(status) for status in self.raw["responses"] if status.isdigit()}

    @property
    def places(self) -> list[tuple[str, str]]:
        """Each place of the address: the word before it, and its name."""
        return re.findall(r"([\w-]+)/\{(\w+)\}", self.path)


@cache
def schema() -> dict[str, Any]:
    from drf_spectacular.generators import SchemaGenerator

    made: dict[str, Any] = json.loads(json.dumps(SchemaGenerator().get_schema(public=True), default=str))
    return made


@cache
def operations() -> dict[str, Operation]:
    """Return the operations by id."""
    import schemathesis

    found = {}
    for result in schemathesis.openapi.from_dict(schema()).get_all_operations():
        one = result.ok()
        raw = schema()["paths"][one.path][one.method.lower()]
        found[raw["operationId"]] = Operation(raw["operationId"], one.method.upper(), one.path, raw, one)
    return found


def _plain(part: Any) -> Any:
    """Return a part of the schema as JSON Schema: `nullable` of OpenAPI 3.0 is a type there."""
    if isinstance(part, list):
        return [_plain(one) for one in part]
    if not isinstance(part, dict):
        return part
    made = {key: _plain(value) for key, value in part.items() if key != "nullable"}
    return {"anyOf": [made, {"type": "null"}]} if part.get("nullable") is True else made


@cache
def _validator(name: str, status: int, media: str) -> Any:
    content = operations()[name].raw["responses"][str(status)].get("content", {})
    if media not in content:
        return None
    return jsonschema_rs.validator_for({**_plain(content[media]["schema"]), "components": _plain(schema()["components"])})


def _fault(operation: Operation, answer: Any) -> str | None:
    """Say what an answer has that it mustn't: a fault of the server, an undocumented status or media type, another shape than the schema's."""
    status = answer.status_code
    content = b"" if answer.streaming else answer.content
    if status >= 500:
        return f"a fault of the server: {content[:600]!r}"
    if status not in operation.statuses:
        return f"the status is not documented: {content[:600]!r}"
    if status in (204, 304):
        return f"there is a body: {content[:100]!r}" if content else None
    media = answer["Content-Type"].partition(";")[0]
    validator = _validator(operation.name, status, media)
    if validator is None:
        return f"the media type is not documented: {media}"
    if media.endswith("x-ndjson"):
        return None
    told = json.loads(content)
    wrong = next(iter(validator.iter_errors(told)), None)
    if wrong is not None:
        return f"{wrong.message[:600]} at {list(wrong.instance_path)}"
    return None if status < 400 or (media, told["status"]) == (PROBLEM, status) else f"an error that says it is another: {content[:300]!r}"


CASES: Final = 3  # that schemathesis generates for each operation; values that exist, and what can't be, are put in later


@cache
def cases(name: str, first: int = 1) -> tuple[Any, ...]:
    """Return requests that fit the schema; which ones depends on the number `first`."""
    from schemathesis.generation import GenerationMode

    return tuple(_generated(operations()[name].generated.as_strategy(GenerationMode.POSITIVE), first))


def _generated(strategy: Any, first: int) -> list[Any]:
    made: list[Any] = []

    @seed(first)
    @settings(max_examples=CASES, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(case=strategy)
    def collect(case: Any) -> None:
        made.append(case)

    collect()
    return made


@dataclass
class Walk:
    """Where a walk is: callers, values met, tables by how far they are, and what it has seen."""

    clients: dict[str, Client]
    club: str
    pools: dict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))
    versions: dict[int, int] = field(default_factory=dict)
    legal: list[str] = field(default_factory=list)
    terms: list[str] = field(default_factory=list)
    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)
    faults: dict[tuple[str, int, str], str] = field(default_factory=dict)
    plies: Counter[str] = field(default_factory=Counter)  # actions that were taken, by game

    def keep(self, pool: str, value: Any) -> None:
        """Keep a value for the addresses and bodies to come."""
        kept = self.pools[pool]
        if value is not None and value not in kept:
            kept.append(value)
            del kept[:-KEPT]

    # Asking

    def ask(
        self, who: str, method: str, path: str, body: Any = None, query: Mapping[str, Any] | None = None, raw: str | None = None
    ) -> Any:
        sent = raw if raw is not None else "" if body is None else json.dumps(body)
        return self.clients[who].generic(
            method, quote(path, safe="/-_.~%:!"), sent, content_type="application/json", query_params=dict(query or {})
        )

    def call(self, who: str, name: str, at: Mapping[str, Any], body: Any = None, query: Mapping[str, Any] | None = None) -> Any:
        """Ask an operation in its order; hold the answer to the schema, learn from it, and return it."""
        operation = operations()[name]
        path = operation.path
        for key, value in at.items():
            path = path.replace("{" + key + "}", str(value))
        answer = self.ask(who, operation.method, path, body, query)
        self.check(operation, answer, (who, operation.method, path, query, body))
        self.learn(operation, answer, path)
        return answer

    def send(self, who: str, operation: Operation, case: Any, dice: random.Random, how: str = "") -> Any:
        """Send a generated request with values that exist in most places; `how` is "huge" or "cursor" for a body of 10 MB or a broken cursor."""
        path = operation.path
        for before, key in operation.places:
            drawn = (case.path_parameters or {}).get(key, "1")
            kept = self.pools.get(before) or self.pools.get(key)
            value = dice.choice(kept) if kept and dice.random() < 0.85 else drawn
            path = path.replace(f"{before}/{{{key}}}", f"{before}/{value}", 1)
        query = {key: value for key, value in (case.query or {}).items() if "%00" not in urlencode({key: value}, doseq=True)}
        if how == "cursor":
            query |= {"cursor": broken_cursor(dice, self.pools["cursor"]), "limit": dice.choice(["0", "1", "-1", "9" * 30, "٣", "1e3", ""])}
        raw = None
        if how == "huge":
            raw = json.dumps({"text": "x" * TOO_BIG})
        elif isinstance(case.body, (str, bytes)):
            raw = case.body if isinstance(case.body, str) else case.body.decode("latin-1")
        elif type(case.body).__name__ != "NotSet" and operation.method != "GET":
            raw = json.dumps(spoilt(self.real(case.body, dice), dice), default=str)
        answer = self.ask(who, operation.method, path, raw=raw or "", query=query)
        self.check(operation, answer, (who, operation.method, path, query, (raw or "")[:500]))
        self.learn(operation, answer, path)
        return answer

    def real(self, body: Any, dice: random.Random) -> Any:
        """Return a body with values that exist where the walk knows some."""
        if not isinstance(body, dict):
            return body
        known: dict[str, list[Any]] = {
            "username": list(NAMES),
            "invite": [["bob"], ["charlie", "bob"]],
            "table": self.pools["tables"],
            "action": self.legal,
            "actions": [[text] for text in self.legal[:8]],
            "expected_version": list(self.versions.values()),
            "order": self.legal,
            "terms": self.terms,
            "club": [self.club],
            "step": [0, 1, 5, 20],
            "after": [0, *self.pools["moves"]],
            "line": self.pools["lines"],
            "number": [0, *self.pools["moves"]],
            "seat": [0, 1],
            "password": ["correct horse", "wrong"],
        }
        return {
            key: dice.choice(known[key]) if known.get(key) and dice.random() < 0.8 else self.real(value, dice)
            for key, value in body.items()
        }

    def check(self, operation: Operation, answer: Any, asked: Any) -> None:
        """Hold an answer to the schema, and note what is wrong with it."""
        self.statuses[operation.name, answer.status_code] += 1
        if (fault := _fault(operation, answer)) is not None:
            self.faults.setdefault((operation.name, answer.status_code, fault[:60]), f"{fault}\n    asked: {asked}")

    # What is learnt from an answer

    def learn(self, operation: Operation, answer: Any, path: str) -> None:
        if answer.status_code not in (200, 201) or answer.streaming or answer["Content-Type"] != "application/json":
            return
        told = json.loads(answer.content)
        words = [word for word in operation.path.split("/") if word and not word.startswith("{")]
        rows = told.get("results", [told]) if isinstance(told, dict) else told
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict):
                self._learn_row(words[-1], row)
        if isinstance(told, dict):
            if told.get("next"):
                self.keep("cursor", told["next"].partition("cursor=")[2].partition("&")[0])
            if operation.path.startswith(f"{ROOT}tables/{{id}}/") and "version" in told and "legal" in told:
                self.versions[told["id"]] = told["version"]
                self.legal = told["legal"] or self.legal
            if operation.path.startswith(f"{ROOT}studies/"):
                self.legal = told.get("legal") or self.legal

    def _learn_row(self, word: str, row: Mapping[str, Any]) -> None:
        if word in ("accept", "start", "rematch", "join"):
            word = "tables" if "seats" in row and "game" in row else word
        for key, rows in row.items():  # what it has lists of: the leagues of a season, the rounds of a league with their pairings
            for one in rows if isinstance(rows, list) else ():
                if isinstance(one, dict):
                    self._learn_row(key, one)
        value = row.get(NAMED_BY.get(word, "id"), row.get("number", row.get("slug")))
        if isinstance(value, (int, str)):
            self.keep(word, value)
        if isinstance(row.get("entrant"), int):
            self.keep("entrants", row["entrant"])
        for key in ("link_code", "code"):
            if isinstance(row.get(key), str):
                self.keep("links", row[key])
        if isinstance(row.get("link"), str):
            end_of = row["link"].rstrip("/").rpartition("/")[2]
            self.keep("link", end_of)
            self.keep("join", end_of)
        if isinstance(row.get("terms"), str):
            self.terms = [*self.terms[-3:], row["terms"]]
        vote = row.get("vote")
        if isinstance(vote, dict):
            self.keep("votes", vote["id"])

    # Playing

    def settle(self, pk: int) -> None:
        """Do what workers would do at a table: bots move, and sums are done."""
        for _ in range(MOST_BOT_MOVES):
            loaded = load(pk)
            table = loaded.table
            if table.status != Table.Status.PLAYING or not table.due:
                return
            bots = [seat for seat in table.due if seat >= 0 and loaded.seats[seat].user_id is None]
            if bots:
                tasks.play_bot(pk, table.version, bots[0])
            elif all(seat < 0 for seat in table.due):
                tasks.score(pk, table.version)
            else:
                return
        raise AssertionError("the bots don't come to an end")

    def play(self, pk: int, count: int, dice: random.Random) -> None:
        """Let whoever is due play so many legal actions, as the API lists them, each accepted."""
        for _ in range(count):
            self.settle(pk)
            view = self.call("alice", "table", {"id": pk}).json()
            who = "alice"
            if not view["legal"] and view["due"]:
                who, view = "bob", self.call("bob", "table", {"id": pk}).json()
            if not view["legal"]:
                return
            action = dice.choice(view["legal"])
            answer = self.call(who, "act", {"id": pk}, {"action": action, "expected_version": view["version"]})
            assert answer.status_code == 200, (view["game"], action, answer.content[:600])
            self.plies[view["game"]] += 1
        self.settle(pk)

    def finish(self, pk: int) -> None:
        """Play a table to its end in memory."""
        self.settle(pk)
        if Table.objects.get(pk=pk).status == Table.Status.PLAYING:
            end(pk)

    def think(self) -> None:
        """Let the bots that were asked in studies move."""
        for wish in Wish.objects.all():
            study_tasks.move(wish.pk)


def spoilt(body: Any, dice: random.Random) -> Any:
    """Return a body as it is, or in one case of four with a value that it can't have."""
    if not isinstance(body, dict) or not body or dice.random() < 0.75:
        return body
    field_name = dice.choice(sorted(body))
    odd = dice.choice([None, -1, 2**70, 1.5, True, [], {}, [[]], "", "\x00", "\ud800", "9" * 400, {"a": None}, "x" * 20_000])
    return dice.choice([body | {field_name: odd}, {key: value for key, value in body.items() if key != field_name}, [body], odd])


def broken_cursor(dice: random.Random, real: list[str]) -> str:
    """Return a cursor that isn't one of the list, or is one of another list."""
    made = ["", "x", "bnVsbA:x", "W10:" + "A" * 43, "%", "\u0661", "-" * 3_000, "bnVsbA", "null", "[]", ":::"]
    if real and dice.random() < 0.5:
        cursor = dice.choice(real)
        made = [cursor, cursor[:-1], cursor[::-1], cursor + "=", cursor.replace(":", "")]
    return dice.choice(made)


def callers(alice: User, bob: User, charlie: User, guest: User, olga: User) -> dict[str, Client]:
    """Return clients: visitor, sessions, tokens with everything, with each scope alone, expired, revoked and made up."""

    def with_token(text: str) -> Client:
        return Client(headers={"authorization": f"Token {text}"}, raise_request_exception=False)

    found = {"visitor": Client(raise_request_exception=False)}
    for who, user in (("guest", guest), ("officer", olga)):
        found[who] = Client(raise_request_exception=False)
        found[who].force_login(User.objects.get(pk=user.pk))
    for who, user in (("alice", alice), ("bob", bob), ("stranger", charlie)):
        found[who] = with_token(make_token(user=user).text)
    for scope in ("read", "play", "club", "admin"):
        found[f"only {scope}"] = with_token(make_token(user=alice, scopes=[scope]).text)
    expired = make_token(user=alice, days=1)
    ApiToken.objects.filter(pk=expired.row.pk).update(expires_at=timezone.now() - timedelta(days=1))
    revoked = make_token(user=bob)
    revoked.row.delete()
    return found | {"expired": with_token(expired.text), "revoked": with_token(revoked.text), "made up": with_token("0" * 40)}
