from django.apps import AppConfig


class BotsConfig(AppConfig):
    name = "portal.bots"
    label = "bots"

    def ready(self) -> None:
        from portal.accounts.signals import person_leaving  # models are not there before
        from portal.bots import services

        person_leaving.connect(services.close_bots_of)
