from django.apps import AppConfig


class ClubsConfig(AppConfig):
    name = "portal.clubs"
    label = "clubs"
