"""The portal's own processes: web server, Celery workers, beat."""

from __future__ import annotations

import resource
import sys
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from portal.supervisor.parts import QUEUES, worker_name
from portal.supervisor.services import Service
from portal.supervisor.state import State

# Only bots exceed their time, and only a process pool can end them.
POOLS = {"scoring": "solo", "mail": "solo", "bots": "prefork"}
NO_CHECKS = {"CELERY_SKIP_CHECKS": "1"}  # Django's checks are for developers; in a fork they touch, and so copy, 10 MB of what it shares
MOST_CONNECTIONS = 18_000  # of a web process: 15,000 streams, and files, pages and half-sent heads beside them
SMALL_CONNECTIONS = 1_000
SMALL_BOT_GROWTH_KB = 40_000  # twice what numpy and all weights take: beyond that, a process of bots is replaced after its task
FILES_OF_ITS_OWN = 500
WEB, BEAT, WORKER = 0, 1, 2  # the order of the stop


def web(state: State, root: Path, host: str, port: int, processes: int, *, small: bool = False) -> Service:
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
        "--backpressure": str(_connections(SMALL_CONNECTIONS if small else MOST_CONNECTIONS)),
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


def _connections(wanted: int) -> int:
    """Return how many connections a web process accepts: `wanted`, or as many as it may have files open."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    return wanted if most == resource.RLIM_INFINITY else max(512, min(wanted, most - FILES_OF_ITS_OWN))


def queues_of(parts: Collection[str], *, small: bool = False) -> Mapping[str, str]:
    """Return the workers among `parts`, each with the queues it serves. A small machine has one for scoring and mail."""
    if small and {"scoring", "mail"} <= set(parts):
        return {**queues_of(set(parts) - {"mail"}), "scoring": "scoring,mail"}
    return {queue: queue for queue in QUEUES if queue in parts}


def pulses(parts: Collection[str], machine: str, *, small: bool = False) -> Mapping[str, str]:
    """Return for each service that is a worker the name under which it tells its pulse."""
    return {f"worker-{name}": worker_name(name, machine) for name in queues_of(parts, small=small)}


def workers(
    state: State, root: Path, parts: Collection[str], machine: str, bot_processes: int, *, small: bool = False
) -> Iterable[Service]:
    """Return one worker for each queue among `parts`, so that neither a slow bot nor a slow mail server delays scoring."""
    for name, queues in queues_of(parts, small=small).items():
        node = worker_name(name, machine or "%h")
        argv = [*_celery("worker"), "-Q", queues, "-n", node, "-P", POOLS[name], "-c", str(bot_processes if name == "bots" else 1)]
        argv += ["--without-gossip", "--without-mingle", "--without-heartbeat", "-l", "WARNING"]
        environment = {"ZIGGURAT_WORKER": worker_name(name, machine), "ZIGGURAT_WORK": "tasks", **NO_CHECKS}
        if small and name == "bots":
            environment["ZIGGURAT_GROWTH_KB"] = str(SMALL_BOT_GROWTH_KB)
        yield Service(f"worker-{name}", argv, state.logs / f"worker-{name}.log", WORKER, env=environment, cwd=root, is_loaded=True)


def beat(state: State, root: Path, machine: str) -> Service:
    """Return the clock of the reconciler and of other periodic tasks."""
    argv = [*_celery("beat"), "-s", str(state.folder / "beat-schedule"), "--pidfile=", "-l", "WARNING"]
    environment = {"ZIGGURAT_WORKER": worker_name("beat", machine), **NO_CHECKS}
    return Service("beat", argv, state.logs / "beat.log", BEAT, grace_s=1.2, env=environment, cwd=root, is_loaded=True)


def backup(state: State, root: Path, keep: int) -> Service:
    """Return the job that writes a backup and deletes old ones. It has a process of its own: neither pages nor tasks wait for it."""
    argv = [sys.executable, "manage.py", "backup", "--keep", str(keep)]
    return Service("backup", argv, state.logs / "backup.log", WORKER, cwd=root, is_job=True, is_loaded=True)


def _celery(command: str) -> list[str]:
    return [sys.executable, "-m", "celery", "--quiet", "-A", "portal.celery:app", command]
