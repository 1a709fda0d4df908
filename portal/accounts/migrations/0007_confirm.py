from django.db import migrations, models


class Migration(migrations.Migration):
    """When the table asks before a move: always, when it matters, never. The old switch loses its field, and keeps its column.

    The earlier release still runs on this database, so its column stays, with a default for the people of this release.
    """

    dependencies = [("accounts", "0006_people")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="confirm",
            field=models.CharField(
                choices=[("always", "Always"), ("matters", "When it matters"), ("never", "Never")],
                db_default="matters",
                default="matters",
                max_length=7,
            ),
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    "ALTER TABLE accounts_user ALTER COLUMN confirm_moves SET DEFAULT true",
                    "ALTER TABLE accounts_user ALTER COLUMN confirm_moves DROP DEFAULT",
                )
            ],
            state_operations=[migrations.RemoveField(model_name="user", name="confirm_moves")],
        ),
    ]
