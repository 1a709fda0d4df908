"""A random walk over the whole API while games of each kind are played: no fault of the server, nothing that the schema doesn't tell.

`make fuzz-api` walks longer: FUZZ_ROUNDS is how many rounds of requests there are at each moment of a game, FUZZ_SEED where the walks start.
"""

from __future__ import annotations

import os
import random
import sys

import pytest
from django.db import transaction
from django.http import JsonResponse

from games.registry import GAMES
from tests.portal.api.fuzzing import NAMES, Walk, callers, cases, operations
from tests.portal.clubs.conftest import club, olga, zoe
from tests.portal.clubs.test_hostile import full
from tests.portal.hostile.conftest import quiet, unlimited

__all__ = ["club", "full", "olga", "quiet", "unlimited", "zoe"]
pytestmark = pytest.mark.django_db
ROUNDS = int(os.environ.get("FUZZ_ROUNDS") or 1)  # at each moment of a game
SEED = int(os.environ.get("FUZZ_SEED") or 1)
IN_A_ROUND = 60  # requests, after which all that they have changed is undone
MOMENTS = ("open", "middle", "later", "over")
MOST_PLIES = 30  # between two moments
NOTE = {"note": "Watch Bob."}
PACE = {"kind": "live", "bank_s": 900, "add_s": 20}
LEAST_ANSWERED = 45  # operations that some request satisfies; else the walk meets nothing but refusals
LIVELY = ("alice", "alice", "alice", "bob", "bob", "officer", "officer", "stranger")  # so often as against one of each other caller


@pytest.fixture
def walk(full, alice, bob, charlie, guest, olga, fixed_secret, unlimited):
    """Everybody, a club with one of everything, and values for the addresses to come."""
    found = Walk(clients=callers(alice, bob, charlie, guest, olga), club=full.slug)
    for place in ("people", "friends", "against", "members", "blocks", "bans"):
        found.pools[place] = list(NAMES)
    for place in ("games", "books", "leaderboards", "searches", "ratings"):
        found.pools[place] = list(GAMES)
    found.pools["clubs"] = [full.slug]
    found.pools["chat"] = ["players", "table", "spectators"]
    found.pools["replay"] = [0, 1, 2, 7, 30]
    found.pools["positions"] = [0, 1, 2]
    found.pools["bots"] = [0, 1, 2]
    for what in ("seasons", "duplicate_sets", "club_events", "club_requests", "club_invited", "club_announcements", "club_log"):
        found.call("officer", what, {"slug": full.slug})
    for season in found.pools["seasons"]:
        found.call("officer", "season", {"slug": full.slug, "id": season})
    for league in found.pools["leagues"]:
        found.call("officer", "league", {"slug": full.slug, "id": league})
    for place in ("leagues", "pairings", "entrants", "duplicates", "events", "requests", "announcements"):
        assert found.pools[place], place
    return found


def open_table(walk: Walk, game: str) -> tuple[int, dict]:
    """Open a table for Alice and Bob by the API, unrated, with the bots that it needs; return its id and Bob's invitation."""
    seats = max(2, min(GAMES[game].game.meta.seats))
    bots = ["apprentice"] * (seats - 2)
    wanted = {"game": game, "seats": seats, "privacy": "link", "invite": ["bob"], "is_rated": False, "pace": PACE, "bots": bots}
    opened = walk.call("alice", "create_table", {}, wanted)
    assert opened.status_code == 201, opened.content
    table = opened.json()
    walk.call("bob", "link", {"code": table["link_code"]})
    (invitation,) = walk.call("bob", "invitations", {}).json()["results"]
    return table["id"], invitation


def sit_down(walk: Walk, pk: int, invitation: dict) -> None:
    """Let Bob accept."""
    terms = walk.call("bob", "invitation", {"invitation": invitation["id"]}).json()["terms"]
    accepted = walk.call("bob", "accept_invitation", {"invitation": invitation["id"]}, {"terms": terms})
    assert (accepted.status_code, accepted.json()["status"]) == (200, "playing")


def talk(walk: Walk, pk: int) -> None:
    """Let Alice write, ask the others something, and write a note."""
    assert walk.call("alice", "say", {"id": pk, "room": "players"}, {"text": "Good luck, @bob!"}).status_code == 201
    assert walk.call("bob", "chat_lines", {"id": pk, "room": "players"}).status_code == 200
    asked = walk.call("alice", "ask_table", {"id": pk}, {"what": "no_clocks"}).json()
    walk.keep("votes", asked["vote"]["id"])
    assert walk.call("alice", "keep_note", {"id": pk}, NOTE).status_code == 200


def study(walk: Walk, pk: int, game: str) -> None:
    """Let Alice study the game that is over: a move, another of a bot, a comment; Bob and the link see it. And a position that she sets up."""
    position = {"game": game, "seats": max(GAMES[game].game.meta.seats), "state": {}}
    assert walk.call("alice", "set_up_study", {}, {"position": position, "title": "The start"}).status_code == 201
    started = walk.call("alice", "start_study", {}, {"table": pk, "step": 1, "title": "What if?"})
    assert started.status_code == 201, started.content
    at = {"id": started.json()["id"]}
    position = walk.call("alice", "study_position", at | {"number": 0}).json()
    if position["legal"]:
        played = {"after": 0, "seat": position["due"][0], "actions": [position["legal"][0]]}
        assert walk.call("alice", "play_in_study", at, played).status_code == 200
        assert walk.call("alice", "comment_move", at | {"number": 1}, {"comment": "Why not?", "mark": "!?"}).status_code == 200
    assert walk.call("alice", "share_study", at, {"username": "bob", "may_add": True}).status_code == 200
    assert walk.call("alice", "change_study", at, {"visibility": "link"}).status_code == 200
    walk.call("alice", "study", at)


def look(walk: Walk, pk: int) -> None:
    """Let a player, a stranger and a visitor look at all that there is at a table."""
    for who in ("alice", "stranger", "visitor"):
        for name in ("table", "log", "replay", "votes", "chat", "record", "moves", "stream", "spectators"):
            walk.call(who, name, {"id": pk})
        count = walk.call(who, "replay", {"id": pk}).json().get("count", 0)
        for step in {0, count // 2, count}:
            walk.call(who, "replay_step", {"id": pk, "step": step})


def one_round(walk: Walk, dice: random.Random) -> None:
    """Send requests of all sorts, and undo what they have changed."""
    names = sorted(operations())
    with transaction.atomic():
        for number in range(IN_A_ROUND):
            name = dice.choice(names)
            who = dice.choice([*walk.clients, *LIVELY, *LIVELY])
            how = ("huge", "cursor")[number % 2] if number % 20 < 2 else ""
            walk.send(who, operations()[name], dice.choice(cases(name, SEED)), dice, how)
            if number % 20 == 19:
                walk.think()
        transaction.set_rollback(True)


@pytest.mark.parametrize(
    ("status", "told", "found"),
    [
        (500, {}, "a fault of the server"),
        (418, {}, "the status is not documented"),
        (200, {"results": []}, '"next" is a required property'),
        (200, {"next": None, "results": {}}, 'is not of type "array"'),
        (404, {"title": "Not found"}, "is a required property"),
        (200, {"next": None, "results": []}, None),
    ],
)
def test_what_is_wrong_with_an_answer_is_noted(status, told, found):
    walk = Walk(clients={}, club="")
    media = "application/json" if status == 200 else "application/problem+json"
    walk.check(operations()["studies"], JsonResponse(told, status=status, content_type=media), "planted")
    assert [found in fault for fault in walk.faults.values()] == ([True] if found else [])


@pytest.mark.parametrize("game", GAMES)
def test_a_walk_through_a_game_finds_nothing_that_the_schema_does_not_tell(game, walk):
    dice = random.Random(f"{SEED} {game}")
    pk, invitation = open_table(walk, game)
    for moment in MOMENTS:
        if moment == "middle":
            sit_down(walk, pk, invitation)
            talk(walk, pk)
        if moment == "over":
            walk.finish(pk)
            study(walk, pk, game)
        for _ in range(ROUNDS):
            if moment in ("middle", "later"):
                walk.play(pk, dice.randint(1, MOST_PLIES), dice)
            look(walk, pk)
            one_round(walk, dice)
    answered = {name for name, status in walk.statuses if status < 300}
    if ROUNDS > 1:
        told = f"{game}: {sum(walk.statuses.values())} requests, {walk.plies[game]} actions, {len(answered)} operations with success\n"
        sys.stdout.write(told)
    assert walk.plies[game] >= len(MOMENTS)
    assert len(answered) >= LEAST_ANSWERED, sorted(set(operations()) - answered)
    assert not walk.faults, "\n".join(f"{name} {status}: {fault}" for (name, status, _), fault in walk.faults.items())
