"""URLs of people and friends in the API."""

from django.urls import path

from portal.people import api, friends_api

urlpatterns = [
    path("me/", api.MeView.as_view(), name="api-me"),
    path("people/", api.PeopleView.as_view(), name="api-people"),
    path("people/<str:username>/", api.PersonView.as_view(), name="api-person"),
    path("people/<str:username>/games/", api.GamesView.as_view(), name="api-person-games"),
    path("people/<str:username>/against/<str:other>/", api.AgainstView.as_view(), name="api-against"),
    path("friends/", friends_api.FriendsView.as_view(), name="api-friends"),
    path("friends/<str:username>/", friends_api.FriendView.as_view(), name="api-friend"),
    path("friends/<str:username>/accept/", friends_api.AcceptView.as_view(), name="api-friend-accept"),
    path("friends/<str:username>/decline/", friends_api.DeclineView.as_view(), name="api-friend-decline"),
    path("friends/<str:username>/withdraw/", friends_api.WithdrawView.as_view(), name="api-friend-withdraw"),
]
