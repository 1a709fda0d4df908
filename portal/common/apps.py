from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "portal.common"
    label = "common"

    def ready(self) -> None:
        from portal.common import working  # noqa: F401 - connects to the signals of workers
