import django.db.models.deletion
from django.db import migrations, models

CLUB = models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name="duplicate_sets", to="clubs.club")


class Migration(migrations.Migration):
    """The deals of a match belong to no club. The reference itself stays: made again, it would read all sets while nobody can use them."""

    dependencies = [("clubs", "0002_names_of_public_clubs")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    "ALTER TABLE clubs_duplicateset ALTER COLUMN club_id DROP NOT NULL",
                    "ALTER TABLE clubs_duplicateset ALTER COLUMN club_id SET NOT NULL",
                )
            ],
            state_operations=[migrations.AlterField("duplicateset", "club", CLUB)],
        ),
    ]
