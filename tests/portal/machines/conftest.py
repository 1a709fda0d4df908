"""Two machines with web, workers and beat, which share a PostgreSQL and a Valkey at a third place."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.portal.machines.network import Network, why_not
from tests.portal.machines.play import Play, is_ready
from tests.running import wait_until


@pytest.fixture(scope="package")
def net() -> Iterator[Network]:
    if reason := why_not():
        pytest.skip(reason)
    with tempfile.TemporaryDirectory(prefix="ziggurat-machines-") as folder:
        os.chmod(folder, 0o711)  # as root, PostgreSQL runs as another user
        with Network(Path(folder)) as network:
            machines = [network.machine("web,workers,beat") for _ in range(2)]
            with ThreadPoolExecutor() as together:  # on an empty database: one brings it up to date, the other waits
                list(together.map(lambda machine: machine.portal.start(), machines))
            for machine in machines:
                wait_until(lambda machine=machine: is_ready(machine))
            yield network


@pytest.fixture(scope="package")
def play(net: Network) -> Play:
    return Play(net)
