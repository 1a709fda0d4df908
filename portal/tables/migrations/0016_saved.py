from django.db import migrations, models
from django.db.models import JSONField, Value


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0015_starts_at"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="saved",
            field=models.JSONField(blank=True, db_default=Value({}, JSONField()), default=dict),
        ),
    ]
