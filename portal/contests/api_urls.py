"""URLs of seasons, leagues and duplicate sets in the API."""

from django.urls import path

from portal.contests import api, duplicate_api, league_api

urlpatterns = [
    path("clubs/<slug:slug>/seasons/", api.SeasonsView.as_view(), name="api-seasons"),
    path("clubs/<slug:slug>/seasons/<int:pk>/", api.SeasonView.as_view(), name="api-season"),
    path("clubs/<slug:slug>/seasons/<int:pk>/end/", api.EndView.as_view(), name="api-season-end"),
    path("clubs/<slug:slug>/seasons/<int:pk>/leaderboards/<str:game>/", api.SeasonLeaderboardView.as_view(), name="api-season-leaderboard"),
    path("clubs/<slug:slug>/seasons/<int:pk>/draw/", league_api.DrawView.as_view(), name="api-league-draw"),
    path("clubs/<slug:slug>/seasons/<int:pk>/leagues/", league_api.StartView.as_view(), name="api-leagues"),
    path("clubs/<slug:slug>/leagues/<int:pk>/", league_api.LeagueView.as_view(), name="api-league"),
    path("clubs/<slug:slug>/leagues/<int:pk>/pairings/<int:pairing>/play/", league_api.PlayView.as_view(), name="api-pairing-play"),
    path(
        "clubs/<slug:slug>/leagues/<int:pk>/pairings/<int:pairing>/deadline/",
        league_api.DeadlineView.as_view(),
        name="api-pairing-deadline",
    ),
    path("clubs/<slug:slug>/leagues/<int:pk>/pairings/<int:pairing>/void/", league_api.VoidView.as_view(), name="api-pairing-void"),
    path(
        "clubs/<slug:slug>/leagues/<int:pk>/entrants/<int:entrant>/withdraw/",
        league_api.WithdrawView.as_view(),
        name="api-entrant-withdraw",
    ),
    path("clubs/<slug:slug>/duplicates/", duplicate_api.SetsView.as_view(), name="api-duplicates"),
    path("clubs/<slug:slug>/duplicates/<int:pk>/", duplicate_api.SetView.as_view(), name="api-duplicate"),
    path("clubs/<slug:slug>/duplicates/<int:pk>/sit/", duplicate_api.SitView.as_view(), name="api-duplicate-sit"),
    path("clubs/<slug:slug>/duplicates/<int:pk>/start/", duplicate_api.StartView.as_view(), name="api-duplicate-start"),
    path("clubs/<slug:slug>/duplicates/<int:pk>/close/", duplicate_api.CloseView.as_view(), name="api-duplicate-close"),
    path("clubs/<slug:slug>/duplicates/<int:pk>/end/", duplicate_api.EndView.as_view(), name="api-duplicate-end"),
]
