"""`make load` on a small scale: people play by page and by API, listeners hear of it, and nothing fails."""

from __future__ import annotations

import re
import subprocess
import sys

from tests.running import ROOT
from tools.load.figures import Figures, quantile


def test_people_play_by_page_and_by_api_and_are_heard(site):
    argv = [sys.executable, "-m", "tools.load", site.portal.url, "--tables=4", "--listeners=3", "--think=0.3", "--seconds=4", "--warm-up=1"]
    done = subprocess.run([*argv, "--games=ra,babel"], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    numbers = {found[1]: int(found[2]) for found in re.finditer(r"^(\D+?)\s{2,}(\d+) ", done.stdout, re.M)}
    for kind in ("action, page", "action, API", "table, page", "table, region", "table, API", "event at a listener"):
        assert numbers.get(kind, 0) > 0, (kind, done.stdout)
    assert re.search(r"processor time: .*web \d+ %.* of one core", done.stdout)
    assert re.search(r"memory: \d{3} MB", done.stdout)


def test_figures():
    figures = Figures()
    figures.begin()
    for ms in range(1, 101):
        figures.add("page", ms / 1000)
    figures.sizes["page"] = 100_000
    figures.failed("page", "503")
    line, failure = figures.lines()[1:]
    assert line.split()[:2] == ["page", "100"]
    assert line.split()[-5:] == ["51.0", "96.0", "100.0", "100.0", "1.0"]
    assert failure == "1 times page: 503"
    assert quantile([1.0, 2.0, 3.0], 1.0) == 3.0
