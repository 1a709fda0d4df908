"""URLs of searches for a table."""

from django.urls import path

from portal.matching import views

urlpatterns = [
    path("find/", views.find, name="find"),
    path("find/look/", views.look, name="find-look"),
    path("find/stop/", views.stop, name="find-stop"),
]
