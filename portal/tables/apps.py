from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "portal.tables"
    label = "tables"

    def ready(self) -> None:
        from portal.accounts.signals import (  # models are not there before
            person_blocked,
            person_forgotten,
            person_leaving,
            rest_changed,
            rest_changing,
        )
        from portal.clubs.signals import club_closing, member_gone
        from portal.notices.answering import FINDERS as INVITATIONS
        from portal.notices.models import Kind
        from portal.tables import answering, citations, inviting, leaving, standstill, telling
        from portal.tables.signals import invitation_changed
        from rules_docs.when import FINDERS

        person_leaving.connect(leaving.leave_all)
        person_forgotten.connect(leaving.forget_name)
        person_blocked.connect(inviting.decline_blocked)
        rest_changing.connect(standstill.charge_all)
        rest_changed.connect(standstill.set_alarms_of)
        invitation_changed.connect(telling.tell_invitation)
        member_gone.connect(leaving.give_back_seats)
        club_closing.connect(leaving.close_tables)
        INVITATIONS[Kind.INVITATION, "invited"] = answering.asked
        FINDERS.append(citations.positions)
