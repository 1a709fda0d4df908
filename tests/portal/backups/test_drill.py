"""The drill: a backup while bots play, the machine is lost, and the portal continues elsewhere from that file."""

from __future__ import annotations

import contextlib
import copy
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest

from portal.supervisor import portal_services
from portal.supervisor.dumps import NEW
from portal.supervisor.postgres import Postgres
from portal.supervisor.services import Running
from portal.supervisor.state import DATABASE, State
from tests.portal.faults.site import WITHIN_S, Site
from tests.prepared import prepare
from tests.running import ROOT, RunningPortal, clean_environment, wait_until


def manage(folder: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    environment = clean_environment(ZIGGURAT_STATE=str(folder))
    return subprocess.run([sys.executable, "manage.py", *argv], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)


@contextlib.contextmanager
def database(folder: Path) -> Iterator[psycopg.Connection]:
    """Run only the database server of a stopped portal."""
    state = State.of(folder)
    state.prepare_servers()
    server = Postgres(state)
    running = Running(server.service())
    try:
        server.wait_ready(running)
        with psycopg.connect(state.database_url()) as connection:
            yield connection
    finally:
        running.stop()


def records_of(connection: psycopg.Connection) -> set[tuple]:
    rows = connection.execute("SELECT table_id, seq, version, actor, text, by FROM tables_actionrecord").fetchall()
    return {tuple(row) for row in rows}


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="ziggurat-drill-") as folder:
        os.chmod(folder, 0o711)  # as root, PostgreSQL runs as another user
        yield Path(folder)


@pytest.fixture(scope="module")
def drill(place: Path) -> SimpleNamespace:
    """Play, save in the middle, play on, and stop for good: what was accepted before, during and after the backup, and its file."""
    prepare(place / "lost")
    with RunningPortal(place / "lost", environment={"SMALL": "1"}) as portal:  # as little as there is
        site = Site(portal)
        site.keep_playing()
        wait_until(lambda: len(site.records()) > 40, WITHIN_S)
        before = site.records()
        job = portal_services.backup(portal.state, ROOT, 7)  # as the clock of `make run` starts it
        done = subprocess.run(job.argv, cwd=job.cwd, env=portal.environment, capture_output=True, text=True, timeout=WITHIN_S)
        assert done.returncode == 0, done.stderr
        during = site.records()
        (file,) = (place / "lost" / "backups").glob("ziggurat-*.zip")
        wait_until(lambda: len(site.records()) > len(during), WITHIN_S)
        running = manage(place / "lost", "restore", str(file))
    with database(place / "lost") as connection:
        after = records_of(connection)
    return SimpleNamespace(site=site, file=file, before=before, during=during, after=after, running=running)


@pytest.fixture(scope="module")
def restored(place: Path, drill: SimpleNamespace) -> SimpleNamespace:
    """Restore into a fresh state folder, as on a new machine."""
    done = manage(place / "new", "restore", str(drill.file))
    assert done.returncode == 0, done.stdout + done.stderr
    return SimpleNamespace(folder=place / "new", said=done.stdout)


def test_a_restore_refuses_to_run_beside_the_portal(drill: SimpleNamespace) -> None:
    assert drill.running.returncode == 1
    assert "Ziggurat runs on the state folder" in drill.running.stderr
    assert "Stop it" in drill.running.stderr
    assert drill.during <= drill.after


def end_in_the_middle(drill: SimpleNamespace, folder: Path, sig: int) -> tuple[int, str]:
    """Send `sig` to a restore that fills its new database; return its exit code and what it said."""
    restore = subprocess.Popen(
        [sys.executable, "manage.py", "restore", str(drill.file), "--discard-present"],
        cwd=ROOT,
        env=clean_environment(ZIGGURAT_STATE=str(folder)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    url = State.of(folder).database_url("postgres")

    def is_filling() -> bool:
        with contextlib.suppress(psycopg.Error), psycopg.connect(url) as session:
            return bool(session.execute("SELECT 1 FROM pg_stat_activity WHERE datname = %s", [DATABASE + NEW]).fetchone())
        return False

    end = time.monotonic() + WITHIN_S
    while not is_filling() and restore.poll() is None and time.monotonic() < end:
        time.sleep(0.002)
    restore.send_signal(sig)
    said = restore.communicate()[0]
    wait_until(lambda: not (State.of(folder).sockets / ".s.PGSQL.5432").exists(), WITHIN_S)  # its server ends with it
    return restore.returncode, said


def databases(connection: psycopg.Connection) -> set[str]:
    return {row[0] for row in connection.execute("SELECT datname FROM pg_database WHERE datname LIKE 'ziggurat%'")}


def test_an_interrupted_restore_tidies_up_and_says_so(drill: SimpleNamespace) -> None:
    """The folder of the lost portal holds more than the backup, and still does."""
    folder = drill.site.portal.folder
    code, said = end_in_the_middle(drill, folder, signal.SIGINT)
    assert code == 1
    assert "Stopped. The present data are as they were." in said
    with database(folder) as connection:
        assert databases(connection) == {DATABASE}
        assert records_of(connection) == drill.after


def test_a_killed_restore_leaves_the_data_from_before(drill: SimpleNamespace) -> None:
    folder = drill.site.portal.folder
    code, said = end_in_the_middle(drill, folder, signal.SIGKILL)
    assert code == -signal.SIGKILL, said
    with database(folder) as connection:
        assert databases(connection) == {DATABASE, DATABASE + NEW}
        assert records_of(connection) == drill.after


def test_the_restored_data_are_those_of_one_moment_of_the_backup(drill: SimpleNamespace, restored: SimpleNamespace) -> None:
    with database(restored.folder) as connection:
        found = records_of(connection)
        assert drill.before <= found <= drill.during
        for version, last in connection.execute(
            "SELECT t.seq, max(r.seq) FROM tables_table t JOIN tables_actionrecord r ON r.table_id = t.id GROUP BY t.id"
        ):
            assert version == last
    assert "The standings agree" in restored.said


def test_games_play_on_in_the_restored_portal_and_people_stay_signed_in(drill: SimpleNamespace, restored: SimpleNamespace) -> None:
    keys = [(folder / "secret_key").read_text() for folder in (drill.site.portal.folder, restored.folder)]
    assert keys[0] == keys[1]
    with RunningPortal(restored.folder) as portal:
        site = copy.copy(drill.site)  # the same people with the same tokens
        site.portal = portal
        accepted = site.records()
        site.moves_on()
        site.keep_playing()  # alice opens tables if it needs more
        assert site.api("GET", "tables/", token=site.alice)[0] == 200
        assert accepted <= site.records()
    agree = manage_standings(restored.folder)
    assert "0 differences" in agree


def manage_standings(folder: Path) -> str:
    """Compare the standings of a stopped portal, with its database server alone."""
    with database(folder):
        return manage(folder, "check_standings").stdout
