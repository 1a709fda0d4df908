"""Ratings move to ladders. As sums of finished games they are deleted, and the clock is reset: the scoring worker recalculates them."""

from typing import Any

from django.db import migrations


def _begin_anew(apps: Any, schema_editor: Any) -> None:
    apps.get_model("ratings", "RatingClock").objects.update(applied_up_to=0)


class Migration(migrations.Migration):
    dependencies = [("ratings", "0001_initial")]

    operations = [
        migrations.DeleteModel(name="RatingChange"),
        migrations.DeleteModel(name="Rating"),
        migrations.RunPython(_begin_anew, migrations.RunPython.noop),
    ]
