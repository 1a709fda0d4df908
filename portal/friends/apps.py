from django.apps import AppConfig


class FriendsConfig(AppConfig):
    name = "portal.friends"
    label = "friends"

    def ready(self) -> None:
        from portal.accounts.signals import person_blocked, person_leaving  # models are not there before
        from portal.friends import parting

        person_blocked.connect(parting.part)
        person_leaving.connect(parting.leave)
