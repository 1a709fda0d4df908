"""URLs of bot accounts."""

from django.urls import path

from portal.bots import own_views

urlpatterns = [
    path("settings/bots/", own_views.my_bots, name="my-bots"),
    path("settings/bots/<str:username>/", own_views.my_bot, name="my-bot"),
]
