"""What OAuth's rules leave to us: addresses are compared letter by letter, and codes are kept as digests, as all tokens are."""

from __future__ import annotations

import uuid
from typing import Any

from oauth2_provider.models import Grant, RefreshToken
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauthlib.oauth2.rfc6749.errors import InvalidGrantError, UnsupportedCodeChallengeMethodError

from portal.accounts.tokens import digest_of


class Validator(OAuth2Validator):  # type: ignore[misc]
    """The toolkit's own would let a registered address have more in its query."""

    def validate_redirect_uri(self, client_id: str, redirect_uri: str, request: Any, *args: Any, **kwargs: Any) -> bool:
        return redirect_uri in request.client.redirect_uris.split()

    def is_pkce_required(self, client_id: str, request: Any) -> bool:
        """Return True. Raises an error for any method but S256, before anybody is asked; the toolkit itself would refuse only the answer."""
        if request.response_type == "code" and request.code_challenge is not None and request.code_challenge_method != "S256":
            raise UnsupportedCodeChallengeMethodError(request=request)
        return True

    def validate_code(self, client_id: str, code: str, client: Any, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Return whether a code is good. One that was used before ends the tokens that were made from it (RFC 6749, 4.1.2): it may have been stolen."""
        if super().validate_code(client_id, digest_of(code), client, request, *args, **kwargs):
            return True
        family = _family_of(code)
        is_used = not Grant.objects.filter(code=digest_of(code)).exists()
        if is_used and RefreshToken.objects.filter(token_family=family, application=client).exists():
            RefreshToken.revoke_family(family)
        return False

    def confirm_redirect_uri(self, client_id: str, code: str, *args: Any, **kwargs: Any) -> Any:
        return super().confirm_redirect_uri(client_id, digest_of(code), *args, **kwargs)

    def invalidate_authorization_code(self, client_id: str, code: str, request: Any, *args: Any, **kwargs: Any) -> Any:
        return super().invalidate_authorization_code(client_id, digest_of(code), request, *args, **kwargs)

    def get_authorization_code_scopes(self, client_id: str, code: str, redirect_uri: str, request: Any) -> Any:
        return super().get_authorization_code_scopes(client_id, digest_of(code), redirect_uri, request)

    def get_code_challenge(self, code: str, request: Any) -> Any:
        return super().get_code_challenge(digest_of(code), request)

    def get_code_challenge_method(self, code: str, request: Any) -> Any:
        return super().get_code_challenge_method(digest_of(code), request)

    def _save_bearer_token(self, token: dict[str, Any], request: Any, *args: Any, **kwargs: Any) -> Any:
        """Store new tokens. Raises InvalidGrantError if another request has renewed the refresh token since it was checked.

        The toolkit would answer with that other request's tokens, which nobody can read back from their digests.
        """
        used = getattr(request, "refresh_token_instance", None)
        if used is not None and not RefreshToken.objects.select_for_update().filter(pk=used.pk, revoked=None).exists():
            raise InvalidGrantError(request=request)
        return super()._save_bearer_token(token, request, *args, **kwargs)

    def _create_refresh_token(self, request: Any, refresh_token_code: str, access_token: Any, previous_refresh_token: Any) -> Any:
        row = super()._create_refresh_token(request, refresh_token_code, access_token, previous_refresh_token)
        if previous_refresh_token is None and request.grant_type == "authorization_code":
            row.token_family = _family_of(request.code)
            row.save(update_fields=["token_family"])
        return row

    def _create_authorization_code(self, request: Any, code: dict[str, Any], expires: Any = None) -> Any:
        return super()._create_authorization_code(request, code | {"code": digest_of(code["code"])}, expires)


def _family_of(code: str) -> uuid.UUID:
    """Return the family of all tokens that come of a code; it tells nothing of the code."""
    return uuid.uuid5(uuid.NAMESPACE_OID, digest_of(code))
