"""URLs of bot accounts."""

from django.urls import path

from portal.bots import own_views, views

urlpatterns = [
    path("bots/accounts/", views.accounts, name="bot-accounts"),
    path("bots/accounts/<str:username>/challenge/", views.challenge_bot, name="challenge-bot"),
    path("settings/bots/", own_views.my_bots, name="my-bots"),
    path("settings/bots/<str:username>/", own_views.my_bot, name="my-bot"),
]
