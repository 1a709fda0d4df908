"""URLs of bot accounts in the API."""

from django.urls import path

from portal.bots import api

urlpatterns = [
    path("bots/", api.BotsView.as_view(), name="api-bot-accounts"),
    path("bots/<str:username>/", api.BotView.as_view(), name="api-bot-account"),
    path("bots/<str:username>/challenges/", api.ChallengesView.as_view(), name="api-challenges"),
    path("me/bots/", api.MyBotsView.as_view(), name="api-my-bots"),
    path("me/bots/<str:username>/", api.MyBotView.as_view(), name="api-my-bot"),
    path("me/bots/<str:username>/tokens/", api.BotTokensView.as_view(), name="api-bot-tokens"),
    path("me/bots/<str:username>/tokens/<int:pk>/", api.BotTokenView.as_view(), name="api-bot-token"),
]
