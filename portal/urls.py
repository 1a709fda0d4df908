"""All URLs of the site. Each app has its own list."""

from django.contrib import admin
from django.urls import include, path

from portal.common.health import healthz, readyz

API_APPS = (
    "accounts",
    "archives",
    "books",
    "bots",
    "clubs",
    "contests",
    "matches",
    "matching",
    "notices",
    "people",
    "ratings",
    "studies",
    "talk",
)  # and the tables, with the docs

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("", include("portal.accounts.urls")),
    path("", include("portal.notices.urls")),
    path("", include("portal.clubs.urls")),
    path("", include("portal.tables.urls")),
    path("", include("portal.talk.urls")),
    path("", include("portal.studies.urls")),
    path("", include("portal.positions.urls")),
    path("", include("portal.people.urls")),  # before the pages of a person in a game
    path("", include("portal.ratings.urls")),
    path("", include("portal.contests.urls")),
    path("", include("portal.archives.urls")),
    path("", include("portal.matching.urls")),
    path("", include("portal.site.urls")),
    path("api/", include("portal.tables.api_urls")),
    *(path("api/v1/", include(f"portal.{app}.api_urls")) for app in API_APPS),
    path("admin/", admin.site.urls),
    path("", include("rules_docs.urls")),
]

handler400 = "portal.common.errors.bad_request"
handler403 = "portal.common.errors.permission_denied"
handler404 = "portal.common.errors.page_not_found"
handler429 = "portal.accounts.guessing.too_many_attempts"  # allauth asks for it
handler500 = "portal.common.errors.server_error"
