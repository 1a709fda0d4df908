"""URLs of clubs in the API."""

from django.urls import path

from portal.clubs import api, calendar_api, people_api

urlpatterns = [
    path("clubs/", api.ClubListView.as_view(), name="api-clubs"),
    path("clubs/invitations/", people_api.InvitationsView.as_view(), name="api-club-invitations"),
    path("clubs/invitations/<int:pk>/accept/", people_api.AcceptInvitationView.as_view(), name="api-club-invitation-accept"),
    path("clubs/invitations/<int:pk>/decline/", people_api.DeclineInvitationView.as_view(), name="api-club-invitation-decline"),
    path("clubs/join/<str:code>/", api.JoinByLinkView.as_view(), name="api-club-link"),
    path("clubs/<slug:slug>/", api.ClubView.as_view(), name="api-club"),
    path("clubs/<slug:slug>/close/", api.CloseView.as_view(), name="api-club-close"),
    path("clubs/<slug:slug>/link/", api.LinkView.as_view(), name="api-club-new-link"),
    path("clubs/<slug:slug>/join/", api.JoinView.as_view(), name="api-club-join"),
    path("clubs/<slug:slug>/ask/", api.AskView.as_view(), name="api-club-ask"),
    path("clubs/<slug:slug>/withdraw/", api.WithdrawView.as_view(), name="api-club-withdraw"),
    path("clubs/<slug:slug>/leave/", api.LeaveView.as_view(), name="api-club-leave"),
    path("clubs/<slug:slug>/members/", people_api.MembersView.as_view(), name="api-club-members"),
    path("clubs/<slug:slug>/members/<str:username>/", people_api.MemberView.as_view(), name="api-club-member"),
    path("clubs/<slug:slug>/requests/", people_api.RequestsView.as_view(), name="api-club-requests"),
    path("clubs/<slug:slug>/requests/<int:pk>/accept/", people_api.AcceptRequestView.as_view(), name="api-club-request-accept"),
    path("clubs/<slug:slug>/requests/<int:pk>/decline/", people_api.DeclineRequestView.as_view(), name="api-club-request-decline"),
    path("clubs/<slug:slug>/invitations/", people_api.InvitedView.as_view(), name="api-club-invited"),
    path("clubs/<slug:slug>/invitations/<int:pk>/", people_api.InvitedPersonView.as_view(), name="api-club-invited-person"),
    path("clubs/<slug:slug>/bans/", people_api.BansView.as_view(), name="api-club-bans"),
    path("clubs/<slug:slug>/bans/<int:pk>/", people_api.BanView.as_view(), name="api-club-ban"),
    path("clubs/<slug:slug>/announcements/", calendar_api.AnnouncementsView.as_view(), name="api-club-announcements"),
    path("clubs/<slug:slug>/announcements/<int:pk>/", calendar_api.AnnouncementView.as_view(), name="api-club-announcement"),
    path("clubs/<slug:slug>/events/", calendar_api.EventsView.as_view(), name="api-club-events"),
    path("clubs/<slug:slug>/events/<int:pk>/", calendar_api.EventView.as_view(), name="api-club-event"),
    path("clubs/<slug:slug>/events/<int:pk>/cancel/", calendar_api.CancelEventView.as_view(), name="api-club-event-cancel"),
    path("clubs/<slug:slug>/events/<int:pk>/answer/", calendar_api.AnswerEventView.as_view(), name="api-club-event-answer"),
    path("clubs/<slug:slug>/log/", calendar_api.LogView.as_view(), name="api-club-log"),
]
