"""What the pages of a club show to whom, and by how many statements."""

from __future__ import annotations

import pytest
from django.urls import reverse

pytestmark = pytest.mark.django_db
READ = ("club", "club-tables", "club-games", "club-members", "club-announcements", "club-calendar", "club-ics")


def test_all_pages_of_a_public_club_open_for_everybody(client, club, alice, bob):
    for user in (None, alice, bob):
        if user:
            client.force_login(user)
        for name in READ:
            answer = client.get(reverse(name, args=[club.slug]))
            assert answer.status_code == 200, (name, user)
        assert client.get("/clubs/").status_code == 200
    assert client.get(reverse("club-log", args=[club.slug])).status_code == 200
    client.force_login(alice)
    assert client.get(reverse("club-settings", args=[club.slug])).status_code == 200
    assert client.get(reverse("club-evening-new", args=[club.slug])).status_code == 200
    assert client.get("/clubs/new/").status_code == 200
