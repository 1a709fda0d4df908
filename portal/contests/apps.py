from django.apps import AppConfig


class ContestsConfig(AppConfig):
    name = "portal.contests"
    label = "contests"

    def ready(self) -> None:
        from portal.accounts.signals import person_forgotten
        from portal.contests.forgetting import forget_name
        from portal.contests.results import PointsCheck, clear_points, write_points  # models are not there before
        from portal.ratings.followers import FOLLOWERS, Follower

        person_forgotten.connect(forget_name, dispatch_uid="contests")
        FOLLOWERS.append(Follower(write=write_points, clear=clear_points, check=PointsCheck))
