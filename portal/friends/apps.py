from django.apps import AppConfig


class FriendsConfig(AppConfig):
    name = "portal.friends"
    label = "friends"

    def ready(self) -> None:
        from portal.accounts.signals import person_blocked, person_leaving  # models are not there before
        from portal.friends import parting
        from portal.friends.answering import asked
        from portal.notices.answering import FINDERS
        from portal.notices.models import Kind

        person_blocked.connect(parting.part)
        person_leaving.connect(parting.leave)
        FINDERS[Kind.FRIEND, "asked"] = asked
