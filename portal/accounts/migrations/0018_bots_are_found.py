from django.contrib.postgres.operations import AddIndexConcurrently, ValidateConstraint
from django.db import migrations, models


class Migration(migrations.Migration):
    """Bots are found without reading all people, and nobody is a bot with a way in. People go on while both are seen to."""

    atomic = False
    dependencies = [("accounts", "0017_bots")]

    operations = [
        AddIndexConcurrently("user", models.Index(fields=["id"], name="user_bots", condition=models.Q(is_bot=True))),
        ValidateConstraint("user", "bots_cannot_sign_in"),
    ]
