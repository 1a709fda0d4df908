"""URLs of the chat at tables."""

from django.urls import path

from portal.talk import report_views, views

urlpatterns = [
    path("tables/<int:pk>/talk/", views.talk, name="table-talk"),
    path("tables/<int:pk>/talk/lines/", views.lines, name="table-talk-lines"),
    path("tables/<int:pk>/talk/unread/", views.unread, name="table-talk-unread"),
    path("tables/<int:pk>/talk/watching/", views.watching, name="table-talk-watching"),
    path("tables/<int:pk>/talk/say/", views.say, name="table-talk-say"),
    path("tables/<int:pk>/talk/mute/", views.mute, name="table-talk-mute"),
    path("tables/<int:pk>/talk/note/", views.note, name="table-talk-note"),
    path("tables/<int:pk>/talk/<int:line>/", report_views.report, name="table-talk-line"),
]
