"""URLs of profiles, of finding people, and of friends."""

from django.urls import path

from portal.people import finding_views, friends_views, views

urlpatterns = [
    path("settings/profile/", views.edit, name="edit-profile"),  # `portal.live.mux` lets a picture through at this address
    path("people/", finding_views.find, name="find-people"),
    path("friends/", friends_views.friends, name="friends"),
    path("friends/presence/", friends_views.presence, name="friends-presence"),
    path("people/<str:username>/friend/", friends_views.friend, name="friend"),
    path("people/<str:username>/games/", finding_views.games, name="person-games"),
    path("pictures/<str:digest>.webp", views.picture, name="picture"),
]
