"""URLs of studies in the API."""

from django.urls import path

from portal.studies import api

urlpatterns = [
    path("studies/", api.StudyListView.as_view(), name="api-studies"),
    path("studies/set-up/", api.SetUpView.as_view(), name="api-studies-set-up"),
    path("studies/link/<str:code>/", api.ByLinkView.as_view(), name="api-study-link"),
    path("studies/<int:pk>/", api.StudyView.as_view(), name="api-study"),
    path("studies/<int:pk>/positions/<int:number>/", api.PositionView.as_view(), name="api-study-position"),
    path("studies/<int:pk>/moves/", api.MovesView.as_view(), name="api-study-moves"),
    path("studies/<int:pk>/moves/<int:number>/", api.MoveView.as_view(), name="api-study-move"),
    path("studies/<int:pk>/moves/<int:number>/draw/", api.DrawView.as_view(), name="api-study-draw"),
    path("studies/<int:pk>/moves/<int:number>/promote/", api.PromoteView.as_view(), name="api-study-promote"),
    path("studies/<int:pk>/bots/", api.BotsView.as_view(), name="api-study-bots"),
    path("studies/<int:pk>/people/", api.PeopleView.as_view(), name="api-study-people"),
    path("studies/<int:pk>/people/<str:username>/", api.PersonView.as_view(), name="api-study-person"),
    path("studies/<int:pk>/link/", api.LinkView.as_view(), name="api-study-new-link"),
]
