"""Rule pages as rows, ready to be shown and searched. Only `load_rules` writes them; the files are the source of truth."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models

from rules_docs import content


class Book(models.Model):
    """One rule book as it was loaded. `digest` covers all its rows: if it is equal, there is nothing to do."""

    game = models.CharField(max_length=40, primary_key=True)
    digest = models.CharField(max_length=64)
    changed_at = models.DateTimeField()
    sizes = models.JSONField(default=dict)  # language -> number of paragraphs that can be found

    def __str__(self) -> str:
        return self.game


class Chapter(models.Model):
    """A chapter in one language. A chapter that the language lacks is here in the source language, marked."""

    book = models.ForeignKey(Book, on_delete=models.CASCADE, related_name="chapters")
    lang = models.CharField(max_length=2)
    slug = models.SlugField(max_length=60)
    number = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=200)
    source = models.CharField(max_length=200)
    state = models.CharField(max_length=10)  # draft, reviewed
    is_missing = models.BooleanField()  # all of it is in the source language
    is_outdated = models.BooleanField()  # the source has moved on since it was translated

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["book", "lang", "slug"], name="one_chapter_per_language")]

    def __str__(self) -> str:
        return f"{self.book_id}/{self.lang}/{self.slug}"

    @property
    def kind(self) -> str:
        """One of `content.KINDS`. A row whose chapter has left the book is taken for rules until the book is loaded again."""
        try:
            return content.book(self.book_id).chapter(self.slug).kind
        except KeyError:
            return "rules"


class Paragraph(models.Model):
    """One piece of a chapter: heading, text, list, table, note or worked example; `anchor` is its id in the page."""

    chapter = models.ForeignKey(Chapter, on_delete=models.CASCADE, related_name="paragraphs")
    game = models.CharField(max_length=40)
    lang = models.CharField(max_length=2)
    anchor = models.CharField(max_length=60)
    position = models.PositiveSmallIntegerField()  # in the chapter, counting all kinds
    number = models.PositiveSmallIntegerField(null=True)  # of a paragraph in its chapter; headings and examples have none
    kind = models.CharField(max_length=10)
    level = models.PositiveSmallIntegerField(default=0)  # of a heading
    section = models.CharField(max_length=200, blank=True)  # the heading it is under
    html = models.TextField(blank=True)
    text = models.TextField(blank=True)
    example = models.CharField(max_length=60, blank=True)
    text_lang = models.CharField(max_length=2)  # differs from `lang` when the paragraph lacks a translation

    class Meta:
        ordering: ClassVar = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "lang", "anchor"], name="one_paragraph_per_language"),
        ]

    def __str__(self) -> str:
        return f"{self.game}#{self.anchor} ({self.lang})"

    @property
    def is_untranslated(self) -> bool:
        return self.text_lang != self.lang


class Root(models.Model):
    """A stem of a book with the paragraphs that have it: `postings` is id, weight, id, weight, … (`index.py`)."""

    book = models.ForeignKey(Book, on_delete=models.CASCADE, related_name="roots")
    lang = models.CharField(max_length=2)
    root = models.CharField(max_length=60, db_collation="C")
    postings = ArrayField(models.IntegerField())

    class Meta:
        indexes: ClassVar = [models.Index(fields=["lang", "root"], name="root_by_language")]

    def __str__(self) -> str:
        return self.root


class Word(models.Model):
    """A word of the rule pages, to find what an unfinished or misspelt word of a question may have meant."""

    book = models.ForeignKey(Book, on_delete=models.CASCADE, related_name="words")
    lang = models.CharField(max_length=2)
    folded = models.CharField(max_length=60, db_collation="C")  # small letters without accents

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["lang", "folded"], name="word_by_language"),
            GinIndex(fields=["folded"], name="word_trigrams", opclasses=["gin_trgm_ops"]),
        ]

    def __str__(self) -> str:
        return self.folded
