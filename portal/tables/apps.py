from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "portal.tables"
    label = "tables"
