from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

LINKS = models.UniqueConstraint(condition=models.Q(("link_code", ""), _negated=True), fields=("link_code",), name="one_table_a_link")


class Migration(migrations.Migration):
    """Clocks that ask for something, rematches and links are found without reading all tables. People play on while the indexes are made."""

    atomic = False
    dependencies = [("tables", "0012_invitations")]

    operations = [
        AddIndexConcurrently(
            "table", models.Index(fields=["alarm_at"], name="table_alarm", condition=models.Q(("alarm_at__isnull", False)))
        ),
        AddIndexConcurrently(
            "table", models.Index(fields=["rematch_of"], name="table_rematch", condition=models.Q(("rematch_of__isnull", False)))
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    "CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS one_table_a_link ON tables_table (link_code) WHERE NOT (link_code = '')",
                    "DROP INDEX CONCURRENTLY IF EXISTS one_table_a_link",
                )
            ],
            state_operations=[migrations.AddConstraint(model_name="table", constraint=LINKS)],
        ),
    ]
