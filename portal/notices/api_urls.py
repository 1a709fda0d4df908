"""URLs of notices in the API."""

from django.urls import path

from portal.notices import api

urlpatterns = [
    path("notices/", api.NoticesView.as_view(), name="api-notices"),
    path("notices/unread/", api.UnreadView.as_view(), name="api-unread"),
    path("notices/read/", api.ReadView.as_view(), name="api-notices-read"),
]
