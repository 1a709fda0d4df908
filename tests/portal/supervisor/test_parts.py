"""Which parts a machine runs, under which names, and what a small one saves."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest

from portal.supervisor import portal_services, postgres, ready
from portal.supervisor.parts import NEEDED, PARTS, chosen, machine_name
from portal.supervisor.ports import free_port
from portal.supervisor.state import Problem, State
from tests.running import refused

SHARED = dict.fromkeys(NEEDED, "given")


@pytest.mark.parametrize(
    ("only", "parts"),
    [
        ("", ["web", "scoring", "mail", "bots", "beat"]),
        ("web", ["web"]),
        ("events,web", ["web"]),
        ("beat, workers", ["scoring", "mail", "bots", "beat"]),
        ("bots,bots,web", ["web", "bots"]),
    ],
)
def test_any_subset_of_the_parts_can_be_chosen(only: str, parts: list[str]) -> None:
    assert list(chosen(only, SHARED)) == parts


def test_all_parts_need_no_shared_servers() -> None:
    assert chosen("", {}) == PARTS


@pytest.mark.parametrize("only", ["wep", "web,", "web;bots", "WEB"])
def test_an_unknown_part_is_told_with_those_there_are(only: str) -> None:
    with pytest.raises(Problem) as refusal:
        chosen(only, SHARED)
    assert all(part in str(refusal.value) for part in PARTS)


@pytest.mark.parametrize("missing", NEEDED)
def test_machines_need_what_they_share(missing: str) -> None:
    with pytest.raises(Problem, match=f"--only needs {missing} .*every machine"):
        chosen("web", {**SHARED, missing: ""})


def test_the_command_refuses_in_one_line(tmp_path: Path) -> None:
    said = refused("--only", "bots", ZIGGURAT_STATE=str(tmp_path / "state"), PORT=str(free_port()))
    assert (said.returncode, said.stderr.count("\n"), said.stdout) == (1, 1, "")
    assert said.stderr.startswith("--only needs DATABASE_URL")
    assert not (tmp_path / "state" / "lock").exists()


def test_machines_and_portals_with_the_same_host_name_have_names_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Böbe's Box")
    names = set()
    for folder in ("a", "b"):
        state = State.of(tmp_path / folder)
        state.prepare()
        names.add(machine_name(state))
        assert machine_name(state) in names  # the same after a restart
    assert len(names) == 2
    assert all(re.fullmatch(r"b-be-s-box-[0-9a-f]{6}", name) for name in names)


def arguments(tmp_path: Path, *parts: str, machine: str = "", small: bool = False) -> dict[str, tuple[str, str]]:
    """Return the node and the queues of each worker."""
    found = portal_services.workers(State.of(tmp_path), tmp_path, parts, machine, 3, small=small)
    return {service.name: (argv[argv.index("-n") + 1], argv[argv.index("-Q") + 1]) for service in found if (argv := list(service.argv))}


def test_workers_of_several_machines_have_the_name_of_theirs(tmp_path: Path) -> None:
    assert arguments(tmp_path, "web", "bots", machine="left-1") == {"worker-bots": ("bots@left-1", "bots")}
    assert portal_services.pulses(["web", "bots", "mail"], "left-1") == {"worker-bots": "bots@left-1", "worker-mail": "mail@left-1"}
    assert arguments(tmp_path, "mail") == {"worker-mail": ("mail@%h", "mail")}
    assert portal_services.pulses(["mail"], "") == {"worker-mail": "mail"}


def test_a_small_machine_has_one_worker_for_scoring_and_mail(tmp_path: Path) -> None:
    found = arguments(tmp_path, *PARTS, small=True)
    assert found == {"worker-scoring": ("scoring@%h", "scoring,mail"), "worker-bots": ("bots@%h", "bots")}
    assert portal_services.pulses(PARTS, "", small=True) == {"worker-scoring": "scoring", "worker-bots": "bots"}
    assert arguments(tmp_path, "mail", "bots", small=True)["worker-mail"] == ("mail@%h", "mail")


def test_a_small_machine_replaces_bots_that_have_grown_and_takes_fewer_connections(tmp_path: Path) -> None:
    state = State.of(tmp_path)
    (bots,) = portal_services.workers(state, tmp_path, ["bots"], "", 1, small=True)
    assert bots.env["ZIGGURAT_GROWTH_KB"] == str(portal_services.SMALL_BOT_GROWTH_KB)
    webs = [portal_services.web(state, tmp_path, "127.0.0.1", 1, 1, small=small).argv for small in (True, False)]
    few, many = (int(argv[argv.index("--backpressure") + 1]) for argv in webs)
    assert few < many


def test_settings_of_a_small_postgres_are_given_once() -> None:
    names = [setting.partition("=")[0] for setting in postgres.SMALL_SETTINGS]
    assert len(names) == len(set(names))


def test_the_service_manager_hears_when_the_portal_is_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ready.tell_service_manager()  # nobody asked
    address = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(address)
        monkeypatch.setenv("NOTIFY_SOCKET", address)
        ready.tell_service_manager()
        assert manager.recv(100) == b"READY=1"
    ready.tell_service_manager()  # and when it has gone, nothing happens
