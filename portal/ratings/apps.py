from django.apps import AppConfig


class RatingsConfig(AppConfig):
    name = "portal.ratings"
    label = "ratings"

    def ready(self) -> None:
        from portal.accounts.deleting import KEPT
        from portal.ratings.near import near  # models are not there before
        from portal.ratings.services import apply_missed
        from portal.tables.near import register
        from portal.tables.signals import reconciled

        register(near)
        reconciled.connect(apply_missed)
        KEPT.update({"ratings.Rating", "ratings.Tally", "ratings.Meeting"})  # what others won or lost against
