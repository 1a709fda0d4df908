"""Pages of figures: a player in a game, two players, a club's records, and what results say about seats and ratings."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.registry import GAMES, Entry
from portal.accounts.models import User
from portal.accounts.names import MAX_NAME_CHARS, people_named, person_named
from portal.clubs.pages import club_context, of_club, viewer_of
from portal.clubs.selectors import ClubPage
from portal.common import errors
from portal.ratings import rules, selectors, statistics
from portal.ratings.bots import bots_page, order_notes
from portal.ratings.models import Pool
from portal.ratings.views import chosen_pool
from portal.tables.lists import finished_rows


def _one_game(key: str) -> Entry:
    if key not in GAMES:
        raise Http404
    return GAMES[key]


@require_safe
def all_bots(request: HttpRequest) -> HttpResponse:
    """Lead to the bots of the first game; from there, tabs lead to the others."""
    return redirect("bots", next(iter(GAMES)))


@require_safe
def bots(request: HttpRequest, game: str) -> HttpResponse:
    """How the bots of a game think, what they can't do, and how strong they are."""
    entry = _one_game(game)
    return render(request, "ratings/bots.html", {"game": entry, "page": bots_page(entry)})


@require_safe
def player_game(request: HttpRequest, username: str, game: str) -> HttpResponse:
    """How a player did in a game: places, ratings and scores over time, seats, numbers of players."""
    entry, pool = _one_game(game), request.GET.get("pool")
    if pool is not None and pool not in Pool.values:
        raise Http404
    subject = person_named(username)
    if subject is None:
        return errors.page_not_found(request, LookupError(username))
    page = statistics.player_game(subject, entry.key, pool=pool, viewer=viewer_of(request))
    if page is None:
        return errors.page_not_found(request, LookupError(f"{username}/{game}"))
    context = {"subject": subject, "game": entry, "pool": page.pool, "page": page, "totals": statistics.totals_of(subject)}
    return render(request, "ratings/player.html", context)


@require_safe
def against(request: HttpRequest, username: str) -> HttpResponse:
    """The form that asks for an opponent; with a name it leads to the page of the two."""
    subject = person_named(username)
    if subject is None:
        return errors.page_not_found(request, LookupError(username))
    wanted = request.GET.get("name", "").strip()
    problem = ""
    if wanted:
        other = person_named(wanted)
        if other is not None and other.pk != subject.pk:
            response = redirect("against-player", subject.username, other.username)
            response.status_code = 303
            return response
        problem = (
            _("No player has this name. Check the spelling.")
            if other is None
            else _("Choose another player. Nobody plays against themselves.")
        )
    context = {
        "subject": subject,
        "wanted": wanted[:MAX_NAME_CHARS],
        "problem": problem,
        "rival": _rival(request, subject, None),
        "rivals": statistics.rivals_of(subject),
    }
    return render(request, "ratings/against.html", context, status=422 if problem else 200)


@require_safe
def against_player(request: HttpRequest, username: str, other: str) -> HttpResponse:
    """Two players: who finished ahead, game by game, and their latest games together."""
    people = people_named([username, other])
    one, two, viewer = people.get(username), people.get(other), viewer_of(request)
    if one is None or two is None or one == two:
        return errors.page_not_found(request, LookupError(f"{username}/{other}"))
    context = {
        "subject": one,
        "other": two,
        "lines": statistics.head_to_head(one, two),
        "games": finished_rows(statistics.common_games(one, two, viewer)[: statistics.COMMON_GAMES], viewer),
        "wanted": "",
        "rival": _rival(request, one, two),
    }
    return render(request, "ratings/against.html", context)


def _rival(request: HttpRequest, subject: User, other: User | None) -> str:
    """Return the reader's name, unless the page already compares with them."""
    viewer = viewer_of(request)
    if viewer is None or viewer.pk in (subject.pk, other.pk if other else None):
        return ""
    return viewer.username


@require_safe
@of_club
def club_records(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """The records of a club: highest score, closest and widest game, by game and player count."""
    context = club_context(page, "records", records=statistics.club_records(page.club, page.user))
    return render(request, "ratings/records.html", context)


@require_safe
def seats(request: HttpRequest, game: str) -> HttpResponse:
    """What each seat of a game wins beside what the ratings predict, by player count."""
    entry, pool = _one_game(game), chosen_pool(request)
    sizes, notes = statistics.seat_effects(entry.key, pool), order_notes(entry)
    context = {
        "section": "leaderboard",
        "game": entry,
        "pool": pool,
        "sizes": sizes,
        "noted": [(size, notes.get(size.seats)) for size in sizes],
        "scores_from": statistics.LEAST_FOR_SCORES,
        "url_name": "seat-effects",
    }
    return render(request, "ratings/seats.html", context)


@require_safe
def calibration(request: HttpRequest, game: str) -> HttpResponse:
    """How the predictions of the ratings turned out: chances to win, pairs, places."""
    entry, pool = _one_game(game), chosen_pool(request)
    context = {
        "section": "leaderboard",
        "game": entry,
        "pool": pool,
        "curves": statistics.calibration(entry.key, pool),
        "url_name": "calibration",
    }
    return render(request, "ratings/calibration.html", context)


@require_safe
def how(request: HttpRequest) -> HttpResponse:
    """How ratings work: the rules in words, and an example calculated with the formula in use."""
    context = {"section": "leaderboard", "example": rules.example(), "provisional": selectors.PROVISIONAL}
    return render(request, "ratings/rules.html", context)
