from django.apps import AppConfig


class TalkConfig(AppConfig):
    name = "portal.talk"
    label = "talk"
