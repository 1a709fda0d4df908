"""URLs of seasons, leagues and duplicate sets."""

from __future__ import annotations

from django.urls import path

from portal.contests import duplicate_views, league_views, season_views

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
    path("clubs/<slug:slug>/duplicates/", duplicate_views.sets, name="club-duplicates"),
    path("clubs/<slug:slug>/duplicates/new/", duplicate_views.set_new, name="club-duplicate-new"),
    path("clubs/<slug:slug>/duplicates/<int:pk>/", duplicate_views.duplicate, name="club-duplicate"),
    path("clubs/<slug:slug>/duplicates/<int:pk>/sit/", duplicate_views.sit, name="club-duplicate-sit"),
    path("clubs/<slug:slug>/duplicates/<int:pk>/start/", duplicate_views.start, name="club-duplicate-start"),
    path("clubs/<slug:slug>/duplicates/<int:pk>/close/", duplicate_views.close, name="club-duplicate-close"),
    path("clubs/<slug:slug>/duplicates/<int:pk>/end/", duplicate_views.end, name="club-duplicate-end"),
]
