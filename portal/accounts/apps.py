from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "portal.accounts"
    label = "accounts"

    def ready(self) -> None:
        from django.contrib import admin

        from portal.accounts import addresses, second_factor, sign_ins  # noqa: F401 (their receivers; models are not there before)
        from portal.accounts.second_factor_views import StaffSignIn

        admin.site.login_form = StaffSignIn
