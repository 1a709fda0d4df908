from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class ClubsConfig(AppConfig):
    name = "portal.clubs"
    label = "clubs"

    def ready(self) -> None:
        from portal.accounts.signals import person_blocked, person_leaving
        from portal.clubs.answering import asked
        from portal.clubs.members import leave_all
        from portal.clubs.waiting import forget_blocked, recount_at_sign_in  # models are not there before
        from portal.notices.answering import FINDERS
        from portal.notices.models import Kind

        user_logged_in.connect(recount_at_sign_in, dispatch_uid="club invitations")
        person_blocked.connect(forget_blocked, dispatch_uid="club invitations")
        person_leaving.connect(leave_all, dispatch_uid="clubs")
        FINDERS[Kind.CLUB, "invited"] = asked
