"""URLs of the rule books: language first, English slugs everywhere."""

from django.urls import path, register_converter

from rules_docs import grammar, offline, sitemap, views, whole


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
    path("sitemap.xml", sitemap.sitemap, name="sitemap"),
    path("sw.js", offline.worker, name="worker"),
    path("<language:lang>/rules/", views.shelf, name="shelf"),
    path("<language:lang>/rules/search/", views.search, name="search"),
    path("<language:lang>/rules/glossary/", views.glossary, name="glossary"),
    path("<language:lang>/rules/offline/", offline.offline, name="offline"),
    path("<language:lang>/rules/<slug:game>/", views.book, name="book"),
    path("<language:lang>/rules/<slug:game>/whole/", whole.whole, name="whole"),
    path("<language:lang>/rules/<slug:game>/whole/file/", whole.take, name="take"),
    path("<language:lang>/rules/<slug:game>/p/<slug:anchor>/", views.paragraph, name="paragraph"),
    path("<language:lang>/rules/<slug:game>/when/<slug:anchor>/", views.when, name="when"),
    path("<language:lang>/rules/<slug:game>/grammar/", grammar.grammar, name="grammar"),
    path("<language:lang>/rules/<slug:game>/aid/", views.aid, name="aid"),
    path("<language:lang>/rules/<slug:game>/glossary/", views.glossary_of, name="glossary_of"),
    path("<language:lang>/rules/<slug:game>/glossary/<slug:term>/", views.term, name="term"),
    path("<language:lang>/rules/<slug:game>/<slug:chapter>/", views.chapter, name="chapter"),
]
