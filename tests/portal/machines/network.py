"""A network of the test's own: namespaces that serve as machines, on a bridge at which PostgreSQL and Valkey listen. Needs root."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import psycopg
import redis

from portal.supervisor.ports import free_port
from portal.supervisor.postgres import FAST_SETTINGS, Postgres
from portal.supervisor.services import Running
from portal.supervisor.state import DATABASE, State
from portal.supervisor.valkey import Valkey
from tests.running import RunningPortal, wait_until

NAME = "games.example.org"  # as in deploy/


def why_not() -> str:
    """Return why this machine can't have such a network, or nothing."""
    if os.geteuid() != 0:
        return "only root may create network namespaces"
    if not shutil.which("ip"):
        return "the command ip is missing (apt install iproute2)"
    name = f"zgtry{os.getpid()}"
    tried = subprocess.run(["ip", "link", "add", name, "type", "veth", "peer", "name", f"{name}p"], capture_output=True, text=True)
    if tried.returncode:
        return f"no virtual network here: {tried.stderr.strip()}"
    subprocess.run(["ip", "link", "del", name], check=True)
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True)
    if made.returncode:
        return f"no network namespaces here: {made.stderr.strip()}"
    subprocess.run(["ip", "netns", "del", name], check=True)
    return ""


def ip(*words: str) -> str:
    return subprocess.run(["ip", *words], check=True, capture_output=True, text=True).stdout


class Machine:
    """A network namespace with an address on the bridge, and the parts of a portal that run in it."""

    def __init__(self, net: Network, number: int, parts: str) -> None:
        self.name = f"zg{os.getpid()}m{number}"
        self.link = f"zg{os.getpid()}l{number}"  # the bridge's end of its cable
        inner = f"zg{os.getpid()}i{number}"
        self.address = f"{net.prefix}.{number + 1}"
        ip("netns", "add", self.name)
        ip("link", "add", self.link, "type", "veth", "peer", "name", inner)
        ip("link", "set", inner, "netns", self.name)
        ip("link", "set", self.link, "master", net.bridge, "up")
        ip("-n", self.name, "link", "set", "lo", "up")
        ip("-n", self.name, "link", "set", inner, "up")
        ip("-n", self.name, "addr", "add", f"{self.address}/24", "dev", inner)
        self.portal = RunningPortal(
            net.folder / f"machine{number}",
            host=self.address,
            prefix=("ip", "netns", "exec", self.name),
            arguments=("--only", parts),
            environment=net.shared,
        )

    def cut(self) -> None:
        """Pull the cable: whatever it sends or is sent is lost, and nobody is told."""
        ip("link", "set", self.link, "down")

    def mend(self) -> None:
        ip("link", "set", self.link, "up")

    def pids(self) -> list[int]:
        return [int(pid) for pid in ip("netns", "pids", self.name).split()]

    def lose_power(self) -> None:
        """End everything on the machine, without a word to the others."""
        self.cut()
        end = time.monotonic() + 10
        while (left := self.pids()) and time.monotonic() < end:
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        self.portal.process.wait(10)

    @property
    def label(self) -> str:
        """Return what the name ends with under which the other machines know it."""
        return (self.portal.folder / "machine").read_text().strip()

    def close(self) -> None:
        if self.pids():
            self.lose_power()
        ip("link", "del", self.link)
        ip("netns", "del", self.name)


class Network:
    """`with Network(folder) as net:`, and then `net.machine("web,workers")`. All is gone afterwards."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bridge = f"zg{os.getpid()}b"
        self.prefix = f"10.219.{os.getpid() % 250 + 1}"
        self.address = f"{self.prefix}.1"
        self.machines: list[Machine] = []
        self._servers: list[Running] = []

    def __enter__(self) -> Network:
        with contextlib.ExitStack() as undo:
            undo.callback(self.__exit__)
            ip("link", "add", self.bridge, "type", "bridge")
            ip("addr", "add", f"{self.address}/24", "dev", self.bridge)
            ip("link", "set", self.bridge, "up")
            self._start_servers()
            undo.pop_all()
        return self

    def _start_servers(self) -> None:
        state = State.of(self.folder / "servers")
        state.prepare()
        state.prepare_servers()
        port, broker_port, password = free_port(self.address), free_port(self.address), secrets.token_urlsafe(32)
        postgres = Postgres(state, (*FAST_SETTINGS, f"listen_addresses={self.address}", f"port={port}"))
        postgres.prepare()
        with (postgres.data / "pg_hba.conf").open("a") as access:
            access.write(f"host all all {self.prefix}.0/24 scram-sha-256\n")
        self._servers.append(Running(postgres.service()))
        valkey = Valkey(state, lasting=False).service()
        more = ["--port", str(broker_port), "--bind", self.address, "--requirepass", password]
        self._servers.append(Running(dataclasses.replace(valkey, argv=[*valkey.argv, *more])))
        account = f"{DATABASE}:{quote(state.secret('postgres_password'))}@{self.address}:{port}"
        self.shared = {
            "DATABASE_URL": f"postgres://{account}/{DATABASE}",
            "REDIS_URL": f"redis://:{password}@{self.address}:{broker_port}/0",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "BASE_URL": f"https://{NAME}",
            "ALLOWED_HOSTS": f"{NAME},{self.prefix}.2,{self.prefix}.3",
            "PROXY_COUNT": "1",
            "BACKUP_EVERY_H": "0",
        }
        self.live = redis.Redis.from_url(self.shared["REDIS_URL"].removesuffix("0") + "2", decode_responses=True)
        self.broker = redis.Redis.from_url(self.shared["REDIS_URL"])
        wait_until(lambda: self._is_ready(f"postgres://{account}/postgres"))
        self.database = psycopg.connect(self.shared["DATABASE_URL"], autocommit=True)

    def _is_ready(self, url: str) -> bool:
        try:
            self.broker.ping()
            with psycopg.connect(url, autocommit=True, connect_timeout=2) as connection:
                connection.execute(f'CREATE DATABASE "{DATABASE}"')
        except (psycopg.OperationalError, redis.RedisError):
            return False
        return True

    def machine(self, parts: str) -> Machine:
        self.machines.append(Machine(self, len(self.machines) + 1, parts))
        return self.machines[-1]

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        return self.database.execute(sql.encode(), values).fetchall()

    def __exit__(self, *_: object) -> None:
        for machine in self.machines:
            machine.close()
        for server in reversed(self._servers):
            server.stop()
        subprocess.run(["ip", "link", "del", self.bridge], check=False)
