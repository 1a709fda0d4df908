from django.apps import AppConfig


class BotsConfig(AppConfig):
    name = "portal.bots"
    label = "bots"

    def ready(self) -> None:
        from portal.accounts.signals import person_leaving  # models are not there before
        from portal.bots import challenging, services
        from portal.tables.inviting import BOT_RULES

        person_leaving.connect(services.close_bots_of)
        BOT_RULES.append(challenging.why_not_invited)
