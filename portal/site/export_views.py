"""The download of a person's own data."""

from __future__ import annotations

from typing import Final, cast

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from portal.accounts.models import User
from portal.common.limits import count_use
from portal.ratings.refusals import TooManyDownloads
from portal.site.export import archive_of

PER_HOUR: Final = 3


@login_required
@never_cache
@require_POST
def export(request: HttpRequest) -> HttpResponse:
    """Send everything that the site has of the person, as one archive."""
    user = cast(User, request.user)
    count_use("export", str(user.pk), limit=PER_HOUR, window_s=3600, refusal=TooManyDownloads)
    response = HttpResponse(archive_of(user), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="ziggurat-{timezone.now():%Y-%m-%d}.zip"'
    return response
