"""The settings of a club, its announcements and its calendar, as officers and the owner change them."""

from __future__ import annotations

from functools import partial

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.clubs import announcements, calendar, services
from portal.clubs.forms import AnnouncementForm, CloseForm, EveningForm, HandOverForm, SettingsForm, TextsForm, carried_out
from portal.clubs.member_views import CHANGES_PER_HOUR
from portal.clubs.members import person_named
from portal.clubs.models import Evening
from portal.clubs.pages import club_context, done, limited, of_club
from portal.clubs.permissions import Verb, require
from portal.clubs.refusals import NoButtonPressed, NoSuchEvening, WrongClubName
from portal.clubs.selectors import ClubPage
from portal.clubs.views import announcements_page
from portal.common.refusals import BadValue

WRITINGS_PER_HOUR = 30


@require_safe
@of_club
def club_settings(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """What officers and the owner may change."""
    require(Verb.EDIT, page.club, page.user)
    return _settings_page(request, page)


def _settings_page(request: HttpRequest, page: ClubPage, status: int = 200, **came_back: forms.Form) -> HttpResponse:
    club = page.club
    blank: dict[str, forms.Form] = {
        "texts_form": TextsForm(initial={"about_en": club.about_en, "about_hu": club.about_hu, "about_ru": club.about_ru}),
        "settings_form": SettingsForm(initial={"name": club.name, "joining": club.joining, "is_private": club.is_private}),
        "hand_over_form": HandOverForm(auto_id="hand_%s"),
        "close_form": CloseForm(auto_id="close_%s"),
    }
    link = request.build_absolute_uri(f"/clubs/join/{club.link_code}/")
    return render(request, "clubs/settings.html", club_context(page, "settings", link=link, **{**blank, **came_back}), status=status)


@require_POST
@limited("club-change", limit=CHANGES_PER_HOUR)
@of_club
def texts(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Change the club's description."""
    require(Verb.EDIT, page.club, page.user)
    form = TextsForm(request.POST)
    if status := carried_out(form, partial(services.edit_texts, club=page.club, actor=page.user)):
        return _settings_page(request, page, status, texts_form=form)
    return done(request, "club-settings", page.club.slug, said=_("Saved."))


@require_POST
@limited("club-change", limit=CHANGES_PER_HOUR)
@of_club
def owner_settings(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Change the name, who may see the club, and how people join."""
    require(Verb.SETTINGS, page.club, page.user)
    form = SettingsForm(request.POST)
    if status := carried_out(form, partial(services.change_settings, club=page.club, actor=page.user)):
        return _settings_page(request, page, status, settings_form=form)
    return done(request, "club-settings", page.club.slug, said=_("Saved."))


@require_POST
@limited("club-change", limit=CHANGES_PER_HOUR)
@of_club
def renew_link(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Make a new link."""
    services.renew_link(club=page.club, actor=page.user)
    return done(request, "club-settings", page.club.slug, said=_("Here is the new link. The old one no longer works."), anchor="link")


@require_POST
@limited("club-change", limit=CHANGES_PER_HOUR)
@of_club
def hand_over(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Give the club to another member."""
    require(Verb.HAND_OVER, page.club, page.user)
    form = HandOverForm(request.POST, auto_id="hand_%s")

    def give(username: str) -> None:
        try:
            services.hand_over(club=page.club, actor=page.user, member=person_named(username))
        except BadValue as error:
            error.field = "username"
            raise

    if status := carried_out(form, give):
        return _settings_page(request, page, status, hand_over_form=form)
    return done(request, "club", page.club.slug, said=_("The club has a new owner. You are now an officer."))


@require_POST
@limited("club-change", limit=CHANGES_PER_HOUR)
@of_club
def close(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Close the club for good, after its name was typed to confirm."""
    require(Verb.CLOSE, page.club, page.user)
    form = CloseForm(request.POST, auto_id="close_%s")

    def end(name: str) -> None:
        if name.strip() != page.club.name:
            raise WrongClubName
        services.close_club(club=page.club, actor=page.user)

    if status := carried_out(form, end):
        return _settings_page(request, page, status, close_form=form)
    return done(request, "club", page.club.slug, said=_("The club has been closed."))


# Announcements


@require_POST
@limited("club-write", limit=WRITINGS_PER_HOUR)
@of_club
def announce(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Make an announcement."""
    require(Verb.ANNOUNCE, page.club, page.user)
    form = AnnouncementForm(request.POST)
    if status := carried_out(form, partial(announcements.announce, club=page.club, actor=page.user)):
        return announcements_page(request, page, form=form, status=status)
    return done(request, "club-announcements", page.club.slug, said=_("Announcement posted."))


@require_POST
@limited("club-change", limit=CHANGES_PER_HOUR)
@of_club
def announcement(request: HttpRequest, page: ClubPage, pk: int) -> HttpResponse:
    """Pin, unpin or delete an announcement."""
    pressed = request.POST.get("do")
    if pressed == "delete":
        announcements.delete_announcement(club=page.club, actor=page.user, announcement_id=pk)
        return done(request, "club-announcements", page.club.slug, said=_("Announcement deleted."))
    if pressed not in ("pin", "unpin"):
        raise NoButtonPressed
    announcements.pin(club=page.club, actor=page.user, announcement_id=pk, is_pinned=pressed == "pin")
    return done(request, "club-announcements", page.club.slug)


# Calendar


@require_http_methods(["GET", "HEAD", "POST"])
@limited("club-write", limit=WRITINGS_PER_HOUR)
@of_club
def evening_new(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Add a club night to the calendar."""
    require(Verb.CALENDAR, page.club, page.user)
    form = EveningForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = carried_out(form, partial(calendar.create_evening, club=page.club, actor=page.user))
        if not status:
            return done(request, "club-calendar", page.club.slug, said=_("The event is in the calendar."))
    return render(request, "clubs/evening.html", club_context(page, "calendar", form=form, evening=None), status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@limited("club-write", limit=WRITINGS_PER_HOUR)
@of_club
def evening(request: HttpRequest, page: ClubPage, pk: int) -> HttpResponse:
    """Change a club night."""
    require(Verb.CALENDAR, page.club, page.user)
    found = Evening.objects.filter(club=page.club, pk=pk).first()
    if found is None:
        raise NoSuchEvening
    values = {"title": found.title, "starts_at": found.starts_at, "game": found.game, "text": found.text}
    form = EveningForm(request.POST or None, initial=values)
    status = 200
    if request.method == "POST":
        status = carried_out(form, partial(calendar.edit_evening, club=page.club, actor=page.user, evening_id=pk))
        if not status:
            return done(request, "club-calendar", page.club.slug, said=_("Saved."))
    return render(request, "clubs/evening.html", club_context(page, "calendar", form=form, evening=found), status=status)


@require_POST
@limited("club-change", limit=CHANGES_PER_HOUR)
@of_club
def call_off(request: HttpRequest, page: ClubPage, pk: int) -> HttpResponse:
    """Cancel a club night."""
    calendar.call_off(club=page.club, actor=page.user, evening_id=pk)
    return done(request, "club-calendar", page.club.slug, said=_("The event has been cancelled."))


@require_POST
@limited("club-answer", limit=CHANGES_PER_HOUR)
@of_club
def answer(request: HttpRequest, page: ClubPage, pk: int) -> HttpResponse:
    """Answer whether one is coming."""
    calendar.answer(club=page.club, user=page.user, evening_id=pk, answer=request.POST.get("answer", ""))
    return done(request, "club-calendar", page.club.slug, anchor=f"evening-{pk}")
