from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0016_saved"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="in_match",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
