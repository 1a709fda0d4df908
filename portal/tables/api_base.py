"""What all views of tables in the API share: refusals in words, and a table as one viewer may see it."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from typing import Any

import msgspec
from django.urls import reverse
from django.utils import translation
from rest_framework import exceptions
from rest_framework.response import Response

from games.core.schemas import shown
from portal.accounts.models import User
from portal.common.api import refused
from portal.common.api_views import ApiView
from portal.tables import inviting, refusals, selectors
from portal.tables import serializers as s
from portal.tables.access import load_for, told_to
from portal.tables.loading import Loaded
from portal.tables.selectors import LogLine, TablePage
from portal.tables.speaker import Speaker


class TablesView(ApiView):
    """Says refusals of tables in the words of the game. Anything a person may not see is answered as if it did not exist."""

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, refusals.TableRefusal):  # of a table by its number; whoever has an invitation to it knows of it
            return self._refusal(told_to(self.person, int(self.kwargs["pk"]), exc) if "pk" in self.kwargs else exc)
        return super().handle_exception(exc)

    def _refusal(self, error: refusals.TableRefusal) -> Response:
        reason, rule_url = str(error), None
        lang = translation.get_language() or "en"
        if error.cause is not None:
            loaded = load_for(int(self.kwargs["pk"]), self.person)
            reason = Speaker(loaded.table.game, lang, loaded.names, loaded.seat_of(self.person)).say(error.cause)
        if error.rule is not None:
            game, _hash, anchor = error.rule.partition("#")
            rule_url = reverse("rules:paragraph", args=[lang, game, anchor])
        return refused(error, reason, rule_url)

    @property
    def person(self) -> User | None:
        return self.request.user if isinstance(self.request.user, User) else None

    @property
    def signed_in(self) -> User:
        if (user := self.person) is None:
            raise exceptions.NotAuthenticated
        return user

    def answer(self, loaded: Loaded, status: int = 200) -> Response:
        return Response(table_json(selectors.page_of(loaded, self.person)), status=status)


def table_json(page: TablePage) -> dict[str, Any]:
    """Return a table as one viewer may see it, entirely from that viewer's `TablePage`."""
    speaker = Speaker(page.entry.key, translation.get_language() or "en", page.names, page.my_seat)
    data = {
        "id": page.id,
        "game": page.entry.key,
        "status": page.status,
        "version": page.version,
        "options": page.options,
        "seat_count": page.seat_count,
        "seats": page.seats,
        "my_seat": page.my_seat,
        "view": shown(page.view) if page.view is not None else None,
        "question": speaker.say(page.turn.ask.title) if page.turn.ask is not None else None,
        "legal": page.turn.legal,
        "due": [seat for seat in page.turn.due if seat >= 0],
        "due_since": page.turn.due_since,
        "waiting_for": page.turn.waiting_for,
        "can_undo": page.may.undo,
        "can_redo": page.may.redo,
        "can_join": page.may.join,
        "can_leave": page.may.leave,
        "can_start": page.may.start,
        "orders": [{"order": option.text, "label": speaker.say(option.label), "is_set": is_set} for option, is_set in page.turn.orders],
        "log": [line_json(line, speaker) for line in page.log.lines],
        "commitment": page.seal.commitment,
        "secret": page.seal.secret,
        "outcome": msgspec.to_builtins(page.outcome, str_keys=True) if page.outcome is not None else None,
        "club": page.circle.slug if page.circle is not None else None,
        "is_rated": page.is_rated,
        "pace": asdict(page.pace),
        "privacy": "link" if page.by_link else "public",
        "starts_at": page.starts_at,
        "is_owner": page.is_owner,
        "kept_seats": page.kept if page.is_owner else None,
        "invitation": page.invited,
        "terms": inviting.terms_of(page),
        "link": inviting.link_to(page.link_code) or None,
        "link_code": page.link_code or None,
        "vote": vote_json(page),
        "may_ask": page.questions if page.vote is None else (),
        "has_chat": page.has_company,
        "can_come_back": page.may.come_back,
        "duplicate_set": page.circle.set_id if page.circle is not None else None,
        "is_sealed": page.is_sealed,
        "created_at": page.created_at,
        "started_at": page.started_at,
        "finished_at": page.finished_at,
    }
    return dict(_answer().to_representation(data))


@cache
def _answer() -> s.TableAnswer:
    """Return the one serializer of tables: a new one copies every field, which takes as long as the rest of the answer."""
    return s.TableAnswer()


def vote_json(page: TablePage) -> dict[str, Any] | None:
    """Return the question that waits for answers, as players see it; nobody else does."""
    vote = page.vote
    if vote is None or page.my_seat is None:
        return None
    return {
        "id": vote.at,
        "what": vote.what.value,
        "about": vote.about,
        "seat": vote.seat,
        "agreed": sorted(vote.agreed),
        "missing": list(vote.missing),
    }


def line_json(line: LogLine, speaker: Speaker) -> dict[str, Any]:
    """Return an event of the log with its sentence."""
    return {
        "seq": line.seq,
        "version": line.version,
        "at": line.at,
        "actor": line.actor,
        "by": line.by,
        "key": line.event.key,
        "params": dict(line.event.params),
        "rule": line.event.rule,
        "text": speaker.say(line.event),
    }
