"""URLs of the API, its schema and its pages."""

from django.urls import path

from portal.tables import api, api_docs, api_play

urlpatterns = [
    path("v1/token/", api.TokenView.as_view(), name="api-token"),
    path("v1/games/", api.GamesView.as_view(), name="api-games"),
    path("v1/tables/", api.TableListView.as_view(), name="api-tables"),
    path("v1/tables/<int:pk>/", api.TableView.as_view(), name="api-table"),
    path("v1/tables/<int:pk>/log/", api_play.LogView.as_view(), name="api-log"),
    path("v1/tables/<int:pk>/join/", api.JoinView.as_view(), name="api-join"),
    path("v1/tables/<int:pk>/come-back/", api.ComeBackView.as_view(), name="api-come-back"),
    path("v1/tables/<int:pk>/leave/", api.LeaveView.as_view(), name="api-leave"),
    path("v1/tables/<int:pk>/start/", api.StartView.as_view(), name="api-start"),
    path("v1/tables/<int:pk>/actions/", api_play.ActionView.as_view(), name="api-act"),
    path("v1/tables/<int:pk>/undo/", api_play.UndoView.as_view(), name="api-undo"),
    path("v1/tables/<int:pk>/redo/", api_play.RedoView.as_view(), name="api-redo"),
    path("v1/tables/<int:pk>/order/", api_play.OrderView.as_view(), name="api-order"),
    path("v1/tables/<int:pk>/stream/", api_play.StreamView.as_view(), name="api-stream"),
    path("v1/tables/<int:pk>/record/", api_play.RecordView.as_view(), name="api-record"),
    path("schema/", api_docs.Schema.as_view(), name="api-schema"),
    path("docs/", api_docs.docs, name="api-docs"),
    path("docs/try/", api_docs.TryOut.as_view(url_name="api-schema"), name="api-try"),
]
