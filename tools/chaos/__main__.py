"""The command line: `python -m tools.chaos --help`."""

from __future__ import annotations

import argparse
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from portal.common.progress import Bar
from tests.running import RunningPortal, command_of
from tools.chaos.disk import NoDisk, SmallDisk
from tools.chaos.faults import BY_NAME, FAULTS, Fault
from tools.chaos.run import HEADING, Chaos, Result

HELP = """\
Start a whole portal of its own (in a temporary folder, on a free port of 127.0.0.1), play at many tables by API and by page, people and bots
together, and take one part after another away from it: kill it, freeze it, fill the disk, hold its locks, crowd its doors. Nothing outside
that portal is touched, and everything that was started ends with the command.

For each fault, one row: the seconds until pages were answered again, until an action was accepted, a bot answered a question put afterwards,
an open page heard of a move, and until the part itself worked again. 0.0 means that it never stopped; - that it did not come back. Where
a fault is kept up and can't be passed around (a frozen Valkey), the seconds count from its end, otherwise from its begin.

In the end: every action that was accepted must be in the database once, every record that was seen must still be there, no table may have been
silent for more than 30 s beyond what a fault kept up, standings must equal the games, every finished record must verify, and no task may be left.

Exit code 1 if anything of that fails, or if a part took longer than its goal.
"""
EXAMPLES = """\
examples:
  make chaos                                        everything, with 40 tables: about 15 minutes
  make chaos ARGS="--only valkey-stall,web-kill"    two faults
  python -m tools.chaos --tables 8 --seed 7         a smaller club, other games

faults:
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Read the command line, run, and return the exit code."""
    listed = "\n".join(f"  {fault.name:<24} {fault.says}" for fault in FAULTS)
    parser = argparse.ArgumentParser(
        prog="python -m tools.chaos", description=HELP, epilog=EXAMPLES + listed, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", metavar="NAMES", help="only these faults, with commas between them, in this order")
    parser.add_argument("--tables", type=int, default=40, help="how many tables are played at the same time (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="decides who plays what (default: %(default)s); times differ all the same")
    parser.add_argument("--logs", type=Path, metavar="FOLDER", help="copy the logs of the portal there")
    options = parser.parse_args(argv)
    if options.tables < 1:
        parser.error("--tables: there must be at least one")
    names = options.only.split(",") if options.only else list(BY_NAME)
    if unknown := [name for name in names if name not in BY_NAME]:
        parser.error(f"--only: there is no {', '.join(unknown)}; --help lists all faults")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # as Ctrl-C does, end everything first
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory(prefix="ziggurat-chaos-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o711)  # as root, PostgreSQL runs as another user
        return _run(Path(folder), [BY_NAME[name] for name in names], options)


def _run(folder: Path, faults: list[Fault], options: argparse.Namespace) -> int:
    state = folder / "state"
    state.mkdir(mode=0o711)
    disk = None
    try:
        disk = SmallDisk(state)
    except NoDisk as error:
        if any(fault.name == "disk-full" for fault in faults):
            print(f"SKIPPED: disk-full. This system lets us mount no small disk: {error}.")
        faults = [fault for fault in faults if fault.name != "disk-full"]
    portal = RunningPortal(state, environment={"BACKUP_EVERY_H": "0"}, dies_with_us=True)
    print(f"{time.strftime('%Y-%m-%d %H:%M')}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, seed {options.seed}")
    print(f"The portal started in {portal.start():.1f} s; {options.tables} tables.", flush=True)
    try:
        with Bar("faults", len(faults)) as bar:

            def say(line: str) -> None:
                if sys.stderr.isatty():
                    sys.stderr.write("\r\033[K")
                print(line, flush=True)
                bar.at(bar.done + line.startswith("|"))

            print(HEADING)
            result = Chaos(portal, faults, tables=options.tables, seed=options.seed, disk=disk, say=say).run()
    finally:
        if options.logs:
            _copy_logs(portal, options.logs)
        processes = [portal.process.pid, *portal.processes()]
        portal.stop()
        if disk:
            disk.close()
    left = [f"left over: process {pid}: {told}" for pid in processes if (told := command_of(pid))]
    return report(result, left)


def report(result: Result, left: Sequence[str] = ()) -> int:
    """Print what was found, and return the exit code."""
    late = [one for one in result.outcomes if not one.is_good(one.fault.goal_s)]
    findings = [*result.findings, *left]
    print(", ".join(f"{name}: {number:,}" for name, number in result.figures.items()))
    for one in late:
        print(f"LATE: {one.fault.name}: {one.fault.says}")
    for finding in findings:
        print(f"WRONG: {finding}")
    if not late and not findings:
        print("Everything holds: nothing lost, nothing doubled, no table silent, standings equal, records good, no task left.")
    return 1 if late or findings else 0


def _copy_logs(portal: RunningPortal, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for log in portal.state.logs.glob("*.log*"):
        (target / log.name).write_bytes(log.read_bytes())
    (target / "supervisor.txt").write_text("".join([*portal.output, *portal.errors]))


if __name__ == "__main__":
    sys.exit(main())
