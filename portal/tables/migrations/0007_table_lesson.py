from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0006_table_by_hand")]

    operations = [
        migrations.AddField("table", "lesson", models.CharField(blank=True, db_default="", default="", max_length=8)),
    ]
