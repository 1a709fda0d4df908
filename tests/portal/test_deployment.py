"""The files in deploy/ fit the portal: their commands, variables and numbers exist."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from portal.common.management.commands.up import Command
from portal.configuration import VARIABLES, faults
from portal.supervisor.parts import NEEDED, QUEUES, chosen
from tests.running import ROOT

UNITS = sorted((ROOT / "deploy" / "systemd").glob("*.service"))
DOC = (ROOT / "docs" / "deployment.md").read_text()


def example() -> dict[str, str]:
    """Return the variables of a machine, as the example has them."""
    text = (ROOT / "deploy" / "ziggurat.env").read_text()
    return dict(line.split("=", 1) for line in text.splitlines() if line and not line.startswith("#"))


def settings_of(unit: Path, name: str) -> list[str]:
    return re.findall(rf"^{name}=(.*)$", unit.read_text(), re.MULTILINE)


def test_the_example_of_several_machines_passes_the_deployment_check(tmp_path: Path) -> None:
    environ = example()
    assert set(environ) <= {variable.name for variable in VARIABLES} | {"PARTS"}
    assert set(NEEDED) <= set(environ)
    assert faults(environ) == []
    assert urlsplit(environ["REDIS_URL"]).password
    assert chosen(environ["PARTS"], environ)
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "DEBUG"]
    rest = {"PATH": os.environ["PATH"], "ZIGGURAT_STATE": str(tmp_path), "HSTS_S": "31536000"}
    said = subprocess.run(command, cwd=ROOT, env=environ | rest, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (0, "")
    assert "no issues (5 silenced)" in said.stdout


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_starts_what_there_is(unit: Path) -> None:
    (line,) = settings_of(unit, "ExecStart")
    python, script, command, *arguments = shlex.split(line)
    assert (python, script, command) == ("/srv/ziggurat/.venv/bin/python", "manage.py", "up")
    given = Command().create_parser("manage.py", "up").parse_args(arguments)
    variables = re.findall(r"\$\{(\w+)\}", line)
    assert variables == ([] if not given.only else ["PARTS"])
    assert set(variables) <= set(example())
    names = {setting.partition("=")[0] for setting in settings_of(unit, "Environment")}
    assert names <= {variable.name for variable in VARIABLES}


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is missing")
def test_systemd_has_nothing_to_say_about_the_units(tmp_path: Path) -> None:
    (tmp_path / "site").symlink_to(ROOT)  # whose own path may have spaces
    for unit in UNITS:
        (tmp_path / unit.name).write_text(unit.read_text().replace("/srv/ziggurat", str(tmp_path / "site")))
    units = [str(tmp_path / unit.name) for unit in UNITS]
    said = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, timeout=60)
    ours = [line for line in said.stderr.splitlines() if "ziggurat" in line]
    assert (said.returncode, ours) == (0, [])


def test_the_documentation_names_every_file_and_links_to_what_there_is() -> None:
    for file in (ROOT / "deploy").rglob("*.*"):
        assert f"deploy/{file.relative_to(ROOT / 'deploy')}" in DOC
    for page, _, anchor in re.findall(r"\]\(([\w]+\.md)?(#([\w-]+))?\)", DOC):
        text = (ROOT / "docs" / page).read_text() if page else DOC
        headings = [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)]
        assert not anchor or anchor in headings, f"{page}#{anchor}"


def test_the_pooler_has_sessions_for_the_parts_of_a_machine() -> None:
    found = re.search(r"has a session: (\d+) \+ (\d+) ", (ROOT / "deploy" / "pgbouncer.ini").read_text())
    assert found
    from portal.asgi import PAGE_THREADS, VISITOR_THREADS

    renewing = 1
    assert (int(found[1]), int(found[2])) == (PAGE_THREADS + VISITOR_THREADS + renewing, len(QUEUES))
    assert "pool_mode = session" in (ROOT / "deploy" / "pgbouncer.ini").read_text()
