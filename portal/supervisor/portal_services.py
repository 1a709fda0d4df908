"""The portal's own processes: web server, Celery workers, beat."""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterable
from pathlib import Path

from portal.supervisor.services import Service
from portal.supervisor.state import State

# name of the worker -> its queue and its pool. Only bots exceed their time, and only a process pool can end them.
WORKERS = {"scoring": "solo", "mail": "solo", "bots": "prefork"}
PULSES = {f"worker-{name}": name for name in WORKERS}  # service -> the name under which it tells its pulse
MOST_CONNECTIONS = 18_000  # of a web process: 15,000 streams, and files, pages and half-sent heads beside them
FILES_OF_ITS_OWN = 500
WEB, BEAT, WORKER = 0, 1, 2  # the order of the stop


def web(state: State, root: Path, host: str, port: int, processes: int) -> Service:
    """Return the web server; pages and event streams on one port."""
    options = {
        "--interface": "asgi",
        "--host": host,
        "--port": str(port),
        "--workers": str(processes),
        "--http": "1",
        "--loop": "asyncio",
        # Places of their own limit streams, files and pages (`portal.live.mux`). These limits only bound the connections, half-sent
        # heads among them; the default of some 1,000 could be used up by one visitor.
        "--backlog": "4096",
        "--backpressure": str(_connections()),
        "--http1-header-read-timeout": "10000",
        "--workers-kill-timeout": "1",  # open streams would hold it for ever
        "--respawn-interval": "0.2",
        "--log-level": "warning",
    }
    argv = [sys.executable, "-m", "granian", "--no-ws", "--respawn-failed-workers"]
    for name, value in options.items():
        argv += [name, value]
    argv.append("portal.asgi:application")
    return Service("web", argv, state.logs / "web.log", WEB, grace_s=1.2, env={"ZIGGURAT_WORK": "pages"}, cwd=root, is_loaded=True)


def _connections() -> int:
    """Return how many connections a web process accepts: MOST_CONNECTIONS, or as many as it may have files open."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if most == resource.RLIM_INFINITY else max(512, min(MOST_CONNECTIONS, most - FILES_OF_ITS_OWN))


def workers(state: State, root: Path, bot_processes: int) -> Iterable[Service]:
    """Return one worker for each queue, so that neither a slow bot nor a slow mail server delays scoring."""
    for name, pool in WORKERS.items():
        argv = [*_celery("worker"), "-Q", name, "-n", f"{name}@%h", "-P", pool, "-c", str(bot_processes if name == "bots" else 1)]
        argv += ["--without-gossip", "--without-mingle", "--without-heartbeat", "-l", "WARNING"]
        environment = {"ZIGGURAT_WORKER": name, "ZIGGURAT_WORK": "tasks"}
        yield Service(f"worker-{name}", argv, state.logs / f"worker-{name}.log", WORKER, env=environment, cwd=root, is_loaded=True)


def beat(state: State, root: Path) -> Service:
    """Return the clock of the reconciler and of other periodic tasks."""
    argv = [*_celery("beat"), "-s", str(state.folder / "beat-schedule"), "--pidfile=", "-l", "WARNING"]
    return Service("beat", argv, state.logs / "beat.log", BEAT, grace_s=1.2, cwd=root, is_loaded=True)


def backup(state: State, root: Path, keep: int) -> Service:
    """Return the job that writes a backup and deletes old ones. It has a process of its own: neither pages nor tasks wait for it."""
    argv = [sys.executable, "manage.py", "backup", "--keep", str(keep)]
    return Service("backup", argv, state.logs / "backup.log", WORKER, cwd=root, is_job=True, is_loaded=True)


def _celery(command: str) -> list[str]:
    return [sys.executable, "-m", "celery", "--quiet", "-A", "portal.celery:app", command]
