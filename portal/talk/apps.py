from django.apps import AppConfig


class TalkConfig(AppConfig):
    name = "portal.talk"
    label = "talk"

    def ready(self) -> None:
        from portal.accounts.signals import person_leaving  # models are not there before
        from portal.talk.services import forget

        person_leaving.connect(forget)
