"""URLs of accounts: sign-in and the like, settings, language and theme."""

from django.urls import include, path, re_path

from portal.accounts import account_views, block_views, guessing, rest_views, views

urlpatterns = [
    path("accounts/login/", views.sign_in, name="account_login"),
    path("accounts/signup/", views.sign_up, name="account_signup"),
    path("accounts/logout/", views.sign_out, name="account_logout"),
    path("accounts/password/change/", views.change_password, name="account_change_password"),
    path("accounts/password/set/", views.set_password, name="account_set_password"),
    path("accounts/email/", views.change_email, name="account_email"),
    re_path(r"^accounts/confirm-email/(?P<key>[-:\w]+)/$", guessing.ConfirmAddress.as_view(), name="account_confirm_email"),
    re_path(
        r"^accounts/password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        guessing.ResetPassword.as_view(),
        name="account_reset_password_from_key",
    ),
    path("accounts/", include("allauth.account.urls")),
    path("settings/", views.settings_page, name="settings"),
    path("settings/rest/", rest_views.quiet, name="rest"),
    path("settings/rest/vacation/", rest_views.vacation, name="vacation"),
    path("settings/people/", block_views.people, name="blocks"),
    path("people/<str:username>/block/", block_views.block, name="block"),
    path("preferences/", views.preferences, name="preferences"),
    path("settings/token/", views.token, name="settings-token"),
    path("settings/sign-ins/", account_views.sign_ins_page, name="sign-ins"),
    path("settings/delete/", account_views.delete_account, name="delete-account"),
    path("settings/delete-guest/", views.delete_guest, name="delete-guest"),
    path("language/", views.set_language, name="set-language"),
    path("theme/", views.set_theme, name="set-theme"),
]
