from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "portal.tables"
    label = "tables"

    def ready(self) -> None:
        from portal.accounts.signals import guest_leaving  # models are not there before
        from portal.clubs.signals import club_closing, member_gone
        from portal.tables import citations, leaving
        from rules_docs.when import FINDERS

        guest_leaving.connect(leaving.leave_all)
        member_gone.connect(leaving.give_back_seats)
        club_closing.connect(leaving.close_tables)
        FINDERS.append(citations.positions)
