"""URLs of matches in the API."""

from django.urls import path

from portal.matches import api

urlpatterns = [
    path("matches/", api.MatchesView.as_view(), name="api-matches"),
    path("matches/<int:pk>/", api.MatchView.as_view(), name="api-match"),
    path("matches/<int:pk>/cancel/", api.CancelView.as_view(), name="api-match-cancel"),
    path("matches/<int:pk>/games/", api.MatchGamesView.as_view(), name="api-match-games"),
]
