"""Addresses of this app."""

from django.urls import path

from portal.ratings import views

urlpatterns = [
    path("leaderboards/<str:game>/", views.leaderboard, name="leaderboard"),
    path("leaderboards/<str:game>/standings.csv", views.download, name="leaderboard-download"),
    path("clubs/<str:slug>/leaderboard/<str:game>/", views.club_leaderboard, name="club-leaderboard"),
    path("clubs/<str:slug>/leaderboard/<str:game>/standings.csv", views.club_download, name="club-leaderboard-download"),
]
