from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Max


def start(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Games that ended before this release are for `manage.py index_citations`, later ones are read as they end."""
    last = apps.get_model("tables", "Table").objects.aggregate(last=Max("finish_number"))["last"] or 0
    apps.get_model("tables", "CitationClock").objects.get_or_create(pk=1, defaults={"up_to": last, "down_to": last})


class Migration(migrations.Migration):
    dependencies = [("tables", "0008_citations")]

    operations = [migrations.RunPython(start, migrations.RunPython.noop)]
