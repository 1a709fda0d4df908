"""What was measured, by kind of request."""

from __future__ import annotations

import os
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@dataclass
class Figures:
    """Seconds and bytes of each kind of request, and what failed. `begin` starts over, after the warm-up."""

    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    sizes: Counter[str] = field(default_factory=Counter)  # bytes of the bodies, as they were sent
    failures: Counter[tuple[str, str]] = field(default_factory=Counter)
    since: float = 0.0

    def begin(self) -> None:
        self.seconds.clear()
        self.sizes.clear()
        self.failures.clear()
        self.since = time.perf_counter()

    def add(self, kind: str, took_s: float) -> None:
        self.seconds[kind].append(took_s)

    def failed(self, kind: str, why: str) -> None:
        self.failures[kind, why] += 1

    def lines(self) -> list[str]:
        """Return the table, one line for each kind."""
        spent = time.perf_counter() - self.since
        found = [f"{'':<26}{'number':>8}{'a second':>10}{'p50 ms':>9}{'p95 ms':>9}{'p99 ms':>9}{'worst':>9}{'kB each':>9}"]
        for kind, took in sorted(self.seconds.items()):
            took.sort()
            at = [1000 * quantile(took, part) for part in (0.5, 0.95, 0.99, 1.0)]
            each = self.sizes[kind] / len(took) / 1000
            found.append(f"{kind:<26}{len(took):>8}{len(took) / spent:>10.1f}" + "".join(f"{ms:>9.1f}" for ms in at) + f"{each:>9.1f}")
        found += [f"{number} times {kind}: {why}" for (kind, why), number in self.failures.items()]
        return found


def quantile(values: list[float], part: float) -> float:
    """Return the value below which `part` of the sorted values are."""
    return values[min(len(values) - 1, int(part * len(values)))]


@dataclass(frozen=True)
class Usage:
    """What a process and all below it have used."""

    cpu_s: dict[str, float]  # by part of the portal
    memory_mb: float  # proportional: shared pages count once

    @classmethod
    def of(cls, root: int) -> Usage:
        parents = {pid: parent for pid in _pids() if (parent := _parent(pid)) is not None}
        family = [pid for pid in parents if _is_below(pid, root, parents)]
        cpu: defaultdict[str, float] = defaultdict(float)
        memory = 0.0
        for pid in family:
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
            except OSError:
                continue
            cpu[part_of(pid)] += (int(fields[11]) + int(fields[12])) / TICKS
            memory += next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")) / 1024
        return cls(dict(cpu), memory)

    def since(self, before: Usage) -> dict[str, float]:
        """Return the seconds of processor time that each part used between the two."""
        return {part: spent - before.cpu_s.get(part, 0.0) for part, spent in self.cpu_s.items()}


def part_of(pid: int) -> str:
    """Return the part of the portal that a process belongs to, from its command line."""
    try:
        line = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return "other"
    signs = {
        "guard.py": "guards",
        "postgres": "PostgreSQL",
        "valkey": "Valkey",
        "granian": "web",
        "bots@": "bots",
        "scoring@": "scoring",
        "mail@": "mail",
        "beat": "beat",
    }
    return next((part for sign, part in signs.items() if sign in line), "supervisor")


def _pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _parent(pid: int) -> int | None:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


def _is_below(pid: int, root: int, parents: dict[int, int]) -> bool:
    while pid and pid != root:
        pid = parents.get(pid, 0)
    return pid == root
