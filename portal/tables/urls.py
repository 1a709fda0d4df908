"""Addresses of the tables; those of the site round them stand in site_urls.py."""

from django.urls import path

from portal.tables import practice_views, record_views, site_urls, views

table_urlpatterns = [
    path("tables/<int:pk>/", views.table, name="table"),
    path("tables/<int:pk>/region/", views.region, name="table-region"),
    path("tables/<int:pk>/log/", views.log, name="table-log"),
    path("tables/<int:pk>/act/", views.act, name="table-act"),
    path("tables/<int:pk>/undo/", views.undo, name="table-undo"),
    path("tables/<int:pk>/redo/", views.redo, name="table-redo"),
    path("tables/<int:pk>/order/", views.order, name="table-order"),
    path("tables/<int:pk>/join/", views.join, name="table-join"),
    path("tables/<int:pk>/leave/", views.leave, name="table-leave"),
    path("tables/<int:pk>/start/", views.start, name="table-start"),
    path("tables/<int:pk>/add-bot/", views.add_bot, name="table-add-bot"),
    path("tables/<int:pk>/remove-bot/", views.remove_bot, name="table-remove-bot"),
    path("tables/<int:pk>/record/", record_views.table_record, name="table-record"),
    path("practice/<slug:game>/<slug:example>/", practice_views.practice, name="practice"),
    path("verify/", record_views.verify, name="verify"),
]
urlpatterns = [*table_urlpatterns, *site_urls.urlpatterns]
