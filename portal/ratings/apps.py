from django.apps import AppConfig


class RatingsConfig(AppConfig):
    name = "portal.ratings"
    label = "ratings"
