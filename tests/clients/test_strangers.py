"""Two strangers' bots, with the client's wheel in an empty environment, play all games to the end while parts of the portal are killed."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
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
    page = (ROOT / "docs" / "first_bot.md").read_text()
    (build_it,) = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    (tmp_path / "clients").symlink_to(ROOT / "clients")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    subprocess.run(
        ["sh", "-ec", build_it], cwd=tmp_path, env=os.environ | {"PATH": path, "UV_OFFLINE": "1"}, check=True, capture_output=True
    )
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert f"dist/{wheel.name}" in page
    told = []
    programs = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(programs) == 2
    for number, program in enumerate(programs):
        script = tmp_path / f"program{number}.py"
        script.write_text(program.replace("http://127.0.0.1:8000", site.portal.url))
        done = subprocess.run(python(client, script, *told), capture_output=True, text=True, timeout=WITHIN_S)
        assert done.returncode == 0, done.stderr
        told = [done.stdout.strip()]
        assert re.fullmatch((r"[0-9a-f]{40}", r"Scores: \[-?\d+, -?\d+, -?\d+\]")[number], told[0])


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
