"""Making, changing and closing bot accounts, and that nobody can sign in as one."""

import io
import json
import zipfile

import pytest
from django.contrib.auth import authenticate
from django.db import IntegrityError, transaction

from portal.accounts.deleting import delete_person
from portal.accounts.models import ApiToken, User
from portal.accounts.own_tokens import make_token
from portal.accounts.refusals import NameTaken, ScopesForBots
from portal.accounts.services import create_guest
from portal.bots import refusals
from portal.bots.models import BotAccount
from portal.bots.services import change_bot, close_bot, is_bot, make_bot, own_bot
from portal.common.refusals import BadValue
from portal.site import moderating
from portal.site.export import archive_of
from portal.tables import services
from portal.tables.models import Seat


def test_a_bot_is_a_user_that_says_so_and_whose(alice, gilga):
    kept = BotAccount.objects.get()
    assert (kept.owner, kept.user.username, kept.about, kept.at_once, kept.from_whom) == (alice, "gilga", "Plays Ra", 4, "everyone")
    assert is_bot(kept.user)
    assert not is_bot(alice)
    assert not kept.user.has_usable_password()
    assert kept.user.email == ""


def test_the_mark_costs_no_statement(gilga, django_assert_num_queries):
    user = User.objects.get(pk=gilga.user_id)
    with django_assert_num_queries(0):
        assert is_bot(user)


def test_a_person_has_five_bots_at_most(alice):
    for number in range(5):
        make_bot(owner=alice, username=f"gilga{number}")
    with pytest.raises(refusals.TooManyBotAccounts):
        make_bot(owner=alice, username="gilga5")
    close_bot(own_bot(alice, "gilga0"))
    make_bot(owner=alice, username="gilga5")
    assert BotAccount.objects.count() == 5


def test_guests_and_bots_make_no_bots(gilga):
    with pytest.raises(refusals.NeedsAccountForBots):
        make_bot(owner=create_guest(address="10.0.0.1"), username="enkidu")
    with pytest.raises(refusals.BotsMakeNoBots):
        make_bot(owner=gilga.user, username="enkidu")


@pytest.mark.parametrize("name", ["Scribe", "scribe2", "Master-Bot", "bot.apprentice", "Nabu", "nabu-2", "Írnok", "Мастер", "bot"])
def test_a_bot_does_not_pass_for_a_level(alice, name):
    with pytest.raises(refusals.LooksLikeLevel):
        make_bot(owner=alice, username=name)


@pytest.mark.parametrize("name", ["guest-abc", "deleted-1", "a", "ALICE", "gіlga"])  # the last one has a Cyrillic letter
def test_names_of_bots_follow_the_rules_of_people(alice, name):
    with pytest.raises(BadValue):
        make_bot(owner=alice, username=name)
    assert not BotAccount.objects.exists()


def test_the_name_of_a_bot_is_taken_for_people(alice, bob, gilga):
    with pytest.raises(NameTaken):
        make_bot(owner=bob, username="GILGA")


@pytest.mark.parametrize(
    "rules", [{"games": ["chess"]}, {"paces": ["blitz"]}, {"at_once": 0}, {"at_once": 21}, {"from_whom": "me"}, {"about": "x" * 501}]
)
def test_a_wrong_rule_changes_nothing(gilga, rules):
    with pytest.raises(BadValue):
        change_bot(gilga, paused=True, **rules)
    assert not BotAccount.objects.get().paused


def test_rules_are_kept_in_order_and_all_of_them_as_none(gilga):
    change_bot(gilga, games=["tigris_euphrates", "ra"], paces=["days", "live", "relaxed"])
    kept = BotAccount.objects.get()
    assert kept.games == ["ra", "tigris_euphrates"]
    assert kept.paces == []


@pytest.mark.parametrize(
    "change", [{"email": "gilga@example.org"}, {"is_staff": True}, {"is_superuser": True}, {"is_guest": True}, {"password": "pbkdf2$1"}]
)
def test_the_database_keeps_bots_from_signing_in(gilga, change):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=gilga.user_id).update(**change)


def test_no_password_signs_a_bot_in(gilga, rf):
    for password in ("", "!", gilga.user.password):
        assert authenticate(rf.post("/"), username="gilga", password=password) is None


def test_a_token_of_a_bot_reads_and_plays_only(gilga):
    assert make_token(user=gilga.user, scopes=["play", "read"]).row.scopes == "read play"
    for scope in ("club", "admin"):
        with pytest.raises(ScopesForBots):
            make_token(user=gilga.user, scopes=["read", scope])


def test_closing_a_bot_revokes_its_tokens_and_hands_its_seats_to_levels(alice, bob, gilga):
    make_token(user=gilga.user, scopes=["read", "play"])
    loaded = services.open_table(game_key="ra", sitters=[bob, gilga.user], owner=bob)
    close_bot(gilga)
    seat = Seat.objects.get(table=loaded.table, index=1)
    assert (seat.user, seat.left_user_id, seat.bot_level) == (None, gilga.user_id, "apprentice")
    assert not ApiToken.objects.exists()
    assert not BotAccount.objects.exists()
    stays = User.objects.get(pk=gilga.user_id)
    assert (stays.is_active, stays.is_bot) == (False, True)
    assert stays.username.startswith("deleted-")


def test_a_bot_without_games_goes_with_its_owner(alice, gilga):
    delete_person(user=alice)
    assert not User.objects.filter(pk__in=[alice.pk, gilga.user_id]).exists()


def test_the_export_of_an_owner_has_their_bots_and_no_token(alice, gilga):
    made = make_token(user=gilga.user, name="At home", scopes=["read"])
    with zipfile.ZipFile(io.BytesIO(archive_of(alice))) as packed:
        text = packed.read("profile.json").decode()
    (bot,) = json.loads(text)["bots"]
    assert (bot["name"], bot["about"], bot["games"], bot["api_tokens"][0]["name"]) == ("gilga", "Plays Ra", [], "At home")
    assert made.text not in text
    assert made.row.digest not in text


def test_bots_of_a_closed_account_are_closed_and_opened_with_it(alice, gilga):
    assert moderating.deactivate(alice)
    assert not User.objects.get(pk=gilga.user_id).is_active
    assert not moderating.reactivate(gilga.user)
    assert moderating.reactivate(alice)
    assert User.objects.get(pk=gilga.user_id).is_active
