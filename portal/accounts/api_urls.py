"""URLs of blocks in the API."""

from django.urls import path

from portal.accounts import api

urlpatterns = [
    path("blocks/", api.BlocksView.as_view(), name="api-blocks"),
    path("blocks/<str:username>/", api.BlockView.as_view(), name="api-block"),
]
