from django.apps import AppConfig


class PositionsConfig(AppConfig):
    name = "portal.positions"
    label = "positions"
