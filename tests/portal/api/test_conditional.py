"""A program that keeps a table itself gets 304 while nothing has changed for it; no cache may keep the answer."""

from __future__ import annotations

import pytest

from portal.tables.loading import load
from tests.portal.api.asking import ROOT, Person

pytestmark = pytest.mark.django_db


def ask(person, pk, etag=""):
    return person.client.get(f"{ROOT}tables/{pk}/", headers={"if-none-match": etag} if etag else {})


def test_a_table_is_sent_again_only_when_something_has_changed_for_the_viewer(duel, alice, bob):
    everybody = {name: Person(user) for name, user in (("alice", alice), ("bob", bob), ("visitor", None))}
    etags = {name: ask(person, duel.pk)["ETag"] for name, person in everybody.items()}
    assert len(set(etags.values())) == 3
    for name, person in everybody.items():
        for other, etag in etags.items():
            answer = ask(person, duel.pk, etag)
            assert (answer.status_code, bool(answer.content)) == ((304, False) if other == name else (200, True))
            assert answer["Cache-Control"] == "no-store"
    loaded = load(duel.pk)
    due = loaded.table.due[0]
    mover = everybody[loaded.names[due]]
    action = str(loaded.game.legal_actions(loaded.state, due)[0])
    assert mover.post(f"tables/{duel.pk}/actions/", {"action": action, "expected_version": loaded.table.version}).status_code == 200
    for name, person in everybody.items():
        answer = ask(person, duel.pk, etags[name])
        assert answer.status_code == 200 and answer["ETag"] != etags[name]


def test_refusals_have_no_etag_and_what_may_not_be_seen_stays_hidden(duel, alice):
    etag = ask(Person(alice), duel.pk)["ETag"]
    missing = ask(Person(alice), 999_999, etag)
    assert missing.status_code == 404 and not missing.has_header("ETag")
