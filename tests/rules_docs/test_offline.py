"""Reading without a connection: what the service worker is served as, which pages have it, and the list of what can be kept."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from rules_docs import content

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rules")]
READING = ("/hu/rules/", "/hu/rules/glossary/", "/hu/rules/offline/", "/hu/rules/ra/", "/hu/rules/ra/auction/", "/hu/rules/ra/aid/")
READING += ("/hu/rules/ra/glossary/", "/hu/rules/ra/whole/")


def text(response: Any) -> str:
    return response.content.decode()


def test_browsers_take_the_worker_and_ask_for_a_newer_one_each_time(client: Client) -> None:
    response = client.get("/sw.js")
    assert response.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-cache"
    assert "Set-Cookie" not in response.headers
    policy = response.headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy, "workers too are held to it"
    assert "worker-src" not in policy
    assert client.get("/sw.js", headers={"if-none-match": response.headers["ETag"]}).status_code == 304


def test_only_rule_pages_register_it_and_each_for_rule_pages_alone(client: Client) -> None:
    for address in READING:
        page = text(client.get(address))
        (tag,) = re.findall(r'<script src="[^"]*js/offline[^>]*>', page)
        assert 'data-worker="/sw.js"' in tag, address
        assert re.findall(r'data-scopes="([^"]*)"', tag) == [" /en/rules/ /hu/rules/ /ru/rules/"], address
        (notice,) = re.findall(r'<template id="kept">(.*?)</template>', page, re.DOTALL)
        assert "Nincs internetkapcsolat." in notice, address
        assert ("{date}" in notice) == (address != "/hu/rules/offline/")
    for address in ("/", "/lobby/", "/accounts/login/", "/practice/ra/auction/", "/hu/rules/search/?q=nap"):
        assert "js/offline" not in text(client.get(address)), address


def test_the_list_of_the_device_has_every_page_that_can_be_kept(client: Client) -> None:
    page = text(client.get("/hu/rules/offline/"))
    listed = set(re.findall(r'<li hidden><a class="chapters__heading" data-page href="([^"]+)">', page))
    assert listed == {
        f"/hu/rules/{game}/{part}"
        for game in content.book_keys()
        for part in ("", "glossary/", "aid/", "whole/", *(f"{chapter.slug}/" for chapter in content.book(game).chapters))
    }
    assert client.get("/xx/rules/offline/").status_code == 404
