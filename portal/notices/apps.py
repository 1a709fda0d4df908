from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in, user_logged_out


class NoticesConfig(AppConfig):
    name = "portal.notices"
    label = "notices"

    def ready(self) -> None:
        from portal.accounts.signals import mail_leaving, mail_refused, mail_sent, person_forgotten
        from portal.notices import device_views, forgetting, mailing  # models are not there before
        from portal.notices.unread import recount_at_sign_in

        user_logged_in.connect(recount_at_sign_in, dispatch_uid="unread notices")
        mail_leaving.connect(mailing.is_wanted, dispatch_uid="notices")
        mail_sent.connect(mailing.mark_sent, dispatch_uid="notices")
        mail_refused.connect(mailing.switch_off, dispatch_uid="notices")
        person_forgotten.connect(forgetting.forget_name, dispatch_uid="notices")
        user_logged_out.connect(device_views.forget_device, dispatch_uid="notices")
