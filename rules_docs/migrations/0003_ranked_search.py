"""Stems with their weighted paragraphs, for ranking, in place of the text search vector; the next load of the books fills them."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

# The index of the books is written when they are loaded: empty the digests and the words, so that the next load does it.
EMPTY = "UPDATE rules_docs_book SET digest = ''; DELETE FROM rules_docs_word;"

# Release 0.2 works on this database as well: its columns and text search configurations stay until a later release drops them, and it may
# leave out what it does not know.
FOR_THE_OLD_RELEASE = """
ALTER TABLE rules_docs_word ALTER COLUMN word SET DEFAULT '';
ALTER TABLE rules_docs_book ALTER COLUMN sizes SET DEFAULT '{}';
"""


class Migration(migrations.Migration):
    dependencies = [
        ("rules_docs", "0002_words"),
    ]

    operations = [
        migrations.RunSQL(EMPTY, migrations.RunSQL.noop),
        migrations.CreateModel(
            name="Root",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("lang", models.CharField(max_length=2)),
                ("root", models.CharField(db_collation="C", max_length=60)),
                ("postings", django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField(), size=None)),
            ],
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveIndex(model_name="paragraph", name="paragraph_search"),
                migrations.RemoveField(model_name="paragraph", name="search"),
                migrations.RemoveField(model_name="word", name="word"),
            ],
        ),
        migrations.AddField(
            model_name="book",
            name="sizes",
            field=models.JSONField(default=dict),
        ),
        migrations.AlterField(
            model_name="word",
            name="folded",
            field=models.CharField(db_collation="C", max_length=60),
        ),
        migrations.AddIndex(
            model_name="word",
            index=models.Index(fields=["lang", "folded"], name="word_by_language"),
        ),
        migrations.AddField(
            model_name="root",
            name="book",
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="roots", to="rules_docs.book"),
        ),
        migrations.AddIndex(
            model_name="root",
            index=models.Index(fields=["lang", "root"], name="root_by_language"),
        ),
        migrations.RunSQL(FOR_THE_OLD_RELEASE, migrations.RunSQL.noop),
    ]
