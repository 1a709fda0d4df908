from django.apps import AppConfig


class ContestsConfig(AppConfig):
    name = "portal.contests"
    label = "contests"

    def ready(self) -> None:
        from portal.contests.results import PointsCheck, clear_points, write_points  # models are not there before
        from portal.ratings.followers import FOLLOWERS, Follower

        FOLLOWERS.append(Follower(write=write_points, clear=clear_points, check=PointsCheck))
