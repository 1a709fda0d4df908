"""Addresses of the clubs; seasons with their leagues and duplicate tables bring lists of their own."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from django.urls import path

from portal.clubs import views

urlpatterns = [
    path("clubs/", views.clubs, name="clubs"),
    path("clubs/<slug:slug>/", views.club, name="club"),
]
for part in ("portal.clubs.season_urls", "portal.clubs.duplicate_urls"):
    if find_spec(part) is not None:
        urlpatterns += import_module(part).urlpatterns
