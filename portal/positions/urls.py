"""URLs of the editor of positions, and of what other sites embed."""

from django.urls import path

from portal.positions import editor_views, embed_views, picture_views

urlpatterns = [
    path("positions/", editor_views.editors, name="position-editors"),
    path("positions/<str:game>/", editor_views.editor, name="position-editor"),
    path("embed/tables/<int:pk>/", embed_views.table, name="embed-table"),
    path("embed/tables/<int:pk>/steps/", embed_views.steps, name="embed-steps"),
    path("embed/positions/<str:game>/", embed_views.position, name="embed-position"),
    path("pictures/tables/<int:pk>.<str:form>", picture_views.table, name="picture-table"),
    path("pictures/positions/<str:game>.<str:form>", picture_views.position, name="picture-position"),
    path("oembed/", embed_views.oembed, name="oembed"),
]
