"""Two machines share a PostgreSQL and a Valkey. One is cut off, then one is lost, and people play on at the other."""

from __future__ import annotations

import os
import queue
import signal
import socket
import threading
import time

from portal.common.clock import KEY as PLACE
from portal.supervisor import pulse
from tests.portal.machines.network import Machine, Network
from tests.portal.machines.play import OPENER, Play, is_ready
from tests.running import wait_until

SILENT_AT_MOST_S = 30.0  # what the portal promises for every table
CUT_FOR_S = 12.0


class Listener:
    """Somebody who looks at a table: hears its versions."""

    def __init__(self, play: Play, at: Machine, token: str, table: int) -> None:
        status, found = play.ask(at, "GET", f"tables/{table}/stream/", token)
        assert status == 200, found
        self.heard: queue.Queue[int] = queue.Queue()
        path = found["url"] if found["url"].startswith("/") else "/" + found["url"].split("/", 3)[3]
        self._stream = OPENER.open(at.portal.url + path, timeout=60)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        try:
            for line in self._stream:
                if line.startswith(b"data: ") and line[6:].strip().isdigit():
                    self.heard.put(int(line[6:]))
        except OSError:
            pass

    def hears(self, version: int, within_s: float) -> None:
        end = time.monotonic() + within_s
        while self.heard.get(timeout=max(0.1, end - time.monotonic())) < version:
            pass

    def close(self) -> None:
        self._stream.fp.raw._sock.shutdown(socket.SHUT_RDWR)  # `close` would wait until something is heard


def version_of(net: Network, table: int) -> int:
    return int(str(net.rows("SELECT version FROM tables_table WHERE id = %s", [table])[0][0]))


def test_one_machine_is_cut_off_and_one_is_lost_and_people_play_on(net: Network, play: Play) -> None:
    machines = net.machines
    wait_until(lambda: net.live.get(PLACE))
    first = next(machine for machine in machines if str(net.live.get(PLACE)).endswith(machine.label))
    second = next(machine for machine in machines if machine is not first)
    shared = play.open_table(first, play.alice, seats=3, bots=["apprentice"])
    assert play.ask(second, "POST", f"tables/{shared}/join/", play.bob, {})[0] == 200
    tables = {play.open_table(at, token, seats=2, bots=["apprentice"]): token for at in machines for token in (play.alice, play.bob)}
    play.goes_on(first, tables, 20)
    play.goes_on(second, tables, 20)

    listener = Listener(play, second, play.bob, shared)
    first.cut()  # with the beat that works
    cut_at = time.monotonic()
    play.goes_on(second, tables, SILENT_AT_MOST_S)
    assert second.portal.get("/")[0] == 200
    for token in (play.alice, play.bob, play.alice):  # either of them may be due, or the bot
        play.move(second, token, shared)
    listener.hears(version_of(net, shared), 5)
    wait_until(lambda: str(net.live.get(PLACE)).endswith(second.label), 15)
    time.sleep(max(0.0, CUT_FOR_S - (time.monotonic() - cut_at)))
    first.mend()
    wait_until(lambda: is_ready(first), 20)
    assert first.portal.process.poll() is None
    play.goes_on(first, tables, SILENT_AT_MOST_S)
    play.nothing_lost_or_doubled()
    listener.close()

    (worker,) = (name for name in net.live.hkeys(pulse.KEY) if name.startswith("bots@") and name.endswith(second.label))
    held = f"unacked:{worker}"
    for pid in second.portal.find("ForkPoolWorker"):
        os.kill(pid, signal.SIGSTOP)  # whatever it takes from now on, it holds
    wait_until(lambda: [play.move(first, token, table) for table, token in tables.items()] and net.broker.hlen(held) > 0, 15)
    second.lose_power()  # with the beat that works now
    play.goes_on(first, tables, 40)
    wait_until(lambda: net.broker.hlen(held) == 0, 25)  # of whatever kind the messages were
    wait_until(lambda: str(net.live.get(PLACE)).endswith(first.label), 15)
    wait_until(lambda: is_ready(first), 10)
    play.nothing_lost_or_doubled()
