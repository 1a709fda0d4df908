from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class ClubsConfig(AppConfig):
    name = "portal.clubs"
    label = "clubs"

    def ready(self) -> None:
        from portal.clubs.waiting import recount_at_sign_in  # models are not there before

        user_logged_in.connect(recount_at_sign_in, dispatch_uid="club invitations")
