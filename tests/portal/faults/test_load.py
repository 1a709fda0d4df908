"""`make load` on a small scale: people play by page and by API, listeners hear of it, and nothing fails."""

from __future__ import annotations

import re
import subprocess
import sys

from tests.running import ROOT
from tools.load.figures import Figures, quantile
from tools.load.thinking import Thinking


def test_people_play_by_page_and_by_api_and_are_heard(site):
    argv = [sys.executable, "-m", "tools.load", site.portal.url, "--tables=4", "--listeners=3", "--think=0.3", "--seconds=4", "--warm-up=1"]
    done = subprocess.run([*argv, "--games=ra,babel"], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    numbers = {found[1]: int(found[2]) for found in re.finditer(r"^(\D+?)\s{2,}(\d+) ", done.stdout, re.M)}
    for kind in ("action, page", "action, API", "table, page", "table, region", "table, API", "event at a listener"):
        assert numbers.get(kind, 0) > 0, (kind, done.stdout)
    assert re.search(r"processor time: .*web \d+ %.* of one core", done.stdout)
    assert re.search(r"memory: \d{3} MB", done.stdout)
    assert re.search(
        r"^\w+: \d+ choices, \d+ ms each, 95 % within [\d.]+ s, all within [\d.]+ s; 0 made by a substitute$", done.stdout, re.M
    )


NUMBERS = """# TYPE ziggurat_bot_seconds histogram
ziggurat_bot_seconds_bucket{{game="ra",level="master",le="0.5"}} {0}
ziggurat_bot_seconds_bucket{{game="ra",level="master",le="5.0"}} {1}
ziggurat_bot_seconds_bucket{{game="ra",level="master",le="+Inf"}} {2}
ziggurat_bot_seconds_count{{game="ra",level="master"}} {2}
ziggurat_bot_seconds_sum{{game="ra",level="master"}} {3}
# TYPE ziggurat_bot_faults counter
ziggurat_bot_faults_total{{game="ra",level="master",reason="over_time"}} {4}
"""


def test_how_long_bots_thought_is_counted_between_two_readings():
    def read(*numbers):
        return Thinking.read(NUMBERS.format(*numbers))

    before = read(1, 10, 10, 30.0, 2)
    assert read(20, 30, 30, 32.0, 2).lines(before) == [
        "master: 20 choices, 100 ms each, 95 % within 0.5 s, all within 5 s; 0 made by a substitute"
    ]
    assert read(1, 29, 30, 50.0, 3).lines(before) == [
        "master: 20 choices, 1000 ms each, 95 % within 5 s, 1 longer than 5 s; 1 made by a substitute"
    ]
    assert before.lines(before) == []


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
