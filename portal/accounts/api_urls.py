"""URLs of blocks, tokens and applications in the API."""

from django.urls import path

from portal.accounts import api, oauth_api, token_api

urlpatterns = [
    path("blocks/", api.BlocksView.as_view(), name="api-blocks"),
    path("blocks/<str:username>/", api.BlockView.as_view(), name="api-block"),
    path("me/applications/", oauth_api.ApplicationsView.as_view(), name="api-applications"),
    path("me/applications/<int:pk>/", oauth_api.ApplicationView.as_view(), name="api-application"),
    path("tokens/", token_api.TokensView.as_view(), name="api-tokens"),
    path("tokens/<int:pk>/", token_api.TokenView.as_view(), name="api-token-revoke"),
]
