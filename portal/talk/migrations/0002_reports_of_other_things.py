import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def name_the_writers(apps, _schema):
    """Reports of lines name the person, too."""
    lines = apps.get_model("talk", "Line").objects.filter(pk=OuterRef("line"))
    apps.get_model("talk", "Report").objects.update(person=Subquery(lines.values("writer")))


class Migration(migrations.Migration):
    dependencies = [
        ("talk", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="report",
            name="move",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="report",
            name="path",
            field=models.CharField(blank=True, default="", max_length=200),
        ),
        migrations.AddField(
            model_name="report",
            name="person",
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name="report",
            name="picture",
            field=models.BinaryField(blank=True, default=bytes),
        ),
        migrations.AddField(
            model_name="report",
            name="study",
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="report",
            name="text",
            field=models.CharField(blank=True, default="", max_length=1000),
        ),
        migrations.AddField(
            model_name="report",
            name="what",
            field=models.CharField(
                choices=[
                    ("line", "Message"),
                    ("name", "Name"),
                    ("about", "Text of a profile"),
                    ("picture", "Picture"),
                    ("study", "Title of a study"),
                    ("comment", "Comment in a study"),
                ],
                default="line",
                max_length=7,
                verbose_name="What",
            ),
        ),
        migrations.AlterField(
            model_name="report",
            name="line",
            field=models.ForeignKey(
                db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name="reports", to="talk.line"
            ),
        ),
        migrations.AlterField(
            model_name="report",
            name="reason",
            field=models.CharField(
                choices=[
                    ("rude", "Insults or hate"),
                    ("lewd", "Indecent or violent"),
                    ("tips", "Gives away hidden information"),
                    ("spam", "Advertising or spam"),
                    ("other", "Something else"),
                ],
                max_length=5,
                verbose_name="Reason",
            ),
        ),
        migrations.AlterField(
            model_name="report",
            name="state",
            field=models.CharField(
                choices=[("waiting", "Waiting"), ("hidden", "Removed"), ("left", "Left as it is")],
                default="waiting",
                max_length=7,
                verbose_name="State",
            ),
        ),
        migrations.RunPython(name_the_writers, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "waiting"), models.Q(("what", "line"), _negated=True)),
                fields=("person", "what", "study", "move", "by"),
                name="one_waiting_report_a_person",
            ),
        ),
    ]
