"""Lets everybody see the status page while the database is away, when no other page can be shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from importlib import import_module

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.urls import reverse


class StatusForAll:
    """Takes a reader of the status page for a visitor if the database can't say who it is. The session itself stays."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    @cached_property
    def _address(self) -> str:
        return reverse("status")

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info == self._address:
            try:
                bool(request.user.is_authenticated)
            except Error:
                request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)  # else an empty session would end the one in the browser
                request.session = import_module(settings.SESSION_ENGINE).SessionStore()
                request.user = AnonymousUser()
        return self.get_response(request)
