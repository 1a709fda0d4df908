"""What the schema says of each operation besides its fields: the scope that a token needs."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema

from portal.common.scopes import needed


class Described(AutoSchema):
    """The schema of a view, with the needed scope as `x-scope`; none where nobody has to sign in by token."""

    def get_extensions(self) -> dict[str, Any]:
        return {"x-scope": scope} if (scope := self.scope()) else {}

    def scope(self) -> str:
        """Return the scope of this operation, or nothing for a view that reads no token."""
        return needed(self.view, self.method) if hasattr(self.view, "reads") and self.view.get_authenticators() else ""
