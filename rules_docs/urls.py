"""URLs of the rule books: language first, English slugs everywhere."""

from django.urls import path, register_converter

from rules_docs import views


class LanguageCode:
    """Two lower-case letters; the view checks whether there is such a language, and answers with a helpful page."""

    regex = "[a-z]{2}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(LanguageCode, "language")

app_name = "rules"
urlpatterns = [
    path("<language:lang>/rules/", views.shelf, name="shelf"),
    path("<language:lang>/rules/search/", views.search, name="search"),
    path("<language:lang>/rules/<slug:game>/", views.book, name="book"),
    path("<language:lang>/rules/<slug:game>/p/<slug:anchor>/", views.paragraph, name="paragraph"),
    path("<language:lang>/rules/<slug:game>/<slug:chapter>/", views.chapter, name="chapter"),
]
