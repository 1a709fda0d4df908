"""URLs of the notices."""

from django.urls import path

from portal.notices import views

urlpatterns = [
    path("notices/", views.notices, name="notices"),
    path("notices/read/", views.read, name="notices-read"),
    path("notices/unread/", views.unread_number, name="notices-unread"),
    path("notices/<int:pk>/", views.open_notice, name="notice"),
]
