from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0002_long_texts")]

    operations = [migrations.AddField(model_name="table", name="undone", field=models.JSONField(default=list))]
