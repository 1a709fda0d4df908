"""URLs of accounts: sign-in and the like, settings, language and theme."""

from django.urls import include, path, re_path
from django.views.generic import RedirectView

from portal.accounts import account_views, block_views, guessing, oauth_views, rest_views, token_views, views
from portal.accounts import second_factor_views as second

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
    path("accounts/two-factor/", second.index, name="mfa_index"),
    path("accounts/two-factor/code/", second.challenge, name="mfa_authenticate"),
    path("accounts/two-factor/again/", second.again, name="mfa_reauthenticate"),
    path("accounts/two-factor/app/", second.add_app, name="mfa_activate_totp"),
    path("accounts/two-factor/app/remove/", second.remove_app, name="mfa_deactivate_totp"),
    path("accounts/two-factor/recovery-codes/", second.codes, name="mfa_view_recovery_codes"),
    path("accounts/two-factor/recovery-codes/new/", second.new_codes, name="mfa_generate_recovery_codes"),
    path("accounts/two-factor/recovery-codes/file/", second.download_codes, name="mfa_download_recovery_codes"),
    path("accounts/two-factor/passkeys/", RedirectView.as_view(pattern_name="mfa_index"), name="mfa_list_webauthn"),
    path("accounts/two-factor/passkeys/add/", second.add_passkey, name="mfa_add_webauthn"),
    path("accounts/two-factor/passkeys/again/", second.passkey_again, name="mfa_reauthenticate_webauthn"),
    path("accounts/two-factor/passkeys/<int:pk>/", second.rename_passkey, name="mfa_edit_webauthn"),
    path("accounts/two-factor/passkeys/<int:pk>/remove/", second.remove_passkey, name="mfa_remove_webauthn"),
    path("accounts/passkey/", second.passkey_sign_in, name="mfa_login_webauthn"),
    path("accounts/", include("allauth.account.urls")),
    path("settings/", views.settings_page, name="settings"),
    path("settings/rest/", rest_views.quiet, name="rest"),
    path("settings/rest/vacation/", rest_views.vacation, name="vacation"),
    path("settings/people/", block_views.people, name="blocks"),
    path("people/<str:username>/block/", block_views.block, name="block"),
    path("preferences/", views.preferences, name="preferences"),
    path("settings/applications/", oauth_views.apps_page, name="applications"),
    path(".well-known/oauth-authorization-server", oauth_views.metadata, name="oauth-metadata"),
    path("oauth/authorize/", oauth_views.authorize, name="oauth-authorize"),
    path("oauth/token/", oauth_views.token, name="oauth-token"),
    path("oauth/revoke/", oauth_views.revoke_token, name="oauth-revoke"),
    path("settings/tokens/", token_views.tokens_page, name="tokens"),
    path("settings/sign-ins/", account_views.sign_ins_page, name="sign-ins"),
    path("settings/delete/", account_views.delete_account, name="delete-account"),
    path("settings/delete-guest/", views.delete_guest, name="delete-guest"),
    path("language/", views.set_language, name="set-language"),
    path("theme/", views.set_theme, name="set-theme"),
]
