"""Addresses of this app."""

from django.urls import path

from portal.ratings import views

urlpatterns = [path("leaderboards/<str:game>/", views.leaderboard, name="leaderboard")]
