from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "portal.accounts"
    label = "accounts"

    def ready(self) -> None:
        from portal.accounts import addresses, sign_ins  # noqa: F401 (their receivers; models are not there before)
