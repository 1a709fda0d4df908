"""URLs of searches for a table in the API."""

from django.urls import path

from portal.matching import api

urlpatterns = [
    path("searches/", api.SearchesView.as_view(), name="api-searches"),
    path("searches/<str:game>/", api.SearchView.as_view(), name="api-search"),
]
