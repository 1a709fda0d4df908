"""URLs of the notices."""

from django.urls import path

from portal.notices import device_views, settings_views, views

urlpatterns = [
    path("notices/", views.notices, name="notices"),
    path("notices/panel/", views.panel, name="notices-panel"),
    path("notices/read/", views.read, name="notices-read"),
    path("notices/unread/", views.unread_number, name="notices-unread"),
    path("notices/settings/", settings_views.notice_settings, name="notices-settings"),
    path("notices/settings/hook/", settings_views.hook, name="notices-hook"),
    path("notices/settings/test/", settings_views.test, name="notices-test"),
    path("notices/settings/mail/", settings_views.mail_again, name="notices-mail"),
    path("notices/settings/device/", device_views.device, name="notices-device"),
    path("notices/worker.js", device_views.worker, name="notices-worker"),
    path("site.webmanifest", device_views.manifest, name="manifest"),
    path("notices/stop/<str:token>/", settings_views.stop, name="notices-stop"),
    path("notices/<int:pk>/", views.open_notice, name="notice"),
]
