from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "portal.common"
    label = "common"

    def ready(self) -> None:
        from portal.common import spent, tracking, working  # noqa: F401 - connect to the signals of connections, tasks and workers
