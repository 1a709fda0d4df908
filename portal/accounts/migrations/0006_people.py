from django.db import migrations


class Migration(migrations.Migration):
    """The manager that reads people is no part of the migrations."""

    dependencies = [("accounts", "0005_digests_of_tokens")]

    operations = [migrations.AlterModelManagers(name="user", managers=[])]
