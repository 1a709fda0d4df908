"""Requests of one person to a portal: by token to the API, by session to the pages. Each has an address of their own."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from tests.running import RunningPortal

TIMEOUT_S = 10.0
_PEOPLE = """
import json, secrets
from importlib import import_module
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from portal.accounts.models import User
from portal.accounts.own_tokens import make_token
found = []
for number in range(%d):
    user = User.objects.create_user("chaos-" + secrets.token_hex(6), None, secrets.token_urlsafe())
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    found.append([user.username, make_token(user=user).text, session.session_key])
print(json.dumps(found))
"""


class NoAnswer(Exception):
    """Nothing came back, or not all of it."""


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError:
            raise NoAnswer("no JSON") from None


def ask(
    port: int,
    method: str,
    path: str,
    *,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    source: str = "127.0.0.1",
    timeout_s: float = TIMEOUT_S,
) -> Answer:
    """Send one request from the address `source` of this machine. Raises NoAnswer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout_s, source_address=(source, 0))
    try:
        connection.request(method, path, body, dict(headers or {}))
        answer = connection.getresponse()
        return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
    except (OSError, http.client.HTTPException) as error:
        raise NoAnswer(str(error) or type(error).__name__) from None
    finally:
        connection.close()


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with an account, who plays by API or by page."""

    port: int
    name: str
    token: str
    session: str
    source: str

    def api(self, method: str, path: str, body: object = None, timeout_s: float = TIMEOUT_S) -> Answer:
        """Ask the API. Raises NoAnswer."""
        headers = {"Authorization": f"Token {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        return ask(self.port, method, f"/api/v1/{path}", body=data, headers=headers, source=self.source, timeout_s=timeout_s)

    def act_on_page(self, table: int, action: str, version: int) -> Answer:
        """Open the table's page and send its form, as a browser does. Raises NoAnswer; also when there was no page to send it from."""
        cookie = {"Cookie": f"sessionid={self.session}"}
        page = ask(self.port, "GET", f"/tables/{table}/", headers=cookie, source=self.source)
        found = re.search(rb'name="csrfmiddlewaretoken"[^>]* value="(\w+)"', page.body)
        given = re.search(r"csrftoken=(\w+)", page.headers.get("set-cookie", ""))
        if page.status != 200 or not found or not given:
            raise NoPage(page.status)
        form = urlencode({"csrfmiddlewaretoken": found[1].decode(), "action": action, "expected_version": version})
        headers = {
            "Cookie": f"sessionid={self.session}; csrftoken={given[1]}",
            "Content-Type": "application/x-www-form-urlencoded",
            "HX-Request": "true",
        }
        return ask(self.port, "POST", f"/tables/{table}/act/", body=form.encode(), headers=headers, source=self.source)


class NoPage(NoAnswer):
    """The page of the table could not be had, so nothing was sent."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the page answered {status}")
        self.status = status


def sign_up(portal: RunningPortal, count: int) -> list[Person]:
    """Make accounts with a token and an open session each."""
    argv = [sys.executable, "manage.py", "shell", "-v", "0", "-c", _PEOPLE % count]
    made = subprocess.run(argv, cwd=portal.root, env=portal.environment, capture_output=True, text=True, check=True)
    people = json.loads(made.stdout.strip().splitlines()[-1])
    return [Person(portal.port, name, token, session, f"127.0.3.{1 + at}") for at, (name, token, session) in enumerate(people)]
