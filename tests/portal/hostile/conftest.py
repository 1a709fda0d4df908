"""A site with one of everything, and everybody who may look at it."""

from __future__ import annotations

import itertools
import logging
import os
from dataclasses import dataclass, field

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.auth.models import Group
from django.test import Client

from games.registry import GAMES
from portal.accounts.models import User
from portal.accounts.services import token_for_sign_in
from portal.clubs import services as clubs
from portal.clubs.models import Club
from portal.common import limits
from portal.people.models import Profile
from portal.ratings.services import apply_pending
from portal.tables import services
from portal.tables.models import Table
from tests.portal.clubs.conftest import alice, bob, charlie, club, guest, olga, person, zoe
from tests.portal.clubs.test_hostile import full
from tests.portal.hostile.addresses import addresses, routes
from tests.portal.ratings.games import finished
from tests.portal.tables.ending import end

__all__ = ["alice", "bob", "charlie", "club", "full", "guest", "olga", "zoe"]
EACH = int(os.environ.get("HOSTILE") or 1)  # values of every sort in every place; `make hostile` sets it
LONG = EACH > 1
AWAY = ("/readyz", 503)  # no worker runs here
BAN_REASON, MESSAGE, CELLAR = "Left every game.", "Let me in, by the beard of Enki.", "Cellar of Nergal"
ROLES = ("visitor", "guest", "spectator", "player", "officer", "owner", "staff", "superuser")


@dataclass
class World:
    """Roles with their people, addresses, and what must be hidden from whom."""

    people: dict[str, User | None]
    by_route: dict[str, str]  # an address of each route
    addresses: list[str]  # all of them, without the first slash
    secrets: dict[str, tuple[str, set[str]]]  # what -> the text, and the roles that may read it
    tables: dict[str, int] = field(default_factory=dict)  # game -> a table in play

    def client(self, role: str, **options: bool) -> Client:
        client = Client(raise_request_exception=False, **options)
        if (user := self.people[role]) is not None:
            client.force_login(User.objects.get(pk=user.pk))
        return client

    def hidden_from(self, role: str) -> dict[str, bytes]:
        return {what: text.encode() for what, (text, roles) in self.secrets.items() if role not in roles}


@pytest.fixture(autouse=True)
def quiet():
    """A line in the log for each refusal would take longer than the refusals."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture
def unlimited(monkeypatch, settings):
    """Limits are tested elsewhere; here each request counts for nothing."""
    monkeypatch.setattr(limits, "use", lambda *_args, **_options: limits.Use(1, 1))
    monkeypatch.setattr("portal.common.api_views.use", lambda *_args, **_options: limits.Use(1, 1))
    monkeypatch.setattr(limits.Guesses, "check", lambda *_args: None)
    settings.ACCOUNT_RATE_LIMITS = False


@pytest.fixture
def world(full, alice, bob, charlie, olga, guest, zoe, monkeypatch):
    """The club with one of everything, tables of each game in play, one open and one finished, and rated games."""
    count = itertools.count(1)
    monkeypatch.setattr("games.core.sealed.new_secret", lambda: next(count).to_bytes(2, "big") * 16)
    for number in range(101, 104):
        finished(number, [("alice", 1), ("bob", 2)])
    apply_pending()
    ended = services.create_table(owner=alice, game_key="ra", seats=2, bots=["apprentice"]).table
    end(ended.pk)
    playing = {}
    for key, entry in GAMES.items():
        seats = max(entry.game.meta.seats)
        opened = services.create_table(owner=alice, game_key=key, seats=seats, bots=["apprentice"] * (seats - 2))
        playing[key] = services.join_table(table_id=opened.table.pk, user=bob).table
    waiting = services.create_table(owner=alice, game_key="ra", seats=2).table
    cellar = clubs.create_club(owner=zoe, name=CELLAR, is_private=True, joining="open")
    full.requests.update(message=MESSAGE)
    people = {"visitor": None, "guest": guest, "spectator": charlie, "player": bob, "officer": olga, "owner": alice}
    people["staff"] = person("clerk", is_staff=True)
    people["superuser"] = person("root", is_staff=True, is_superuser=True)
    managed = [
        Group.objects.create(name="clerks"),
        EmailAddress.objects.create(user=people["superuser"], email="root@example.org"),
        Profile.objects.create(user=bob, about="I like Ra.", picture=b"RIFF", digest="ab" * 16),
        Authenticator.objects.create(user=zoe, type="totp", data={"secret": "no key"}),
        *(model.objects.create(username="olga", ip_address="192.0.2.7") for model in (AccessLog, AccessFailureLog)),
        AccessAttempt.objects.create(username="olga", ip_address="192.0.2.7", failures_since_start=1),
    ]
    ids = {f"admin/{one._meta.app_label}/{one._meta.model_name}/": one.pk for one in managed}
    found = {route: list(addresses(route, full, bob, (playing["ra"], waiting, ended), ids)) for route in routes()}
    return World(
        people=people,
        by_route={route: f"/{some[0]}" for route, some in found.items()},
        addresses=list(dict.fromkeys(itertools.chain.from_iterable(found.values()))),
        secrets=_secrets(full, cellar, people),
        tables={key: table.pk for key, table in playing.items()},
    )


def _secrets(club: Club, cellar: Club, people: dict[str, User | None]) -> dict[str, tuple[str, set[str]]]:
    found: dict[str, tuple[str, set[str]]] = {
        "link of the club": (club.link_code, {"officer", "owner"}),
        "reason of a ban": (BAN_REASON, {"officer", "owner"}),
        "message of a request": (MESSAGE, {"officer", "owner"}),
        "private club": (CELLAR, {"superuser"}),
        "address of a private club": (cellar.slug, {"superuser"}),
        "link of a private club": (cellar.link_code, set()),
    }
    for role, user in people.items():
        if user is None:
            continue
        found[f"password of {role}"] = (user.password, set())
        found[f"token of {role}"] = (token_for_sign_in(user=user), set())
        if user.email:
            found[f"mail of {role}"] = (user.email, {role, "superuser"})
    for table in Table.objects.filter(status="playing"):
        found[f"sealed secret of table {table.pk}"] = (bytes(table.secret).hex(), set())
    return found
