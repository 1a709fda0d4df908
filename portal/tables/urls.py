"""URLs of the tables and the lobby."""

from django.urls import path

from portal.tables import club_views, how_views, learn_views, lobby_views, practice_views, record_views, replay_views, study_views, views

urlpatterns = [
    path("play/<str:game>/", lobby_views.play_now, name="play-now"),
    path("games/<str:game>/how/", how_views.how, name="how"),
    path("games/<str:game>/how/steps/", how_views.steps, name="how-steps"),
    path("games/<str:game>/board/", how_views.board, name="how-board"),
    path("games/<str:game>/learn/", learn_views.learn, name="learn"),
    path("games/<str:game>/learn/parts.css", learn_views.parts, name="learn-parts"),
    path("games/<str:game>/learn/start/", learn_views.start, name="learn-start"),
    path("lobby/", lobby_views.lobby, name="lobby"),
    path("lobby/<int:pk>/join/", lobby_views.lobby_join, name="lobby-join"),
    path("clubs/<slug:slug>/tables/", club_views.club_tables, name="club-tables"),
    path("clubs/<slug:slug>/games/", club_views.club_games, name="club-games"),
    path("tables/new/", lobby_views.new_table, name="table-new"),
    path("tables/<int:pk>/", views.table, name="table"),
    path("tables/<int:pk>/region/", views.region, name="table-region"),
    path("tables/<int:pk>/reel/", views.reel, name="table-reel"),
    path("tables/<int:pk>/choices/", views.choices, name="table-choices"),
    path("tables/<int:pk>/log/", views.log, name="table-log"),
    path("tables/<int:pk>/replay/", replay_views.replay, name="table-replay"),
    path("tables/<int:pk>/replay/steps/", replay_views.steps, name="table-replay-steps"),
    path("tables/<int:pk>/study/", study_views.study, name="table-study"),
    path("tables/<int:pk>/act/", views.act, name="table-act"),
    path("tables/<int:pk>/undo/", views.undo, name="table-undo"),
    path("tables/<int:pk>/redo/", views.redo, name="table-redo"),
    path("tables/<int:pk>/order/", views.order, name="table-order"),
    path("tables/<int:pk>/join/", views.join, name="table-join"),
    path("tables/<int:pk>/play-on/", learn_views.on, name="table-play-on"),
    path("tables/<int:pk>/leave/", views.leave, name="table-leave"),
    path("tables/<int:pk>/start/", views.start, name="table-start"),
    path("tables/<int:pk>/add-bot/", views.add_bot, name="table-add-bot"),
    path("tables/<int:pk>/remove-bot/", views.remove_bot, name="table-remove-bot"),
    path("tables/<int:pk>/record/", record_views.table_record, name="table-record"),
    path("practice/<slug:game>/<slug:example>/", practice_views.practice, name="practice"),
    path("verify/", record_views.verify, name="verify"),
]
