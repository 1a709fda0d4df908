from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class NoticesConfig(AppConfig):
    name = "portal.notices"
    label = "notices"

    def ready(self) -> None:
        from portal.notices.unread import recount_at_sign_in  # models are not there before

        user_logged_in.connect(recount_at_sign_in, dispatch_uid="unread notices")
