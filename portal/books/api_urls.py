"""URLs of the rule books in the API."""

from django.urls import path

from portal.books import api, games_api

urlpatterns = [
    path("books/", api.BooksView.as_view(), name="api-books"),
    path("books/search/", api.SearchView.as_view(), name="api-search-books"),
    path("books/<str:game>/", api.BookView.as_view(), name="api-book"),
    path("books/<str:game>/chapters/<str:chapter>/", api.ChapterView.as_view(), name="api-chapter"),
    path("books/<str:game>/paragraphs/<str:paragraph>/", api.ParagraphView.as_view(), name="api-paragraph"),
    path("books/<str:game>/examples/", api.ExamplesView.as_view(), name="api-examples"),
    path("books/<str:game>/examples/<str:example>/", api.ExampleView.as_view(), name="api-example"),
    path("books/<str:game>/glossary/", api.GlossaryView.as_view(), name="api-glossary"),
    path("books/<str:game>/glossary/<str:term>/", api.EntryView.as_view(), name="api-glossary-entry"),
    path("books/<str:game>/aid/", api.AidView.as_view(), name="api-aid"),
    path("games/<str:game>/grammar/", games_api.GrammarView.as_view(), name="api-grammar"),
    path("games/<str:game>/schema/", games_api.SchemaView.as_view(), name="api-game-schema"),
    path("games/<str:game>/positions/", games_api.PositionsView.as_view(), name="api-positions"),
    path("games/<str:game>/positions/<str:position>/", games_api.PositionView.as_view(), name="api-position"),
]
