"""URLs of the pages that draw on every part of the portal."""

from __future__ import annotations

from django.urls import path

from portal.site import export_views, metrics, news, pages, report_views, status, views

urlpatterns = [
    path("", views.home, name="home"),
    path("people/<str:username>/", views.profile, name="profile"),
    path("report/people/<str:username>/", report_views.report_person, name="report-person"),
    path("report/studies/<int:pk>/", report_views.report_study, name="report-study"),
    path("report/studies/<int:pk>/<int:number>/", report_views.report_study, name="report-comment"),
    path("clubs/<slug:slug>/", views.club, name="club"),
    path("settings/export/", export_views.export, name="export"),
    path("news/", news.news, name="news"),
    path("news/<int:pk>/dismiss/", news.dismiss, name="dismiss-news"),
    path("status/", status.status, name="status"),
    path("about/", pages.about, name="about"),
    path("help/", pages.help_page, name="help"),
    path("privacy/", pages.privacy, name="privacy"),
    path("terms/", pages.terms, name="terms"),
    path("contact/", pages.contact, name="contact"),
    path(".well-known/security.txt", pages.security, name="security"),
    path("metrics", metrics.metrics, name="metrics"),
    path("robots.txt", views.robots, name="robots"),
]
