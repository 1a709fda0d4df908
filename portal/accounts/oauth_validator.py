"""What OAuth's rules leave to us: addresses are compared letter by letter, and codes are kept as digests, as all tokens are."""

from __future__ import annotations

from typing import Any

from oauth2_provider.oauth2_validators import OAuth2Validator
from oauthlib.oauth2.rfc6749.errors import UnsupportedCodeChallengeMethodError

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
        return super().validate_code(client_id, digest_of(code), client, request, *args, **kwargs)

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

    def _create_authorization_code(self, request: Any, code: dict[str, Any], expires: Any = None) -> Any:
        return super()._create_authorization_code(request, code | {"code": digest_of(code["code"])}, expires)
