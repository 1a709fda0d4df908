"""Which processes belong to a service of a running portal. Only this module knows what they look like."""

from __future__ import annotations

from portal.supervisor.guard import descendants
from tests.running import RunningPortal

WORDS = {
    "web": ("granian",),
    "worker-bots": ("bots@",),
    "worker-scoring": ("scoring@",),
    "worker-mail": ("mail@",),
    "beat": ("celery", " beat "),
    "valkey": ("valkey-server",),
    "postgres": ("bin/postgres", " -D "),
}


def pids(portal: RunningPortal, part: str) -> list[int]:
    """Return the processes of a service of `WORDS`, parents before their children."""
    return portal.find(*WORDS[part])


def all_of(portal: RunningPortal, part: str) -> list[int]:
    """Return the processes of a service and everything that they have started."""
    found = pids(portal, part)
    return sorted({*found, *(below for pid in found for below in descendants(pid))})


def children(portal: RunningPortal, part: str) -> list[int]:
    """Return what the processes of a service have started: the web process behind granian, the pool of a worker, database sessions."""
    return sorted({below for pid in pids(portal, part) for below in descendants(pid)})
