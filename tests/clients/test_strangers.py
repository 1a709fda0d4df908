"""Two strangers' bots, with the client's wheel in an empty environment, play all games to the end while parts of the portal are killed."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from games.registry import GAMES
from tests.clients.installed import NEEDED_BY_GAMES, ROOT, build, build_games, install, python
from tests.portal.faults.site import Site
from tests.prepared import prepare
from tests.running import RunningPortal, wait_until
from tools.chaos import parts
from tools.first_bot import PAGE, Failed, Unclear, follow, steps

WITHIN_S = 400.0


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """The folder with the installed client."""
    folder = tmp_path_factory.mktemp("wheel")
    return install(build(ROOT / "clients" / "python", folder / "built"), folder / "installed")


@pytest.fixture(scope="module")
def site():
    with tempfile.TemporaryDirectory(prefix="ziggurat-clients-") as folder:
        os.chmod(folder, 0o711)  # as root, PostgreSQL runs as another user
        prepare(Path(folder) / "state")
        with RunningPortal(Path(folder) / "state") as portal:
            yield Site(portal)


def test_the_client_needs_nothing_of_the_portal(client):
    code = "import sys, ziggurat_client; assert not {'django', 'portal', 'games'} & set(sys.modules); import django"
    script = client.parent / "alone.py"
    script.write_text(code)
    done = subprocess.run(python(client, script), capture_output=True, text=True, timeout=60)
    assert "No module named 'django'" in done.stderr, done.stderr


def open_tables(site: Site) -> list[int]:
    """Open a table of each game for Alice and Bob; bots take the seats that are left."""
    tables = []
    for key, entry in GAMES.items():
        seats = max(2, min(entry.game.meta.seats))
        body = {"game": key, "seats": seats, "bots": ["apprentice"] * (seats - 2)}
        status, table = site.api("POST", "tables/", body, site.alice)
        assert status == 201, table
        status, joined = site.api("POST", f"tables/{table['id']}/join/", {}, site.bob)
        assert (status, joined["status"]) == (200, "playing")
        tables.append(table["id"])
    return tables


def heard(log: Path) -> list[dict]:
    return [json.loads(line) for line in log.read_text().splitlines() if line.endswith("}")]


def test_strangers_play_all_games_to_the_end_though_parts_are_killed(site, client, tmp_path):
    tables = open_tables(site)
    logs = [tmp_path / "alice", tmp_path / "bob"]
    script = Path(__file__).with_name("stranger.py")
    bots = []
    for seed, (log, token) in enumerate(zip(logs, (site.alice, site.bob), strict=True)):
        argv = python(client, script, site.portal.url, token, str(len(tables)), str(seed))
        with log.open("w") as told, Path(f"{log}.errors").open("w") as errors:
            bots.append(subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=told, stderr=errors))
    try:
        for after, part in ((30, "web"), (60, "valkey")):
            wait_until(lambda after=after: sum(len(heard(log)) for log in logs) > after, 60)
            before = parts.children(site.portal, part) if part == "web" else parts.pids(site.portal, part)
            assert before
            os.kill(before[-1], signal.SIGKILL)
        end = time.monotonic() + WITHIN_S
        for bot, log in zip(bots, logs, strict=True):
            assert bot.wait(max(1.0, end - time.monotonic())) == 0, Path(f"{log}.errors").read_text()
    finally:
        for bot in bots:
            if bot.poll() is None:
                bot.kill()
                bot.wait()
    told = [heard(log) for log in logs]
    for lines in told:
        assert sorted(line["over"] for line in lines if "over" in line) == tables
        assert not [line for line in lines if "problem" in line]
        chosen = [tuple(line["chose"]) for line in lines if "chose" in line]
        assert len(chosen) == len(set(chosen))
    outcomes = [{line["over"]: line["outcome"] for line in lines if "over" in line} for lines in told]
    assert outcomes[0] == outcomes[1]
    (unbroken,) = site.rows(
        "SELECT count(*) FROM (SELECT table_id FROM tables_actionrecord GROUP BY table_id HAVING max(seq) <> count(*)) AS broken"
    )
    assert unbroken == (0,)
    status, answer = site.api("GET", f"tables/{tables[0]}/record/", token=site.alice)
    assert (status, answer["table"]) == (200, tables[0])


def test_the_page_for_a_first_bot_tells_the_truth(site, client, tmp_path):
    """Each step as it stands, but pip: no index is asked here (`make first-bot` asks one)."""

    def pip_offline(folder: Path) -> None:
        (wheel,) = (folder / "dist").glob("*.whl")
        assert f"bot/bin/pip install dist/{wheel.name}\n" in PAGE.read_text()
        (packages,) = (folder / "bot").glob("lib/python3*/site-packages")
        shutil.copytree(client, packages, dirs_exist_ok=True)

    (tmp_path / "mine").mkdir()
    done = follow(
        PAGE.read_text(),
        tmp_path / "mine",
        url=site.portal.url,
        username="alice",
        password="lapis lazuli 9",
        instead={"bot/bin/pip install": pip_offline},
    )
    assert [one.command.split()[0] for one in done] == [
        "uv",
        "python3",
        "bot/bin/pip",
        "umask",
        "bot/bin/python",
        "umask",
        "bot/bin/python",
    ]
    for played in (done[4], done[6]):
        assert re.fullmatch(r"Scores: \[-?\d+, -?\d+, -?\d+\]\n", played.output)
    token = tmp_path / "mine" / "token"
    assert re.fullmatch(r"[0-9a-f]{40}\n", token.read_text())
    assert token.stat().st_mode & 0o077 == 0
    tables = site.rows(
        "SELECT u.username, u.is_bot FROM tables_seat s JOIN accounts_user u ON u.id = s.user_id JOIN tables_table t ON t.id = s.table_id "
        "WHERE t.game = 'ra' AND t.seat_count = 3 AND t.status = 'finished' ORDER BY t.id DESC LIMIT 2"
    )
    assert tables == [("alice", False), ("clever-ox", True)]


@pytest.mark.parametrize("page", ["Look:\n\n```python\nprint()\n```\n", "Look:\n\n```\nls\n```\n", "Run:\n\n```sh\nls\n```\n\n```sh\nls\n"])
def test_a_block_that_cannot_be_followed_is_a_fault_case(page):
    with pytest.raises(Unclear):
        steps(page)


def test_a_command_of_the_page_that_fails_says_why(tmp_path):
    (tmp_path / "mine").mkdir()
    with pytest.raises(Failed, match="ended with 3\nno such thing"):
        follow("Run:\n\n```sh\necho no such thing >&2; exit 3\n```\n", tmp_path / "mine", url="", username="", password="")


def test_the_random_bot_of_the_examples_plays_a_game(site, client):
    script = ROOT / "clients" / "python" / "examples" / "random_bot.py"
    done = subprocess.run(python(client, script, site.portal.url, site.alice, "babel"), capture_output=True, text=True, timeout=WITHIN_S)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"Table \d+ is over. Scores: \[\d+, \d+\], you had seat 0.\n", done.stdout)


def test_the_bot_of_the_examples_that_has_the_engines_plays_a_game(site, client, tmp_path):
    folder = shutil.copytree(client, tmp_path / "installed")
    install(build_games(tmp_path / "built"), folder, NEEDED_BY_GAMES)
    script = ROOT / "clients" / "python" / "examples" / "engine_bot.py"
    argv = python(folder, script, site.portal.url, site.bob, "babel", "apprentice")
    done = subprocess.run(argv, capture_output=True, text=True, timeout=WITHIN_S)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"Table \d+ is over. Scores: \[\d+, \d+\], you had seat 0.\n", done.stdout)


def test_the_notebook_of_the_examples_counts_the_games_that_were_played(site, client, tmp_path):
    """Its cells one after the other, without a notebook's program."""
    book = json.loads((ROOT / "clients" / "python" / "examples" / "statistics.ipynb").read_text())
    assert all(not cell.get("outputs") for cell in book["cells"])
    script = tmp_path / "statistics.py"
    script.write_text("\n".join("".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"))
    (before,) = site.rows(
        "SELECT count(*) FROM tables_seat s JOIN tables_table t ON t.id = s.table_id JOIN accounts_user u ON u.id = s.user_id "
        "WHERE t.status = 'finished' AND u.username = 'bob'"
    )
    told = os.environ | {"ZIGGURAT_SITE": site.portal.url, "ZIGGURAT_TOKEN": site.bob, "ZIGGURAT_PLAYER": "bob"}
    argv = [argument for argument in python(client, script) if argument != "-E"]
    done = subprocess.run(argv, env=told, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == f"{before[0]} finished games"
    assert before[0] > 0
    assert any("moves at the median" in line for line in lines)
    assert any(line.split()[1:3] == ["seat", "1:"] for line in lines)
