"""Addresses of the site round the tables."""

from django.urls import path

from portal.tables import site_views

urlpatterns = [
    path("", site_views.home, name="home"),
    path("play/<str:game>/", site_views.play_now, name="play-now"),
    path("lobby/", site_views.lobby, name="lobby"),
    path("lobby/<int:pk>/join/", site_views.lobby_join, name="lobby-join"),
    path("tables/new/", site_views.new_table, name="table-new"),
    path("robots.txt", site_views.robots, name="robots"),
]
