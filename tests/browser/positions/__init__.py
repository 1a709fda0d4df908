"""Tables that start from a position file, for several people.

The site itself only offers positions of the rule book, for one person against bots. Here a process beside the running portal seats several
people at one; from then on they use their pages.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.people import Visitor
from tests.running import RunningPortal

FOLDER = Path(__file__).parent


class Positions:
    """`positions.open("tigris_euphrates/war", anna, ben)` seats Anna in seat 0 and Ben in seat 1; a text is a bot's level."""

    def __init__(self, portal: RunningPortal) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.browser.positions.seating"],
            cwd=portal.root,
            env=portal.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def open(self, name: str, *sitting: Visitor | str) -> Page:
        """Open the table, sign everybody in and show it to them; return the page of the first one.

        People first, then bots. A visitor at a second table is still the same person.
        """
        people = [someone for someone in sitting if isinstance(someone, Visitor)]
        levels = [level for level in sitting if isinstance(level, str)]
        assert list(sitting) == [*people, *levels]
        wish = {"position": json.loads((FOLDER / f"{name}.json").read_text()), "bots": levels, "people": [one.name for one in people]}
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(wish) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        for someone, session in zip(people, answer["sessions"], strict=True):
            someone.context.add_cookies([{"name": "sessionid", "value": session, "url": someone.url}])
            someone.go(f"/tables/{answer['table']}/")
            expect(someone.page.locator("#table")).to_be_visible()
        return people[0].page

    def close(self) -> None:
        self.process.communicate("", timeout=10)
