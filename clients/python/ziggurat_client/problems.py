"""What can go wrong: the portal refuses, or doesn't answer."""

from __future__ import annotations

from typing import Any

import httpx


class Problem(Exception):
    """A refusal of the portal. `code` is its stable name, `rule` the paragraph of the rule book that forbids an action, if one does."""

    def __init__(self, status: int, code: str, detail: str, *, rule: str | None = None, retry_after_s: float | None = None) -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        self.rule = rule
        self.retry_after_s = retry_after_s

    @property
    def may_pass(self) -> bool:
        """Whether the same request may work a little later."""
        return self.status == 429 or self.status >= 500


class Lost(Exception):
    """The portal didn't answer, or the connection broke."""


def problem_of(answer: httpx.Response) -> Problem:
    """Return the refusal in an answer whose body has been read."""
    try:
        told: Any = answer.json()
    except ValueError:
        told = None
    if not isinstance(told, dict):
        told = {}
    error = told.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    wait = answer.headers.get("retry-after", "")
    return Problem(
        answer.status_code,
        str(code or "unknown"),
        str(told.get("detail") or answer.reason_phrase),
        rule=told.get("rule"),
        retry_after_s=float(wait) if wait.isdecimal() else None,
    )
