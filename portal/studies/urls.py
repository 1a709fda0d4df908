"""URLs of studies."""

from django.urls import path

from portal.studies import list_views, share_views, views

urlpatterns = [
    path("studies/", list_views.studies, name="studies"),
    path("studies/new/", list_views.new_set_up, name="study-new-set-up"),
    path("studies/link/<str:code>/", share_views.by_link, name="study-by-link"),
    path("tables/<int:pk>/studies/new/", list_views.new, name="study-new"),
    path("studies/<int:pk>/", views.study, name="study"),
    path("studies/<int:pk>/<int:number>/", views.study, name="study-move"),
    path("studies/<int:pk>/<int:number>/as/<int:seat>/", views.study, name="study-as"),
    path("studies/<int:pk>/<int:number>/play/", views.play, name="study-play"),
    path("studies/<int:pk>/<int:number>/bot/", views.bot, name="study-bot"),
    path("studies/<int:pk>/<int:number>/comment/", views.comment, name="study-comment"),
    path("studies/<int:pk>/<int:number>/line/", views.line, name="study-line"),
    path("studies/<int:pk>/settings/", share_views.share, name="study-settings"),
]
