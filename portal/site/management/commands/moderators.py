"""manage.py moderators: who may moderate, with no more rights than that takes."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any, Final

from django.contrib.auth.models import Group, Permission
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from portal.accounts.models import User
from portal.accounts.names import person_named

GROUP: Final = "moderators"
RIGHTS: Final = {  # model -> what may be done; "change" opens the actions, no row can be edited
    "accounts.user": ("view", "change"),
    "clubs.club": ("view", "change"),
    "notices.delivery": ("view",),
    "tables.table": ("view", "change"),
    "talk.report": ("view", "change"),
}


class Command(BaseCommand):
    help = (
        "Let people moderate, or no longer: they see people, tables, clubs, reports of chat, and notices that failed, in the admin, and act on them with "
        "a reason. They can't give rights, announce anything, or switch on maintenance."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", nargs="?", choices=("add", "remove", "list"), default="list", help="default: list")
        parser.add_argument("name", nargs="?", default="", help="of the account")

    @transaction.atomic
    def handle(self, *args: Any, what: str, name: str, **options: Any) -> None:
        """Raises CommandError without a name, or if nobody with an account has it."""
        group = moderators()
        if what != "list":
            user = person_named(name)
            if user is None or user.is_guest:
                raise CommandError("Name somebody who has an account: manage.py moderators add NAME")
            if what == "add":
                user.groups.add(group)
                user.is_staff = True
            else:
                user.groups.remove(group)
                user.is_staff = user.is_superuser or user.groups.exists() or user.user_permissions.exists()
            user.save(update_fields=["is_staff"])
        names = User.objects.filter(groups=group).order_by("username").values_list("username", flat=True)
        self.stdout.write(f"Moderators: {', '.join(names) or 'nobody'}.")


def moderators() -> Group:
    """Return the group, with exactly the rights that it has in this release."""
    group, _new = Group.objects.get_or_create(name=GROUP)
    wanted = []
    for model, verbs in RIGHTS.items():
        app, name = model.split(".")
        wanted += list(Permission.objects.filter(content_type__app_label=app, codename__in=[f"{verb}_{name}" for verb in verbs]))
    group.permissions.set(wanted)
    return group
