"""Bots that moderators closed singly stay closed when their owner's account is opened again."""

from typing import Any

from django.db import migrations, models


def mark(apps: Any, _editor: Any) -> None:
    """Bots that are closed while their owner's account is open were closed singly: nothing else leaves that."""
    apps.get_model("bots", "BotAccount").objects.filter(user__is_active=False, owner__is_active=True).update(closed_alone=True)


class Migration(migrations.Migration):
    dependencies = [("bots", "0001_initial")]

    operations = [
        migrations.AddField(model_name="botaccount", name="closed_alone", field=models.BooleanField(db_default=False, default=False)),
        migrations.RunPython(mark, migrations.RunPython.noop),
    ]
