from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0001_initial")]

    operations = [migrations.AlterField(model_name="actionrecord", name="text", field=models.TextField())]
