"""URLs of the standings in the API."""

from django.urls import path

from portal.ratings import api

urlpatterns = [
    path("ratings/", api.RulesView.as_view(), name="api-rating-rules"),
    path("leaderboards/<str:game>/", api.LeaderboardView.as_view(), name="api-leaderboard"),
    path("leaderboards/<str:game>/seats/", api.SeatsView.as_view(), name="api-seat-effects"),
    path("leaderboards/<str:game>/calibration/", api.CalibrationView.as_view(), name="api-calibration"),
    path("clubs/<slug:slug>/leaderboards/<str:game>/", api.ClubLeaderboardView.as_view(), name="api-club-leaderboard"),
    path("clubs/<slug:slug>/records/", api.ClubRecordsView.as_view(), name="api-club-records"),
    path("people/<str:username>/ratings/<str:game>/", api.PersonInGameView.as_view(), name="api-person-in-game"),
]
