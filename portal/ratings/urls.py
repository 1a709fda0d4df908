"""URLs of the ratings."""

from django.urls import path

from portal.ratings import statistics_views, views

urlpatterns = [
    path("ratings/", statistics_views.how, name="rating-rules"),
    path("bots/", statistics_views.all_bots, name="all-bots"),
    path("games/<str:game>/bots/", statistics_views.bots, name="bots"),
    path("leaderboards/<str:game>/", views.leaderboard, name="leaderboard"),
    path("leaderboards/<str:game>/standings.csv", views.download, name="leaderboard-download"),
    path("leaderboards/<str:game>/seats/", statistics_views.seats, name="seat-effects"),
    path("leaderboards/<str:game>/calibration/", statistics_views.calibration, name="calibration"),
    path("clubs/<slug:slug>/leaderboard/<str:game>/", views.club_leaderboard, name="club-leaderboard"),
    path("clubs/<slug:slug>/leaderboard/<str:game>/standings.csv", views.club_download, name="club-leaderboard-download"),
    path("clubs/<slug:slug>/records/", statistics_views.club_records, name="club-records"),
    path("people/<str:username>/against/", statistics_views.against, name="against"),
    path("people/<str:username>/against/<str:other>/", statistics_views.against_player, name="against-player"),
    path("people/<str:username>/<str:game>/", statistics_views.player_game, name="player-game"),
]
