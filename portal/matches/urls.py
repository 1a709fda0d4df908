"""URLs of the pages of matches."""

from django.urls import path

from portal.matches import views

urlpatterns = [
    path("matches/", views.all_matches, name="matches"),
    path("matches/new/", views.new_match, name="new-match"),
    path("matches/<int:pk>/", views.match, name="match"),
    path("matches/<int:pk>/cancel/", views.cancel, name="match-cancel"),
]
