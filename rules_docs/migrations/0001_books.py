"""Books, chapters, paragraphs; Hungarian search without accents; trigrams for what no stem finds."""

import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.deletion
from django.contrib.postgres.operations import TrigramExtension, UnaccentExtension
from django.db import migrations, models

# Plain "hungarian" stems kártya to "kártya" but kártyák to "kárty": without accents both are "karty".
HU_UN = """
DO $$ BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_ts_config WHERE cfgname = 'hu_un' AND cfgnamespace = 'public'::regnamespace) THEN
        CREATE TEXT SEARCH CONFIGURATION public.hu_un (COPY = pg_catalog.hungarian);
        ALTER TEXT SEARCH CONFIGURATION public.hu_un
            ALTER MAPPING FOR hword, hword_part, word WITH public.unaccent, pg_catalog.hungarian_stem;
    END IF;
END $$;
"""
# unaccent() is only STABLE because its dictionary could be changed; with its full name it may be used in an index.
FOLD = """
CREATE OR REPLACE FUNCTION public.rules_fold(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
AS $$ SELECT public.unaccent('public.unaccent'::regdictionary, lower($1)) $$;
"""
TRIGRAMS = "CREATE INDEX paragraph_trigrams ON rules_docs_paragraph USING gin (public.rules_fold(text) public.gin_trgm_ops);"


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        UnaccentExtension(),
        TrigramExtension(),
        migrations.RunSQL(HU_UN, "DROP TEXT SEARCH CONFIGURATION IF EXISTS public.hu_un;"),
        migrations.RunSQL(FOLD, "DROP FUNCTION IF EXISTS public.rules_fold(text);"),
        migrations.CreateModel(
            name="Book",
            fields=[
                (
                    "game",
                    models.CharField(max_length=40, primary_key=True, serialize=False),
                ),
                ("digest", models.CharField(max_length=64)),
                ("changed_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Chapter",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                ("lang", models.CharField(max_length=2)),
                ("slug", models.SlugField(max_length=60)),
                ("number", models.PositiveSmallIntegerField()),
                ("title", models.CharField(max_length=200)),
                ("source", models.CharField(max_length=200)),
                ("state", models.CharField(max_length=10)),
                ("is_missing", models.BooleanField()),
                ("is_outdated", models.BooleanField()),
                (
                    "book",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="chapters",
                        to="rules_docs.book",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="Paragraph",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                ("game", models.CharField(max_length=40)),
                ("lang", models.CharField(max_length=2)),
                ("anchor", models.CharField(max_length=60)),
                ("position", models.PositiveSmallIntegerField()),
                ("number", models.PositiveSmallIntegerField(null=True)),
                ("kind", models.CharField(max_length=10)),
                ("level", models.PositiveSmallIntegerField(default=0)),
                ("section", models.CharField(blank=True, max_length=200)),
                ("html", models.TextField(blank=True)),
                ("text", models.TextField(blank=True)),
                ("example", models.CharField(blank=True, max_length=60)),
                ("text_lang", models.CharField(max_length=2)),
                (
                    "search",
                    models.GeneratedField(
                        db_persist=True,
                        expression=models.Case(
                            models.When(
                                text_lang="en",
                                then=django.contrib.postgres.search.CombinedSearchVector(
                                    django.contrib.postgres.search.SearchVector("section", config="english", weight="A"),
                                    "||",
                                    django.contrib.postgres.search.SearchVector("text", config="english", weight="B"),
                                    django.contrib.postgres.search.SearchConfig("english"),
                                ),
                            ),
                            models.When(
                                text_lang="hu",
                                then=django.contrib.postgres.search.CombinedSearchVector(
                                    django.contrib.postgres.search.SearchVector("section", config="hu_un", weight="A"),
                                    "||",
                                    django.contrib.postgres.search.SearchVector("text", config="hu_un", weight="B"),
                                    django.contrib.postgres.search.SearchConfig("hu_un"),
                                ),
                            ),
                            models.When(
                                text_lang="ru",
                                then=django.contrib.postgres.search.CombinedSearchVector(
                                    django.contrib.postgres.search.SearchVector("section", config="russian", weight="A"),
                                    "||",
                                    django.contrib.postgres.search.SearchVector("text", config="russian", weight="B"),
                                    django.contrib.postgres.search.SearchConfig("russian"),
                                ),
                            ),
                            default=models.Value(None),
                            output_field=django.contrib.postgres.search.SearchVectorField(),
                        ),
                        output_field=django.contrib.postgres.search.SearchVectorField(),
                    ),
                ),
                (
                    "chapter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="paragraphs",
                        to="rules_docs.chapter",
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
            },
        ),
        migrations.AddConstraint(
            model_name="chapter",
            constraint=models.UniqueConstraint(fields=("book", "lang", "slug"), name="one_chapter_per_language"),
        ),
        migrations.AddIndex(
            model_name="paragraph",
            index=django.contrib.postgres.indexes.GinIndex(fields=["search"], name="paragraph_search"),
        ),
        migrations.AddConstraint(
            model_name="paragraph",
            constraint=models.UniqueConstraint(fields=("game", "lang", "anchor"), name="one_paragraph_per_language"),
        ),
        migrations.RunSQL(TRIGRAMS, "DROP INDEX IF EXISTS paragraph_trigrams;"),
    ]
