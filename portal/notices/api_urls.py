"""URLs of notices in the API."""

from django.urls import path

from portal.notices import api, hook_api

urlpatterns = [
    path("notices/", api.NoticesView.as_view(), name="api-notices"),
    path("notices/unread/", api.UnreadView.as_view(), name="api-unread"),
    path("notices/webhook/", hook_api.WebhookView.as_view(), name="api-webhook"),
    path("notices/read/", api.ReadView.as_view(), name="api-notices-read"),
]
