from django.apps import AppConfig


class MatchesConfig(AppConfig):
    name = "portal.matches"
    label = "matches"

    def ready(self) -> None:
        from portal.accounts.signals import person_forgotten  # models are not there before
        from portal.matches.services import forget_name

        person_forgotten.connect(forget_name, dispatch_uid="matches")
