"""How tests ask the API, and read its errors."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Final

from django.test import Client

from portal.accounts.services import token_for_sign_in

ROOT: Final = "/api/v1/"
NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Person:
    """A client that signs in with a token, or not at all."""

    def __init__(self, user=None):
        token = token_for_sign_in(user=user) if user is not None else ""
        self.client = Client(headers={"authorization": f"Token {token}"} if token else None)

    def get(self, path):
        return self.client.get(ROOT + path)

    def post(self, path, body=None, method="POST"):
        return self.client.generic(method, ROOT + path, json.dumps(body or {}), content_type="application/json")


def code_of(response) -> str:
    error = response.json()["error"]
    assert set(error) == {"code", "reason", "rule", "rule_url"}
    assert error["reason"]
    return error["code"]
