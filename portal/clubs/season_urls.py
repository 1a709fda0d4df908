"""Addresses of seasons and leagues."""

from __future__ import annotations

from django.urls import path

from portal.clubs import league_views, season_views

urlpatterns = [
    path("clubs/<slug:slug>/seasons/", season_views.seasons, name="club-seasons"),
    path("clubs/<slug:slug>/seasons/new/", season_views.season_new, name="season-new"),
    path("clubs/<slug:slug>/honours/", season_views.honours, name="club-honours"),
    path("clubs/<slug:slug>/seasons/<int:pk>/", season_views.season, name="season"),
    path("clubs/<slug:slug>/seasons/<int:pk>/edit/", season_views.season_edit, name="season-edit"),
    path("clubs/<slug:slug>/seasons/<int:pk>/end/", season_views.season_end, name="season-end"),
    path("clubs/<slug:slug>/seasons/<int:pk>/delete/", season_views.season_delete, name="season-delete"),
    path("clubs/<slug:slug>/seasons/<int:pk>/leagues/new/", league_views.league_new, name="league-new"),
    path("clubs/<slug:slug>/seasons/<int:pk>/leagues/draw/", league_views.league_draw, name="league-draw"),
    path("clubs/<slug:slug>/leagues/<int:pk>/", league_views.league, name="league"),
    path("clubs/<slug:slug>/leagues/<int:pk>/pairings/<int:pairing>/", league_views.pairing, name="league-pairing"),
    path("clubs/<slug:slug>/leagues/<int:pk>/pairings/<int:pairing>/play/", league_views.play, name="league-play"),
    path("clubs/<slug:slug>/leagues/<int:pk>/pairings/<int:pairing>/deadline/", league_views.deadline, name="league-deadline"),
    path("clubs/<slug:slug>/leagues/<int:pk>/pairings/<int:pairing>/void/", league_views.void, name="league-void"),
    path("clubs/<slug:slug>/leagues/<int:pk>/entrants/<int:entrant>/", league_views.entrant, name="league-entrant"),
]
