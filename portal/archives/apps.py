from django.apps import AppConfig


class ArchivesConfig(AppConfig):
    name = "portal.archives"
    label = "archives"

    def ready(self) -> None:
        from portal.accounts.signals import person_forgotten  # models are not there before
        from portal.archives.renewing import forget_name

        person_forgotten.connect(forget_name)
