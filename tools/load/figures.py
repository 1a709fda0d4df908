"""What was measured, by kind of request."""

from __future__ import annotations

import os
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from portal.supervisor.guard import descendants
from tools.memory import command_of, part_of, pss_kb

TICKS = os.sysconf("SC_CLK_TCK")


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
        cpu: defaultdict[str, float] = defaultdict(float)
        memory_kb = 0
        for pid in (root, *descendants(root)):
            cpu[part_of(command_of(pid))] += _cpu_s(pid)
            memory_kb += pss_kb(pid)
        return cls(dict(cpu), memory_kb / 1024)

    def since(self, before: Usage) -> dict[str, float]:
        """Return the seconds of processor time that each part used between the two."""
        return {part: spent - before.cpu_s.get(part, 0.0) for part, spent in self.cpu_s.items()}


def _cpu_s(pid: int) -> float:
    """Return the seconds that a process and its ended children have used: connections to PostgreSQL come and go."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS
