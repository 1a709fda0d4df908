"""A bot account's token reads of a game what a person in its seat reads, or a spectator, byte for byte, and no secret of others."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.registry import GAMES
from portal.accounts.models import User
from portal.accounts.own_tokens import make_token
from portal.bots.services import make_bot
from portal.matches.feeding import feed
from portal.tables import services
from portal.tables.loading import load
from portal.tables.models import Table
from tests.portal.matches.conftest import match_of
from tests.portal.tables.driver import play_on
from tests.portal.tables.ending import end

from .eyes import Eyes, assert_closed, assert_not_kept, differences, masked
from .secrets import VARY, change_secrets, compare

pytestmark = pytest.mark.django_db

__all__ = ["match_of"]

PLAYED = 40  # actions before the position that is looked at
# What may differ between a bot account and a person of the same name: the mark, and what says the same to programs.
MARKS = (
    (re.compile(r" \((?:bot|бот|\\+u0431\\+u043e\\+u0442)\)".encode()), b""),
    (re.compile(rb'( data-h=\\?")[0-9a-f]+'), rb"\1-"),  # the digest of a part of a page, which has a name in it
    (re.compile(rb'("username":"(?:gilga|enkidu)",(?:"bot_level":null,)?"is_bot":)true'), rb"\1false"),
)
BEHIND_A_NAME = re.compile(rb' c?x="[0-9.]+"')  # in a picture: where what comes after a name is drawn
OF_THE_BODY = ("Content-Length", "ETag")
SEALED = ("", "log/", "record/", "replay/", "replay/1/", "moves/", "stream/", "votes/", "chat/", "note/")


class Program(Eyes):
    """A program with somebody's token, and nothing else: as a bot account nobody can sign in, and the token opens no page either."""

    def __init__(self, user: User, game: str) -> None:
        super().__init__(None, game)
        self.user = user
        self.bearer = {"Authorization": f"Token {make_token(user=user, scopes=('read', 'play')).text}"}
        self.client = Client(headers=self.bearer)


def unmarked(seen: dict) -> dict:
    """Take the marks out of what was seen, and what depends on the length or the bytes of a body."""
    found = {}
    for name, (status, headers, body) in seen.items():
        for pattern, instead in MARKS:
            body = pattern.sub(instead, body)
        body = BEHIND_A_NAME.sub(b"", body) if "/pictures/" in name else body
        found[name] = (status, tuple(pair for pair in headers if pair[0] not in OF_THE_BODY), body)
    return found


@pytest.fixture
def gilga(alice):
    return make_bot(owner=alice, username="gilga").user


@pytest.fixture
def enkidu(alice):
    return make_bot(owner=alice, username="enkidu").user


@pytest.fixture
def running(alice, bob, charlie, gilga, fixed_secret):
    """Open and play a game to the middle, with Gilga in the second seat."""

    def play(game: str) -> int:
        sitters = [alice, gilga, bob, charlie][: max(2, min(GAMES[game].game.meta.seats))]
        table_id = services.open_table(game_key=game, sitters=sitters, owner=alice).table.pk
        if load(table_id).table.status == Table.Status.OPEN:
            services.start_table(table_id=table_id, user=alice)
        loaded = play_on(table_id, until=lambda loaded: loaded.table.version >= PLAYED and loaded.table.due[0] >= 0)
        assert loaded.table.status == Table.Status.PLAYING
        return table_id

    return play


@pytest.mark.parametrize("game", sorted(VARY))
def test_what_others_hide_is_in_no_answer_to_a_bot(game, running, gilga):
    table_id = running(game)
    seen = compare(table_id, {"gilga": Program(gilga, game)}, ("gilga",), {"gilga": 1}, at_table=True)["gilga"]
    statuses = {name: status for name, (status, _headers, _body) in seen.items() if name.startswith("/api/v1/")}
    refused = {name.rpartition(f"/tables/{table_id}/")[2] for name, status in statuses.items() if status not in (200, 409)}
    assert refused == {"chat/watchers/", "invitations/"}  # of spectators, and of the owner
    assert len(statuses) > 10


def test_the_comparison_would_see_what_a_bot_hides_itself(running, gilga):
    table_id, program = running("tigris_euphrates"), Program(gilga, "tigris_euphrates")
    before = program.see(table_id, at_table=True)
    change_secrets(table_id, 0, seed=5)  # all but Alice's: the bot's own among it
    changed = [line.split(": ", 1)[0] for line in differences(before, program.see(table_id, at_table=True))]
    assert f"/api/v1/tables/{table_id}/" in changed
    assert f"en /tables/{table_id}/" not in changed, "the page takes no token: it shows what a visitor sees"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_bot_reads_what_a_person_in_its_seat_reads_and_a_spectator_what_spectators_read(game, running, gilga, enkidu):
    table_id = running(game)
    secret = bytes(Table.objects.get(pk=table_id).secret)
    programs = {user: Program(user, game) for user in (gilga, enkidu)}
    as_bots = {user: program.see(table_id) for user, program in programs.items()}
    User.objects.filter(pk__in=(gilga.pk, enkidu.pk)).update(is_bot=False)  # the same names and tokens, but people
    for user, program in programs.items():
        assert_closed(as_bots[user], table_id, secret)
        assert_not_kept(as_bots[user], table_id)
        assert differences(unmarked(as_bots[user]), unmarked(program.see(table_id))) == [], user.username
    assert as_bots[gilga][f"/api/v1/tables/{table_id}/"] != as_bots[enkidu][f"/api/v1/tables/{table_id}/"]
    assert b'"is_bot":true' in as_bots[gilga][f"/api/v1/tables/{table_id}/"][2]


@pytest.fixture
def halves(match_of, gilga):
    """A match of Gilga against a level, whose two games share a deal: the first is over, the second runs."""
    match = match_of("gilga", levels=["apprentice"], games=2)
    feed()
    tables = [game.table_id for game in match.rows.order_by("number")]
    end(tables[0])
    feed()
    return match.pk, tables


def test_a_sealed_deal_is_there_only_for_the_bot_that_plays_it(halves, gilga, enkidu, bob):
    match, tables = halves
    at_table, others = Program(gilga, "ra"), [Program(enkidu, "ra"), Program(bob, "ra")]
    missing = 987_654_321
    for table_id in tables:
        for path in SEALED:
            assert at_table.client.get(f"/api/v1/tables/{table_id}/{path}").status_code in (200, 409), path
            for program in others:
                there, nothing = (program.client.get(f"/api/v1/tables/{number}/{path}") for number in (table_id, missing))
                assert (there.status_code, there.content) == (404, nothing.content), path
        for path in (
            f"/tables/{table_id}/",
            f"/tables/{table_id}/replay/",
            f"/pictures/tables/{table_id}.svg",
            f"/embed/tables/{table_id}/",
        ):
            assert at_table.client.get(path).status_code == 404, path
    for path in (f"/api/v1/matches/{match}/", f"/api/v1/matches/{match}/games/", f"/matches/{match}/"):
        answers = [masked(program.client.get(path).content) for program in (at_table, *others)]
        assert answers[0] == answers[1] == answers[2] == masked(Client().get(path).content), path
        assert bytes(Table.objects.get(pk=tables[0]).secret).hex().encode() not in answers[0]


def test_nothing_of_a_sealed_deal_depends_on_what_its_bot_may_not_know(halves, gilga):
    match, (over, runs) = halves
    program = Program(gilga, "ra")
    loaded = play_on(runs, until=lambda loaded: loaded.game.view_for(loaded.state, None).epoch > 1)
    seat = loaded.seat_of(gilga)
    paths = [f"/api/v1/tables/{table_id}/{path}" for table_id in (over, runs) for path in SEALED]
    paths += ["/api/v1/stream/", f"/api/v1/matches/{match}/", f"/api/v1/matches/{match}/games/"]

    def see() -> dict[str, tuple[int, bytes]]:
        answers = {path: program.client.get(path) for path in paths}
        return {
            path: (one.status_code, masked(b"".join(one.streaming_content) if one.streaming else one.content))
            for path, one in answers.items()
        }

    before = see()
    change_secrets(runs, seat, seed=7)
    assert see() == before
    assert before[f"/api/v1/tables/{runs}/record/"][0] == before[f"/api/v1/tables/{over}/record/"][0] == 409
