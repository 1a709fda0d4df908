"""What a running portal takes: `python -m tools.memory [PID]` prints processes and memory of each part, and the sums.

Memory is the proportional set size: a page that several processes share counts in parts, so the sum is what the portal takes from the machine.
PID is that of `manage.py up`; without it, the one that runs on the state folder (ZIGGURAT_STATE) is looked at. Linux only, as its user or root.
"""

from __future__ import annotations

import os
import re
import sys
from collections import defaultdict
from pathlib import Path

from portal.supervisor.guard import descendants

PARTS = {
    "guards": r"guard\.py",
    "PostgreSQL": r"bin/postgres |^postgres: ",
    "Valkey": r"valkey-server|redis-server",
    "web": r"granian",
    "beat": r"\bbeat\b",
    "bots": r"-Q bots|\bbots@",
    "scoring, mail": r"-Q (scoring|mail)|\b(scoring|mail)@",
    "supervisor": r"manage\.py up",
}


def part_of(command: str) -> str:
    return next((part for part, pattern in PARTS.items() if re.search(pattern, command)), "others")


def pss_kb(pid: int) -> int:
    """Return the proportional set size of a process, 0 when it has ended. Raises PermissionError for one of another user."""
    try:
        found = re.search(r"^Pss: +(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(found[1]) if found else 0


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""


def measure(pid: int) -> dict[str, tuple[int, int]]:
    """Return for each part its processes and their kilobytes."""
    found: dict[str, list[int]] = defaultdict(list)
    for process in (pid, *descendants(pid)):
        found[part_of(command_of(process))].append(pss_kb(process))
    return {part: (len(sizes), sum(sizes)) for part, sizes in found.items()}


def running() -> int:
    """Return the process that holds the lock of the state folder. Exits when there is none."""
    lock = Path(os.environ.get("ZIGGURAT_STATE") or Path(__file__).resolve().parent.parent / "var") / "lock"
    said = re.match(r"process (\d+)", lock.read_text() if lock.exists() else "")
    return int(said[1]) if said else sys.exit(f"No portal runs on {lock.parent}. Name its process: python -m tools.memory PID")


def main() -> None:
    parts = measure(int(sys.argv[1]) if len(sys.argv) > 1 else running())
    for part, (count, size_kb) in sorted(parts.items(), key=lambda item: -item[1][1]):
        print(f"{part:<16}{count:>4} processes {size_kb / 1024:>8.1f} MB")
    print(f"{'all':<16}{sum(count for count, _ in parts.values()):>4} processes {sum(size for _, size in parts.values()) / 1024:>8.1f} MB")


if __name__ == "__main__":
    main()
