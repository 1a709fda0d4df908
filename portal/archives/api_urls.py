"""URLs of the archives in the API."""

from django.urls import path

from portal.archives import api

urlpatterns = [
    path("archives/", api.ArchivesView.as_view(), name="api-archives"),
    path("archives/<str:game>/", api.FiguresView.as_view(), name="api-archive-figures"),
    path("archives/<str:game>/openings/", api.OpeningsView.as_view(), name="api-archive-openings"),
]
