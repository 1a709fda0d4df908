"""Tables that start from a position file, for several people, and games whose middle is skipped.

The site itself only offers positions of the rule book, for one person against bots. Here a process beside the running portal seats several
people at one; from then on they use their pages.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

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

    def open(self, name: str, *sitting: Visitor | str, confirm: str = "always") -> Page:
        """Open the table, sign everybody in and show it to them; return the page of the first one.

        People first, then bots. `confirm` is when the table asks before a move. A visitor at a second table is still the same person.
        """
        people = [someone for someone in sitting if isinstance(someone, Visitor)]
        levels = [level for level in sitting if isinstance(level, str)]
        assert list(sitting) == [*people, *levels]
        wish = {
            "position": json.loads((FOLDER / f"{name}.json").read_text()),
            "bots": levels,
            "people": [one.name for one in people],
            "confirm": confirm,
        }
        answer = self._ask(wish)
        for someone, session in zip(people, answer["sessions"], strict=True):
            someone.context.add_cookies([{"name": "sessionid", "value": session, "url": someone.url}])
            someone.go(f"/tables/{answer['table']}/")
            expect(someone.page.locator("#table")).to_be_visible()
        return people[0].page

    def skip_the_middle(self, *people: Visitor) -> None:
        """Let the people at a table play on by the apprentice's choices up to the last part of the game, then show them the table again.

        Their pages are left meanwhile: the moves are of the kinds that were already played on them, and a browser draws each one.
        """
        tables = {someone.table_id() for someone in people}
        assert len(tables) == 1
        addresses = [someone.page.url.partition("?")[0] for someone in people]
        for someone in people:
            someone.page.goto("about:blank")
        played = self._ask({"table": tables.pop()})["played"]
        assert played, "the game was in its last part already"
        for someone, address in zip(people, addresses, strict=True):
            someone.go(address)

    def play(self, table: int, versions: int) -> int:
        """Let people and bots at a table play on for so many versions, and until a person is due; return the version that it has then."""
        return int(self._ask({"table": table, "versions": versions})["version"])

    def finished(self, key: str, visitor: Visitor, seats: int) -> int:
        """Return a finished table of a game where the visitor, who is signed in then, played against bots."""
        answer = self._ask({"finished": key, "person": visitor.name, "seats": seats})
        visitor.context.add_cookies([{"name": "sessionid", "value": answer["session"], "url": visitor.url}])
        return int(answer["table"])

    def _ask(self, wish: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(wish) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def close(self) -> None:
        self.process.communicate("", timeout=10)
