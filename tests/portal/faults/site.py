"""A whole portal with two people who use its API, and access to its database."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request

import psycopg

from tests.running import ROOT, RunningPortal, wait_until
from tools.chaos import parts

BOT_GAMES = 2
WITHIN_S = 60.0
PEOPLE = """
import json
from portal.accounts.models import User
from portal.accounts.own_tokens import make_token
print(json.dumps([make_token(user=User.objects.create_user(name, None, "lapis lazuli 9")).text for name in ("alice", "bob")]))
"""
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Site:
    """The portal with two users of its API, and access to its database."""

    def __init__(self, portal: RunningPortal) -> None:
        self.portal = portal
        made = subprocess.run(
            [sys.executable, "manage.py", "shell", "-v", "0", "-c", PEOPLE],
            cwd=ROOT,
            env=portal.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        self.alice, self.bob = json.loads(made.stdout.strip().splitlines()[-1])

    def ask(self, method, path, body=None, token=None, headers=()):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.portal.url + path, data, dict(headers), method=method)
        if body is not None:
            request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", f"Token {token}")
        try:
            with OPENER.open(request, timeout=20) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def api(self, method, path, body=None, token=None):
        status, text = self.ask(method, f"/api/v1/{path}", body, token)
        return status, json.loads(text)

    def bots_alone(self):
        status, table = self.api("POST", "tables/", {"game": "ra", "seats": 3, "bots": ["apprentice", "apprentice"]}, self.alice)
        assert status == 201, table
        assert self.api("POST", f"tables/{table['id']}/leave/", {}, self.alice)[0] == 200
        return table["id"]

    def rows(self, sql, *values):
        with psycopg.connect(self.portal.state.database_url(), connect_timeout=5) as connection:
            return connection.execute(sql, values).fetchall()

    def records(self):
        return {tuple(row) for row in self.rows("SELECT table_id, seq, version, actor, text, by FROM tables_actionrecord")}

    def versions(self):
        return dict(self.rows("SELECT id, version FROM tables_table"))

    def playing(self):
        return [row[0] for row in self.rows("SELECT id FROM tables_table WHERE status = 'playing' AND waits_for IN ('bot', 'scorer')")]

    def keep_playing(self):
        """Make sure that bots play at some tables."""
        for _ in range(BOT_GAMES - len(self.playing())):
            self.bots_alone()

    def moves_on(self):
        """Wait until every table that waits for a bot or for scoring has moved on."""
        before = self.versions()
        waiting = self.playing()

        def moved():
            now = self.versions()
            return all(now[table] > before[table] for table in waiting)

        wait_until(lambda: quietly(moved), WITHIN_S)

    def pids(self, part):
        return parts.pids(self.portal, part)

    def is_up(self):
        return self.ask("GET", "/healthz")[0] == 200


def quietly(condition):
    """Return False while the service behind it is down."""
    try:
        return condition()
    except (OSError, psycopg.Error, urllib.error.URLError, json.JSONDecodeError):
        return False
