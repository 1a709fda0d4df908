from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models

NO_WAY_IN = models.Q(("email", ""), ("is_guest", False), ("is_staff", False), ("is_superuser", False), ("password__startswith", "!"))


class Migration(migrations.Migration):
    """Bots are people without a way in. The next migration reads the rows there are, while people go on."""

    dependencies = [
        ("accounts", "0016_scopes_of_tokens"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.AddField("user", "is_bot", models.BooleanField(db_default=False, default=False)),
        AddConstraintNotValid(
            "user", models.CheckConstraint(condition=models.Q(("is_bot", False), NO_WAY_IN, _connector="OR"), name="bots_cannot_sign_in")
        ),
    ]
