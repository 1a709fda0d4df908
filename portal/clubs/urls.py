"""URLs of the clubs."""

from __future__ import annotations

from django.urls import path

from portal.clubs import entry_views, member_views, settings_views, views

urlpatterns = [
    path("clubs/", views.clubs, name="clubs"),
    path("clubs/new/", entry_views.club_new, name="club-new"),
    path("clubs/join/<slug:code>/", entry_views.join_by_link, name="club-join-link"),
    path("clubs/invitations/<int:pk>/", entry_views.invitation, name="club-invitation"),
    path("clubs/<slug:slug>/join/", entry_views.join, name="club-join"),
    path("clubs/<slug:slug>/ask/", entry_views.ask, name="club-ask"),
    path("clubs/<slug:slug>/withdraw/", entry_views.withdraw_request, name="club-withdraw"),
    path("clubs/<slug:slug>/leave/", entry_views.leave, name="club-leave"),
    path("clubs/<slug:slug>/log/", views.club_log, name="club-log"),
    path("clubs/<slug:slug>/members/", views.club_members, name="club-members"),
    path("clubs/<slug:slug>/members/invite/", member_views.invite, name="club-invite"),
    path("clubs/<slug:slug>/members/ban/", member_views.ban, name="club-ban"),
    path("clubs/<slug:slug>/members/<int:pk>/remove/", member_views.remove, name="club-remove"),
    path("clubs/<slug:slug>/members/<int:pk>/role/", member_views.set_role, name="club-role"),
    path("clubs/<slug:slug>/requests/<int:pk>/", member_views.decide, name="club-decide"),
    path("clubs/<slug:slug>/invitations/<int:pk>/withdraw/", member_views.withdraw_invitation, name="club-invitation-withdraw"),
    path("clubs/<slug:slug>/bans/<int:pk>/lift/", member_views.lift_ban, name="club-ban-lift"),
    path("clubs/<slug:slug>/announcements/", views.club_announcements, name="club-announcements"),
    path("clubs/<slug:slug>/announcements/new/", settings_views.announce, name="club-announce"),
    path("clubs/<slug:slug>/announcements/<int:pk>/", settings_views.announcement, name="club-announcement"),
    path("clubs/<slug:slug>/calendar/", views.club_calendar, name="club-calendar"),
    path("clubs/<slug:slug>/calendar.ics", views.club_ics, name="club-ics"),
    path("clubs/<slug:slug>/calendar/new/", settings_views.evening_new, name="club-evening-new"),
    path("clubs/<slug:slug>/calendar/<int:pk>/", settings_views.evening, name="club-evening"),
    path("clubs/<slug:slug>/calendar/<int:pk>/call-off/", settings_views.call_off, name="club-evening-call-off"),
    path("clubs/<slug:slug>/calendar/<int:pk>/answer/", settings_views.answer, name="club-evening-answer"),
    path("clubs/<slug:slug>/settings/", settings_views.club_settings, name="club-settings"),
    path("clubs/<slug:slug>/settings/texts/", settings_views.texts, name="club-texts"),
    path("clubs/<slug:slug>/settings/rules/", settings_views.owner_settings, name="club-owner-settings"),
    path("clubs/<slug:slug>/settings/link/", settings_views.renew_link, name="club-link"),
    path("clubs/<slug:slug>/settings/hand-over/", settings_views.hand_over, name="club-hand-over"),
    path("clubs/<slug:slug>/settings/close/", settings_views.close, name="club-close"),
]
