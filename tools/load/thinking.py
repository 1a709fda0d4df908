"""How long the bots of a running portal thought, from the numbers that it gives to monitors."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections import Counter, defaultdict
from dataclasses import dataclass
from math import inf

from prometheus_client.parser import text_string_to_metric_families


@dataclass(frozen=True)
class Thinking:
    """What the bots of a portal have done since it started."""

    within: Counter[tuple[str, float]]  # choices by level and by the seconds that they took at most; inf: all of them
    seconds: defaultdict[str, float]  # by level
    substitutes: Counter[str]  # moves made for a bot of a level that failed, ran over its time, or waited too long in the queue

    @classmethod
    def of(cls, site: str) -> Thinking | None:
        """Ask a portal; None if it tells its numbers to nobody here."""
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"{site}/metrics", timeout=30) as answer:
                return cls.read(answer.read().decode())
        except urllib.error.HTTPError:
            return None

    @classmethod
    def read(cls, text: str) -> Thinking:
        """Read what `/metrics` answers."""
        within: Counter[tuple[str, float]] = Counter()
        seconds: defaultdict[str, float] = defaultdict(float)
        substitutes: Counter[str] = Counter()
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                level = sample.labels.get("level", "")
                if sample.name == "ziggurat_bot_seconds_bucket":
                    within[level, float(sample.labels["le"])] += int(sample.value)
                elif sample.name == "ziggurat_bot_seconds_sum":
                    seconds[level] += sample.value
                elif sample.name == "ziggurat_bot_faults_total":
                    substitutes[level] += int(sample.value)
        return cls(within, seconds, substitutes)

    def lines(self, before: Thinking) -> list[str]:
        """Tell what was done since `before`, a line for each level."""
        found = []
        for level in sorted(self.seconds):
            within = {limit: n - before.within[name, limit] for (name, limit), n in sorted(self.within.items()) if name == level}
            number = within.get(inf, 0)
            if not number:
                continue
            mean = 1000 * (self.seconds[level] - before.seconds[level]) / number
            often = next(limit for limit, n in within.items() if n >= 0.95 * number)
            most, last = next(limit for limit, n in within.items() if n == number), max(limit for limit in within if limit < inf)
            worst = f"all within {most:g} s" if most < inf else f"{number - within[last]} longer than {last:g} s"
            instead = self.substitutes[level] - before.substitutes[level]
            found.append(f"{level}: {number} choices, {mean:.0f} ms each, 95 % within {often:g} s, {worst}; {instead} made by a substitute")
        return found
