"""The suite's own servers, its groups, and the seconds by folder."""

from __future__ import annotations

import fcntl
import gc
import os
import shutil
import sys
from collections import defaultdict
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

from portal.common import catalogues
from portal.supervisor.postgres import FAST_SETTINGS, Postgres
from portal.supervisor.services import Running
from portal.supervisor.state import State
from portal.supervisor.valkey import Valkey

ROOT = Path(__file__).parent
# How long a busy machine takes to draw an example says nothing about the code.
settings.register_profile("suite", suppress_health_check=[HealthCheck.too_slow], deadline=None)
settings.load_profile("suite")
SERVERLESS = ("engine", "golden", "archives")  # folders whose tests need no server
# Browser tests, and tests of whole portals and real workers that are killed: each line runs in one process of pytest-xdist, in sequence.
# Both lines wait more than they work, so a third process keeps two cores busy. The browser in two lines was no faster, and lost more races.
SERIAL = (
    ("browser",),
    (
        "portal/supervisor/test_up.py",
        "portal/supervisor/test_take_back.py",
        "portal/backups/test_drill.py",
        "clients/test_strangers.py",
        "portal/faults/test_whole_portal.py",
        "portal/faults/test_seen_running.py",
        "portal/faults/test_load.py",
        "portal/faults/test_slow_clients.py",
        "portal/faults/test_stalled_queue.py",
        "portal/machines",
        "portal/workers",
    ),
)
MIGRATED = "test_ziggurat_migrated"
WHY_LINES = 12  # of what made a test fail that was run again
_seconds: defaultdict[str, float] = defaultdict(float)
_servers: list[Running] = []


def _is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the catalogues and start servers for the run, once, in the process that was started by hand."""
    if _is_worker(config):
        return
    catalogues.compile_all()  # else the first tests of a fresh clone read English in every language
    if all(_folder(Path(arg.partition("::")[0])).startswith(SERVERLESS) for arg in config.args):
        return
    state = State.of(Path(os.environ["ZIGGURAT_TEST_STATE"]))
    state.prepare()
    state.prepare_servers()
    if not os.environ.get("DATABASE_URL"):
        postgres = Postgres(state, FAST_SETTINGS)
        postgres.prepare()
        _servers.append(Running(postgres.service()))
        postgres.wait_ready(_servers[-1])
    if not os.environ.get("REDIS_URL"):
        valkey = Valkey(state, lasting=False)
        _servers.append(Running(valkey.service()))
        valkey.wait_ready(_servers[-1])


def pytest_unconfigure(config: pytest.Config) -> None:
    if _is_worker(config):
        return
    for server in reversed(_servers):
        server.stop()
    place = Path(os.environ["ZIGGURAT_TEST_STATE"])
    for state in (State.of(place / "prepared"), State.of(place)):
        for folder in {state.folder, state.cluster, state.sockets}:
            shutil.rmtree(folder, ignore_errors=True)


def _folder(path: Path) -> str:
    """Return the folder of a test below tests/, two levels deep."""
    try:
        return "/".join(path.absolute().relative_to(ROOT).parts[:2])
    except ValueError:
        return ""


class Scheduling(LoadScopeScheduling):
    """One unit of work for each line of SERIAL, which come first, and one for each other file.

    What the tests of a file share (games that were played, fixtures, caches) is made in one process, and a message to a process starts
    a file instead of a test.

    The marker `xdist_group` would do the same, but pytest 9.2 no longer shows its names to the scheduler.
    """

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.removeprefix(f"{ROOT.name}/")
        return next((line[0] for line in SERIAL if path.startswith(line)), path.partition("::")[0])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling:
    return Scheduling(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.path.relative_to(ROOT).as_posix().startswith(sum(SERIAL, ())))  # long ones first


def pytest_sessionstart() -> None:
    from django.test import Client

    from tests.sessions import let_in

    Client.force_login = let_in  # type: ignore[method-assign]


def pytest_collection(session: pytest.Session) -> None:
    """Let each worker of a whole run import a different part of the tests first, so that they share compiled bytecode."""
    worker = getattr(session.config, "workerinput", None)
    if worker is None or not any(Path(arg).absolute() == ROOT for arg in session.config.args):
        return
    files = sorted(path for path in ROOT.rglob("test_*.py") if (path.parent / "__init__.py").exists())
    for path in files[len(files) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"] :]:
        with suppress(Exception):  # the collection itself reports the error
            import_module(".".join(path.relative_to(ROOT.parent).with_suffix("").parts))


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Modules and tests live until the end: from here on the garbage collector ignores them and runs less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(request: pytest.FixtureRequest, django_db_modify_db_settings_parallel_suffix: None) -> None:
    """The process that comes first migrates a database; each process of pytest-xdist gets a copy of it."""
    if not _is_worker(request.config) or os.environ.get("DATABASE_URL"):
        return
    from django.conf import settings
    from django.db import connection

    own = connection.settings_dict
    state = Path(os.environ["ZIGGURAT_TEST_STATE"])
    with open(state / "migrated.lock", "w") as lock, request.getfixturevalue("django_db_blocker").unblock():
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (state / "migrated").exists():
            before, named = own["NAME"], own["TEST"]["NAME"]
            own["TEST"]["NAME"] = MIGRATED
            connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
            connection.close()
            settings.DATABASES["default"]["NAME"] = own["NAME"] = before
            own["TEST"]["NAME"] = named
            (state / "migrated").touch()
        own["TEST"]["TEMPLATE"] = MIGRATED


@pytest.fixture(scope="session", autouse=True)
def _plain_templates(django_test_environment: None) -> None:
    """Nobody asks here what a template was given, which Django's test client would copy for each template of each page."""
    from django.template.base import Template
    from django.test.utils import _TestState

    Template._render = _TestState.saved_data.template_render  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def _empty_cache(request: pytest.FixtureRequest) -> None:
    """Give each test that uses the database an empty cache, so that limits and sessions of another test do not count."""
    if {"db", "transactional_db"} & set(request.fixturenames) or request.node.get_closest_marker("django_db"):
        from django.core.cache import cache

        cache.clear()


@pytest.fixture(autouse=True)
def _quiet_operators(_empty_cache: None) -> None:
    """Operators have said nothing, and no test reads that again in the middle of what it counts."""
    if "django" in sys.modules:
        from portal.common import maintenance
        from portal.site import news
        from portal.tables import soon

        maintenance.kept.put(None, float("inf"))
        news.kept.put((), float("inf"))
        soon.takers.put(frozenset(), float("inf"))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Start each test with the language and time zone of the settings, because another test's last answer left its reader's."""
    if "django" not in sys.modules:
        return
    from django.utils import timezone, translation

    translation.deactivate()
    timezone.deactivate()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _seconds[_folder(Path(report.fspath) if Path(report.fspath).is_absolute() else ROOT.parent / report.fspath)] += report.duration


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if _is_worker(config) or not _seconds:
        return
    terminalreporter.section("seconds by folder")
    for folder, seconds in sorted(_seconds.items(), key=lambda pair: -pair[1]):
        terminalreporter.write_line(f"{seconds:8.1f}  {folder}")
    again = [report for report in terminalreporter.getreports("rerun") if report.longrepr]
    if again:
        terminalreporter.section("why tests were run again")
    for report in again:
        lines = report.longreprtext.splitlines()
        terminalreporter.write_line("\n".join([f"{report.nodeid}, {report.when}:", *lines[-WHY_LINES:], ""]))
