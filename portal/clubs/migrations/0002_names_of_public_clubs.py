"""Public clubs differ in their names, in capitals or not; a private one no longer reveals that its name is taken."""

from django.db import migrations, models
from django.db.models.functions import Lower


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0001_initial"),
    ]

    operations = [
        migrations.AlterField(
            model_name="club",
            name="name",
            field=models.CharField(max_length=60),
        ),
        migrations.AddConstraint(
            model_name="club",
            constraint=models.UniqueConstraint(Lower("name"), condition=models.Q(("is_private", False)), name="one_public_club_a_name"),
        ),
    ]
