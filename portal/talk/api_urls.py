"""URLs of the chat in the API."""

from django.urls import path

from portal.talk import api

urlpatterns = [
    path("tables/<int:pk>/chat/", api.ChatView.as_view(), name="api-chat"),
    path("tables/<int:pk>/chat/read/", api.ReadView.as_view(), name="api-chat-read"),
    path("tables/<int:pk>/chat/lines/<int:line>/report/", api.ReportView.as_view(), name="api-chat-report"),
    path("tables/<int:pk>/chat/<str:room>/", api.RoomView.as_view(), name="api-chat-room"),
    path("tables/<int:pk>/spectators/", api.SpectatorsView.as_view(), name="api-spectators"),
    path("tables/<int:pk>/note/", api.NoteView.as_view(), name="api-note"),
]
