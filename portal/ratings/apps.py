from django.apps import AppConfig


class RatingsConfig(AppConfig):
    name = "portal.ratings"
    label = "ratings"

    def ready(self) -> None:
        from portal.accounts.deleting import KEPT
        from portal.ratings.services import apply_missed  # models are not there before
        from portal.tables.signals import reconciled

        reconciled.connect(apply_missed)
        KEPT.update({"ratings.Rating", "ratings.Tally", "ratings.Meeting"})  # what others won or lost against
