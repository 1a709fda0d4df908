"""The person of a session is read with one statement of fixed text."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from portal.accounts.models import User

pytestmark = pytest.mark.django_db


def test_a_person_by_key_is_complete_and_read_with_one_statement():
    made = User.objects.create_user("anna", "anna@example.org", "lapis lazuli 9", language="hu", theme="dark")
    slow = User.objects.filter(pk=made.pk).get()
    with CaptureQueriesContext(
        connection,
    ) as seen:
        person = User.objects.get(pk=made.pk)
    assert len(seen) == 1
    for field in User._meta.concrete_fields:
        assert getattr(person, field.attname) == getattr(slow, field.attname), field.name
    assert person == slow
    assert not person.get_deferred_fields()
    person.theme = "light"
    person.save()
    assert User.objects.get(pk=made.pk).theme == "light"


def test_nobody_by_key_and_other_questions_are_answered_as_before():
    anna = User.objects.create_user("anna")
    with pytest.raises(User.DoesNotExist):
        User.objects.get(pk=anna.pk + 1)
    assert User.objects.get(pk=str(anna.pk)) == anna
    assert User.objects.get(username="anna") == anna
    with pytest.raises(User.DoesNotExist):
        User.objects.get(pk=anna.pk, username="bela")
    with pytest.raises(ValueError, match="expected a number"):
        User.objects.get(pk="anna")
