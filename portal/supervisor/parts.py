"""Which parts of the portal run on this machine, and the name under which the other machines know it."""

from __future__ import annotations

import os
import re
import secrets
import socket
from collections.abc import Mapping, Sequence
from typing import Final

from portal.supervisor.state import Problem, State

QUEUES: Final = ("scoring", "mail", "bots")
PARTS: Final = ("web", *QUEUES, "beat")
OTHER_NAMES: Final = {"workers": QUEUES, "events": ("web",)}  # the web process serves the event streams
NEEDED: Final = {
    "DATABASE_URL": "the PostgreSQL that all machines use",
    "REDIS_URL": "the Valkey that all machines use",
    "SECRET_KEY": "the same on all machines, because it signs sessions and stream tokens",
}


def chosen(only: str, environ: Mapping[str, str]) -> Sequence[str]:
    """Return the parts named by `--only`, in the order of PARTS; all of them if it is empty.

    Raises Problem for an unknown name, and if the environment does not say what the machines share.
    """
    if not only:
        return PARTS
    names = [name.strip() for name in only.split(",")]
    for name in names:
        if name not in PARTS and name not in OTHER_NAMES:
            raise Problem(
                f"--only knows no part {name!r}. The parts are {', '.join(PARTS)}; workers is short for {','.join(QUEUES)}, and events are part of web."
            )
    if missing := [name for name in NEEDED if not environ.get(name)]:
        raise Problem("--only needs " + "; ".join(f"{name} ({NEEDED[name]})" for name in missing) + ". Set it on every machine.")
    wanted = {part for name in names for part in OTHER_NAMES.get(name, (name,))}
    return [part for part in PARTS if part in wanted]


def machine_name(state: State) -> str:
    """Return the name of this machine among those that share a Valkey; it stays the same across restarts.

    It is the host name with a few letters kept in the state folder, because two machines, or two portals of one machine, may have the same.
    """
    host = re.sub(r"[^a-z0-9.-]", "-", socket.gethostname().lower())[:40]
    file = state.folder / "machine"
    if not file.exists():
        draft = state.folder / f".machine.{os.getpid()}"
        draft.write_text(f"{secrets.token_hex(3)}\n")
        draft.replace(file)
    return f"{host}-{file.read_text().strip()}"


def worker_name(queue: str, machine: str) -> str:
    """Return the name of a worker; without other machines (`machine` is empty) it is that of its queue."""
    return f"{queue}@{machine}" if machine else queue
