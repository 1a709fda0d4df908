from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """The lobby reads the newest open tables of all games without sorting all of them. People play on while the index is made."""

    atomic = False
    dependencies = [("tables", "0004_clubs")]

    operations = [
        AddIndexConcurrently("table", models.Index(fields=["-created_at"], name="table_open", condition=models.Q(status="open"))),
    ]
