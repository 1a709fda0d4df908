"""What the Python client says to a portal about people's bots: finding them, challenging them, and matches; for asyncio as well."""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path

import pytest
from ziggurat_client import AsyncClient, Client, Problem

from tests.portal.faults.site import Site
from tests.prepared import prepare
from tests.running import RunningPortal

LIVE = {"kind": "live", "bank_s": 300, "add_s": 10}


class Waiting:
    """An `AsyncClient` whose answers are waited for, so that one test does for both."""

    def __init__(self, url: str, token: str) -> None:
        self._runner = asyncio.Runner()
        self._client = AsyncClient(url, token)

    def __enter__(self) -> Waiting:
        return self

    def __exit__(self, *_error: object) -> None:
        self._runner.run(self._client.close())
        self._runner.close()

    def __getattr__(self, name: str):
        def ask(*values, **settings):
            async def answer():
                found = getattr(self._client, name)(*values, **settings)
                return [row async for row in found] if hasattr(found, "__aiter__") else await found

            return self._runner.run(answer())

        return ask


@pytest.fixture(scope="module")
def site():
    with tempfile.TemporaryDirectory(prefix="ziggurat-matches-") as folder:
        os.chmod(folder, 0o711)  # as root, PostgreSQL runs as another user
        prepare(Path(folder) / "state")
        with RunningPortal(Path(folder) / "state") as portal:
            yield Site(portal)


@pytest.fixture(params=[Client, Waiting])
def bobs(request, site):
    with request.param(site.portal.url, site.bob) as client:
        yield client


@pytest.fixture
def oxen(site, request):
    """Two bots of Alice's: one plays Ra, the other only Babel."""
    mark = "sync" if request.node.callspec.params["bobs"] is Client else "async"
    names = [f"ra-{mark}", f"babel-{mark}"]
    for name, game in zip(names, ("ra", "babel"), strict=True):
        if site.api("GET", f"bots/{name}/")[0] == 404:
            status, made = site.api("POST", "me/bots/", {"username": name, "games": [game]}, site.alice)
            assert status == 201, made
    return names


def test_bots_are_found_by_what_they_play(bobs, oxen):
    plays_ra, plays_babel = oxen
    assert {plays_ra, plays_babel} <= {bot["username"] for bot in bobs.bots()}
    found = [bot["username"] for bot in bobs.bots("ra")]
    assert plays_ra in found and plays_babel not in found
    (bot,) = [bot for bot in bobs.bots("babel") if bot["username"] == plays_babel]
    assert (bot["owner"], bot["games"]) == ("alice", ["babel"])


def test_a_bot_that_is_challenged_sits_down_at_once(bobs, oxen):
    plays_ra, plays_babel = oxen
    position = bobs.challenge(plays_ra, "ra", 3, levels=["apprentice"], is_rated=False, pace=LIVE)
    told = bobs.ask("GET", f"tables/{position.table}/")
    assert told["status"] == "playing"
    assert [(seat["username"], seat["bot_level"], seat["is_bot"]) for seat in told["seats"]] == [
        ("bob", None, False),
        (plays_ra, None, True),
        (None, "apprentice", True),
    ]
    with pytest.raises(Problem) as refused:
        bobs.challenge(plays_babel, "ra", 2)
    assert (refused.value.status, refused.value.code) == (409, "bot_does_not_play")
    with pytest.raises(Problem) as missing:
        bobs.challenge("nobody/at all", "ra", 2)
    assert missing.value.status == 404


def test_a_match_is_started_and_can_be_read(bobs, oxen, site):
    plays_ra, plays_babel = oxen
    made = bobs.match("ra", [plays_ra], 3, levels=["apprentice"], pace=LIVE, at_once=1)
    assert (made["owner"], made["games"], made["at_once"], made["is_paired"]) == ("bob", 4, 1, False)
    assert [(one["username"], one["level"]) for one in made["players"]] == [(plays_ra, ""), (None, "apprentice")]
    assert site.api("GET", f"matches/{made['id']}/")[1]["players"][0]["name"] == f"{plays_ra} (bot)"
    assert bobs.ask("POST", f"matches/{made['id']}/cancel/", {})["state"] == "cancelled"
    with pytest.raises(Problem) as refused:
        bobs.match("ra", [plays_babel], 2, levels=["apprentice"], pace=LIVE)
    assert (refused.value.status, refused.value.code) == (409, "bot_does_not_play")
