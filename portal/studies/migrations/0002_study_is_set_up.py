"""Studies of positions that somebody has set up."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("studies", "0001_initial")]

    operations: ClassVar = [
        migrations.AddField(
            model_name="study",
            name="is_set_up",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
