"""URLs of the archives."""

from django.urls import path

from portal.archives import views

urlpatterns = [
    path("archives/", views.archives, name="archives"),
    path("archives/files/<str:game>/<str:name>", views.file, name="archive-file"),
    path("archives/<str:game>/", views.figures, name="archive-figures"),
    path("archives/<str:game>/<str:kind>.csv", views.download, name="archive-csv"),
]
