"""Whole words without accents beside the stems, and a list of all words for misspelt questions."""

import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.deletion
from django.db import migrations, models

WORDS_UN = """
DO $$ BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_ts_config WHERE cfgname = 'words_un' AND cfgnamespace = 'public'::regnamespace) THEN
        CREATE TEXT SEARCH CONFIGURATION public.words_un (COPY = pg_catalog.simple);
        ALTER TEXT SEARCH CONFIGURATION public.words_un
            ALTER MAPPING FOR hword, hword_part, word WITH public.unaccent, pg_catalog.simple;
    END IF;
END $$;
"""
# Empty the digests, so that the next load stores the words of the books.
LOAD_AGAIN = "UPDATE rules_docs_book SET digest = '';"


class Migration(migrations.Migration):
    dependencies = [
        ("rules_docs", "0001_books"),
    ]

    operations = [
        migrations.RunSQL("DROP INDEX paragraph_trigrams; DROP FUNCTION public.rules_fold(text);", migrations.RunSQL.noop),
        migrations.RunSQL(WORDS_UN, "DROP TEXT SEARCH CONFIGURATION IF EXISTS public.words_un;"),
        migrations.RemoveIndex(model_name="paragraph", name="paragraph_search"),
        migrations.RemoveField(model_name="paragraph", name="search"),
        migrations.AddField(
            model_name="paragraph",
            name="search",
            field=models.GeneratedField(
                db_persist=True,
                expression=models.Case(
                    models.When(
                        text_lang="en",
                        then=django.contrib.postgres.search.CombinedSearchVector(
                            django.contrib.postgres.search.CombinedSearchVector(
                                django.contrib.postgres.search.SearchVector("section", config="english", weight="A"),
                                "||",
                                django.contrib.postgres.search.SearchVector("text", config="english", weight="B"),
                                django.contrib.postgres.search.SearchConfig("english"),
                            ),
                            "||",
                            django.contrib.postgres.search.SearchVector("text", config="words_un", weight="D"),
                            django.contrib.postgres.search.SearchConfig("english"),
                        ),
                    ),
                    models.When(
                        text_lang="hu",
                        then=django.contrib.postgres.search.CombinedSearchVector(
                            django.contrib.postgres.search.CombinedSearchVector(
                                django.contrib.postgres.search.SearchVector("section", config="hu_un", weight="A"),
                                "||",
                                django.contrib.postgres.search.SearchVector("text", config="hu_un", weight="B"),
                                django.contrib.postgres.search.SearchConfig("hu_un"),
                            ),
                            "||",
                            django.contrib.postgres.search.SearchVector("text", config="words_un", weight="D"),
                            django.contrib.postgres.search.SearchConfig("hu_un"),
                        ),
                    ),
                    models.When(
                        text_lang="ru",
                        then=django.contrib.postgres.search.CombinedSearchVector(
                            django.contrib.postgres.search.CombinedSearchVector(
                                django.contrib.postgres.search.SearchVector("section", config="russian", weight="A"),
                                "||",
                                django.contrib.postgres.search.SearchVector("text", config="russian", weight="B"),
                                django.contrib.postgres.search.SearchConfig("russian"),
                            ),
                            "||",
                            django.contrib.postgres.search.SearchVector("text", config="words_un", weight="D"),
                            django.contrib.postgres.search.SearchConfig("russian"),
                        ),
                    ),
                    default=models.Value(None),
                    output_field=django.contrib.postgres.search.SearchVectorField(),
                ),
                output_field=django.contrib.postgres.search.SearchVectorField(),
            ),
        ),
        migrations.AddIndex(
            model_name="paragraph",
            index=django.contrib.postgres.indexes.GinIndex(fields=["search"], name="paragraph_search"),
        ),
        migrations.CreateModel(
            name="Word",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("lang", models.CharField(max_length=2)),
                ("word", models.CharField(max_length=60)),
                ("folded", models.CharField(max_length=60)),
                ("book", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="words", to="rules_docs.book")),
            ],
            options={
                "indexes": [django.contrib.postgres.indexes.GinIndex(fields=["folded"], name="word_trigrams", opclasses=["gin_trgm_ops"])],
            },
        ),
        migrations.RunSQL(LOAD_AGAIN, migrations.RunSQL.noop),
    ]
