from django.apps import AppConfig


class StudiesConfig(AppConfig):
    name = "portal.studies"
    label = "studies"

    def ready(self) -> None:
        from portal.accounts.signals import person_blocked, person_leaving  # models are not there before
        from portal.clubs.signals import club_closing, member_gone
        from portal.studies import leaving

        person_leaving.connect(leaving.forget)
        person_blocked.connect(leaving.part)
        member_gone.connect(leaving.leave_club)
        club_closing.connect(leaving.close_club)
