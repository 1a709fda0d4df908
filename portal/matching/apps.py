from django.apps import AppConfig


class MatchingConfig(AppConfig):
    name = "portal.matching"
    label = "matching"
