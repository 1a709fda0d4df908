"""URLs of profiles, and of finding people."""

from django.urls import path

from portal.people import finding_views, views

urlpatterns = [
    path("settings/profile/", views.edit, name="edit-profile"),  # `portal.live.mux` lets a picture through at this address
    path("people/", finding_views.find, name="find-people"),
    path("people/<str:username>/games/", finding_views.games, name="person-games"),
    path("pictures/<str:digest>.webp", views.picture, name="picture"),
]
