"""People who play at a running portal: `python -m tools.play URL [--tables N] [--seconds S]`, then `python -m tools.memory`.

Each person plays one of the five games after another by the API, against Scribe bots, with random moves about once a second, and now and then
reads a page. Prints how many requests were answered with which status. Runs on the machine of the portal, with its variables, because it creates the people.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAUSE_S = 0.7
PAGES = ("/", "/lobby/", "/en/rules/", "/leaderboards/ra/")
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
PEOPLE = """
import json, secrets
from portal.accounts.models import User
from portal.accounts.services import renew_token
people = [User.objects.create_user(f"player-{secrets.token_hex(4)}", None, secrets.token_urlsafe()) for _ in range(COUNT)]
print(json.dumps([renew_token(user=user) for user in people]))
"""


class Person:
    """One who plays until `end` (of the monotonic clock); `seen` counts statuses."""

    def __init__(self, url: str, token: str, number: int, end: float, seen: Counter[tuple[str, int]]) -> None:
        self.url, self.token, self.end, self.seen = url, token, end, seen
        self.number, self.rng = number, random.Random(number)

    def ask(self, what: str, path: str, body: object = None) -> Any:
        """Return the answer as JSON, or None if there is no good one."""
        request = urllib.request.Request(self.url + path, json.dumps(body).encode() if body is not None else None)
        if path.startswith("/api/"):
            request.add_header("Authorization", f"Token {self.token}")
            request.add_header("Content-Type", "application/json")
        try:
            with OPENER.open(request, timeout=30) as answer:
                status, text = answer.status, answer.read()
        except urllib.error.HTTPError as error:
            status, text = error.code, b""
        except OSError:
            status, text = 0, b""
        self.seen[what, status] += 1
        return json.loads(text) if status in (200, 201) and path.startswith("/api/") else None

    def play(self) -> None:
        games = self.ask("games", "/api/v1/games/")
        game = games[self.number % len(games)]
        seats = min(3, max(game["seats"]))
        while time.monotonic() < self.end:
            made = self.ask("open", "/api/v1/tables/", {"game": game["key"], "seats": seats, "bots": ["scribe"] * (seats - 1)})
            if made:
                self.play_at(made["id"])
            else:
                time.sleep(PAUSE_S)

    def play_at(self, table: int) -> None:
        while time.monotonic() < self.end:
            found = self.ask("read", f"/api/v1/tables/{table}/")
            if found and found["status"] == "finished":
                return
            if found and found["legal"]:
                move = {"action": self.rng.choice(found["legal"]), "expected_version": found["version"]}
                self.ask("move", f"/api/v1/tables/{table}/actions/", move)
            if self.rng.random() < 0.5:
                page = self.rng.choice(PAGES)
                self.ask(page, page)
            time.sleep(PAUSE_S)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", help="such as http://127.0.0.1:8000")
    parser.add_argument("--tables", type=int, default=10, help="people, each with a table (default: 10)")
    parser.add_argument("--seconds", type=float, default=240.0, help="how long (default: 240)")
    given = parser.parse_args()
    command = [sys.executable, "manage.py", "shell", "-v", "0", "-c", PEOPLE.replace("COUNT", str(given.tables))]
    tokens = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip().splitlines()[-1])
    seen: Counter[tuple[str, int]] = Counter()
    end = time.monotonic() + given.seconds
    people = [Person(given.url.rstrip("/"), token, number, end, seen) for number, token in enumerate(tokens)]
    threads = [threading.Thread(target=person.play) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for (what, status), count in sorted(seen.items()):
        print(f"{what:<16}{status:>4}{count:>8}")


if __name__ == "__main__":
    main()
