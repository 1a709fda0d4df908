from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0005_open_tables")]

    operations = [
        migrations.AddField("table", "by_hand", models.BooleanField(db_default=False, default=False)),
    ]
