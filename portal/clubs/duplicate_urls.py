"""Addresses of the duplicate sets of a club."""

from __future__ import annotations

from django.urls import path

from portal.clubs import duplicate_views

urlpatterns = [
    path("clubs/<slug:slug>/duplicates/", duplicate_views.sets, name="club-duplicates"),
    path("clubs/<slug:slug>/duplicates/new/", duplicate_views.set_new, name="club-duplicate-new"),
    path("clubs/<slug:slug>/duplicates/<int:pk>/", duplicate_views.duplicate, name="club-duplicate"),
    path("clubs/<slug:slug>/duplicates/<int:pk>/sit/", duplicate_views.sit, name="club-duplicate-sit"),
    path("clubs/<slug:slug>/duplicates/<int:pk>/start/", duplicate_views.start, name="club-duplicate-start"),
    path("clubs/<slug:slug>/duplicates/<int:pk>/close/", duplicate_views.close, name="club-duplicate-close"),
    path("clubs/<slug:slug>/duplicates/<int:pk>/end/", duplicate_views.end, name="club-duplicate-end"),
]
