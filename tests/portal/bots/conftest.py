"""Alice, whose bot is Gilga, with Bob and Charlie."""

import pytest
from django.core.cache import cache

from portal.accounts.own_tokens import make_token
from portal.bots.services import make_bot
from tests.portal.friends.conftest import browser
from tests.portal.tables.conftest import alice, bob, charlie, fixed_secret

__all__ = ["alice", "api", "bob", "browser", "charlie", "fixed_secret", "fresh", "gilga", "token_of"]


@pytest.fixture(autouse=True)
def fresh():
    cache.clear()


@pytest.fixture
def gilga(alice):
    return make_bot(owner=alice, username="gilga", about="Plays Ra")


@pytest.fixture
def token_of():
    def make(user, *scopes):
        return make_token(user=user, scopes=scopes or (("read", "play") if user.is_bot else ("read", "play", "club", "admin"))).text

    return make


@pytest.fixture
def api(client, token_of):
    """Ask the API as somebody: `api(user, "post", path, body)`."""

    def ask(user, method, path, body=None, **more):
        headers = {} if user is None else {"authorization": f"Token {token_of(user)}"}
        return getattr(client, method)(f"/api/v1/{path}", body, content_type="application/json", headers=headers, **more)

    return ask
