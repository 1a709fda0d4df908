from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "portal.common"
    label = "common"

    def ready(self) -> None:
        from portal.common import sessions, working  # noqa: F401 - they connect to signals
