"""The API of the rule books: open to everybody, and the same for everybody who asks in the same language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from portal.books.refusals import NothingWritten
from portal.common.api_views import CURSOR, LANG, READS, Output, PublicView, page_of_sorted, paged
from rules_docs import content, reading
from rules_docs.search import MAX_QUERY, Hit, Result
from rules_docs.search import search as find

CHAPTER_KINDS: Final = [
    ("rules", "Rules of the game."),
    ("advice", "Advice; it holds no rules."),
    ("background", "About the game and its world; it holds no rules."),
    ("variants", "Other ways to play, which this site doesn't offer."),
]
STATES: Final = [("draft", "Nobody but its writer has read it."), ("reviewed", "Somebody else has read it.")]
PIECE_KINDS: Final = [
    ("heading", "A heading of the paragraphs below it; it has no number."),
    ("text", "A paragraph."),
    ("list", "A list."),
    ("table", "A table; `text` is its cells in order."),
    ("note", "A side note."),
    ("example", "A worked example, named by `example`; `text` is its title and notes."),
]
AID_SECTIONS: Final = [
    ("turn", "What can be done in a turn."),
    ("costs", "What things cost."),
    ("points", "What scores."),
    ("reminders", "What is easily forgotten."),
]
MOST_FOUND: Final = 120  # the search weighs no more paragraphs than that
PARAGRAPH_ID: Final = "Game and paragraph, such as `ra#auction-3`, as `rule` has it everywhere."


class BookAnswer(Output):
    """A rule book."""

    game = serializers.CharField()
    title = serializers.CharField()
    edition = serializers.CharField(help_text="The printed rules that it was written from.")
    designers = serializers.ListField(child=serializers.CharField())
    lang = serializers.CharField(help_text="Language of its text: the one asked for, if it has it.")
    languages = serializers.ListField(child=serializers.CharField())
    version = serializers.CharField(help_text="Changes whenever a text of the book changes, in any language.")
    changed_at = serializers.DateTimeField()
    has_aid = serializers.BooleanField(help_text="Whether there is a player aid.")
    path = serializers.CharField(help_text="Path of its page.")


class ChapterAnswer(Output):
    """A chapter, without its text."""

    id = serializers.CharField()
    number = serializers.IntegerField()
    title = serializers.CharField()
    kind = serializers.ChoiceField(choices=CHAPTER_KINDS)
    state = serializers.ChoiceField(choices=STATES)
    edition = serializers.CharField(source="source", help_text="What it was written from.")
    is_untranslated = serializers.BooleanField(help_text="Whether all of it is in the source language.")
    is_outdated = serializers.BooleanField(help_text="Whether the source has changed since it was translated.")
    paragraphs = serializers.ListField(child=serializers.CharField(), help_text="Ids of its pieces, in order.")
    path = serializers.CharField(help_text="Path of its page.")


class WholeBookAnswer(BookAnswer):
    """A rule book with its chapters."""

    chapters = ChapterAnswer(many=True)


class ParagraphAnswer(Output):
    """One piece of a chapter. Its id is the same in all languages and is never used for anything else."""

    id = serializers.CharField()
    game = serializers.CharField()
    chapter = serializers.CharField(help_text="Id of its chapter.")
    number = serializers.IntegerField(allow_null=True, help_text="In its chapter; null for headings and examples.")
    kind = serializers.ChoiceField(choices=PIECE_KINDS)
    level = serializers.IntegerField(help_text="Of a heading; else 0.")
    section = serializers.CharField(help_text="The heading it is under.")
    text = serializers.CharField(allow_blank=True, help_text="Plain text.")
    html = serializers.CharField(
        allow_blank=True, help_text="The same as clean HTML, without scripts and styles. Addresses in it are paths of this site."
    )
    lang = serializers.CharField(help_text="Language of the text, which may lack a translation.")
    terms = serializers.ListField(child=serializers.CharField(), help_text="Ids of the glossary's entries that it names.")
    links = serializers.ListField(child=serializers.CharField(), help_text="Paragraphs that it refers to, such as `ra#auction-3`.")
    example = serializers.CharField(allow_null=True, help_text="Id of a worked example.")
    path = serializers.CharField(help_text="Path of its place in the page of its chapter.")


class ChapterTextAnswer(Output):
    """A chapter piece by piece."""

    game = serializers.CharField()
    id = serializers.CharField()
    paragraphs = ParagraphAnswer(many=True)


class ExampleRowAnswer(Output):
    """A worked example, by name."""

    id = serializers.CharField()
    title = serializers.CharField()
    paragraph = serializers.CharField(help_text=PARAGRAPH_ID)


class ExampleStepAnswer(Output):
    """A step of a worked example."""

    actor = serializers.IntegerField(help_text="The seat, from 0; -1 is chance, -2 the scorer.")
    action = serializers.CharField(help_text="In the text form that `act` takes.")
    text = serializers.CharField(allow_blank=True, help_text="What happened, or why it is forbidden.")
    refused = serializers.CharField(allow_null=True, help_text="The paragraph that forbids it; null if it is allowed.")
    path = serializers.CharField(help_text="Path of the page that draws the position after it.")


class ExampleAnswer(ExampleRowAnswer):
    """A worked example: a position, and what is played from it."""

    game = serializers.CharField()
    intro = serializers.CharField(allow_blank=True)
    names = serializers.ListField(child=serializers.CharField(), help_text="What the texts call the players, by seat.")
    position = serializers.JSONField(help_text="A position file, as records have it.")
    steps = ExampleStepAnswer(many=True)
    path = serializers.CharField(help_text="Path of the page that draws the position before the first step.")


class InLanguageAnswer(Output):
    """A noun in another language."""

    lang = serializers.CharField()
    noun = serializers.CharField()


class NounAnswer(Output):
    """An entry of the glossary, by name."""

    id = serializers.CharField(help_text="As in actions, views and events.")
    game = serializers.CharField()
    noun = serializers.CharField()
    others = serializers.SerializerMethodField(help_text="In the other languages.")

    @extend_schema_field(InLanguageAnswer(many=True))
    def get_others(self, noun: reading.NounRead) -> list[dict[str, str]]:
        return _in_languages(noun.others)


class DefinitionAnswer(Output):
    """A paragraph, or a row of a table, that defines a noun."""

    paragraph = serializers.CharField(help_text=PARAGRAPH_ID)
    html = serializers.CharField()


class EntryAnswer(Output):
    """An entry of the glossary."""

    id = serializers.CharField(source="noun.id")
    game = serializers.CharField(source="noun.game")
    noun = serializers.CharField(source="noun.noun")
    others = serializers.SerializerMethodField(help_text="In the other languages.")
    definitions = serializers.SerializerMethodField(help_text="The most important one first.")
    uses = serializers.ListField(child=serializers.CharField(), help_text="Paragraphs that name it, such as `ra#auction-3`.")
    path = serializers.CharField(help_text="Path of its page.")

    @extend_schema_field(InLanguageAnswer(many=True))
    def get_others(self, entry: reading.EntryRead) -> list[dict[str, str]]:
        return _in_languages(entry.noun.others)

    @extend_schema_field(DefinitionAnswer(many=True))
    def get_definitions(self, entry: reading.EntryRead) -> list[dict[str, str]]:
        return [{"paragraph": paragraph, "html": html} for paragraph, html in entry.told]


def _in_languages(others: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"lang": lang, "noun": noun} for lang, noun in others]


class AidRowAnswer(Output):
    """A line of a player aid."""

    text = serializers.CharField()
    html = serializers.CharField(help_text="The same with pictures of pieces.")
    worth = serializers.CharField(allow_blank=True, help_text="What it scores or costs.")
    rules = serializers.ListField(child=serializers.CharField(), help_text="Its paragraphs, such as `ra#auction-3`.")


class AidSectionAnswer(Output):
    """A part of a player aid."""

    key = serializers.ChoiceField(choices=AID_SECTIONS)
    title = serializers.CharField()
    rows = AidRowAnswer(many=True)


class AidAnswer(Output):
    """A player aid: a game on one page."""

    game = serializers.CharField()
    lang = serializers.CharField()
    sections = AidSectionAnswer(many=True)


class HitAnswer(Output):
    """A paragraph that was found."""

    game = serializers.CharField()
    id = serializers.CharField(source="anchor", help_text="Of the paragraph.")
    chapter = serializers.CharField()
    title = serializers.CharField(help_text="Of the chapter.")
    section = serializers.CharField()
    number = serializers.IntegerField(allow_null=True)
    kind = serializers.ChoiceField(choices=PIECE_KINDS)
    lang = serializers.CharField()
    excerpt = serializers.SerializerMethodField(
        help_text="HTML with the words that were found in `<mark>`; of a table, the rows that have them."
    )

    def get_excerpt(self, hit: Hit) -> str:
        shown = hit.excerpt
        return shown.text or "; ".join(", ".join(cell for cell in row if cell) for row in shown.rows)


class MeantAnswer(Output):
    """A word of the question that was read as another."""

    said = serializers.CharField()
    meant = serializers.CharField()
    is_translated = serializers.BooleanField(help_text="Whether it is the same noun in another language; else it was misspelt.")


class FoundTermAnswer(Output):
    """An entry of the glossary that the question names."""

    game = serializers.CharField()
    id = serializers.CharField()
    noun = serializers.CharField(source="name")


class FoundAnswer(paged(HitAnswer)):  # type: ignore[misc]
    """A page of what was found, best first. The first page also has what else the question could mean."""

    meant = MeantAnswer(many=True)
    unknown = serializers.ListField(child=serializers.CharField(), help_text="Words that no book has.")
    terms = FoundTermAnswer(many=True)
    elsewhere = HitAnswer(many=True, help_text="A few paragraphs in other languages, if the words are known only there.")


class BooksView(PublicView):
    @extend_schema(
        operation_id="books",
        summary="List the rule books",
        parameters=[LANG],
        responses={200: BookAnswer(many=True), **READS},
        tags=["books"],
    )
    def get(self, request: Request) -> Response:
        """All of them, each in the language asked for if it has it, else in English or the language of its source."""
        return Response(BookAnswer(reading.books(self.lang), many=True).data)


class _BookView(PublicView):
    def handle_exception(self, exc: Exception) -> Response:
        return super().handle_exception(NothingWritten() if isinstance(exc, reading.NotWritten) else exc)


class BookView(_BookView):
    @extend_schema(
        operation_id="book",
        summary="See what is in a rule book",
        parameters=[LANG],
        responses={200: WholeBookAnswer, **READS},
        tags=["books"],
    )
    def get(self, request: Request, game: str) -> Response:
        """Its chapters, with the ids of their paragraphs. Texts are fetched by chapter or by paragraph."""
        book, chapters = reading.book(game, self.lang)
        return Response({**BookAnswer(book).data, "chapters": ChapterAnswer(chapters, many=True).data})


class ChapterView(_BookView):
    @extend_schema(
        operation_id="chapter", summary="Read a chapter", parameters=[LANG], responses={200: ChapterTextAnswer, **READS}, tags=["books"]
    )
    def get(self, request: Request, game: str, chapter: str) -> Response:
        """Its headings, paragraphs and examples in order, as plain text and as HTML."""
        return Response(ChapterTextAnswer({"game": game, "id": chapter, "paragraphs": reading.chapter(game, chapter, self.lang)}).data)


class ParagraphView(_BookView):
    @extend_schema(
        operation_id="paragraph", summary="Read a paragraph", parameters=[LANG], responses={200: ParagraphAnswer, **READS}, tags=["books"]
    )
    def get(self, request: Request, game: str, paragraph: str) -> Response:
        """What `rule` names anywhere in the API: for `ra#auction-3` ask `books/ra/paragraphs/auction-3/`. A retired paragraph leads to the one that took its place; `id` says which."""
        return Response(ParagraphAnswer(reading.paragraph(game, paragraph, self.lang)).data)


class ExamplesView(_BookView):
    @extend_schema(
        operation_id="examples",
        summary="List the worked examples of a rule book",
        parameters=[LANG, *CURSOR],
        responses={200: paged(ExampleRowAnswer), **READS},
        tags=["books"],
    )
    def get(self, request: Request, game: str) -> Response:
        """By id."""
        keyed = [(name, {"id": name, "title": title, "paragraph": rule}) for name, title, rule in reading.example_titles(game, self.lang)]
        rows, following = page_of_sorted(keyed, request, of=f"examples.{game}")
        return Response({"next": following, "results": ExampleRowAnswer(rows, many=True).data})


class ExampleView(_BookView):
    @extend_schema(
        operation_id="example", summary="See a worked example", parameters=[LANG], responses={200: ExampleAnswer, **READS}, tags=["books"]
    )
    def get(self, request: Request, game: str, example: str) -> Response:
        """The position, and each action with what it does; some steps show what the rules forbid."""
        return Response(ExampleAnswer(reading.example(game, example, self.lang)).data)


class GlossaryView(_BookView):
    @extend_schema(
        operation_id="glossary",
        summary="List a game's glossary",
        parameters=[LANG, *CURSOR],
        responses={200: paged(NounAnswer), **READS},
        tags=["books"],
    )
    def get(self, request: Request, game: str) -> Response:
        """The pieces, places and cards that its book defines, in the alphabetical order of the language, with their names in all languages."""
        keyed = [(f"{at:05d}", noun) for at, noun in enumerate(reading.nouns(game, self.lang))]
        rows, following = page_of_sorted(keyed, request, of=f"glossary.{game}.{self.lang}")
        return Response({"next": following, "results": NounAnswer(rows, many=True).data})


class EntryView(_BookView):
    @extend_schema(
        operation_id="glossary_entry",
        summary="See an entry of a glossary",
        parameters=[LANG],
        responses={200: EntryAnswer, **READS},
        tags=["books"],
    )
    def get(self, request: Request, game: str, term: str) -> Response:
        """What the book says it is, and where it is named."""
        return Response(EntryAnswer(reading.entry(game, term, self.lang)).data)


class AidView(_BookView):
    @extend_schema(
        operation_id="player_aid", summary="See a player aid", parameters=[LANG], responses={200: AidAnswer, **READS}, tags=["books"]
    )
    def get(self, request: Request, game: str) -> Response:
        """A game on one page: what can be done, what it costs, what scores."""
        return Response(AidAnswer({"game": game, "lang": self.lang, "sections": reading.aid(game, self.lang)}).data)


@dataclass(frozen=True, slots=True)
class _Question:
    """A question to the search, checked."""

    q: str
    lang: str
    game: str
    is_exact: bool

    @property
    def key(self) -> str:
        """Names the list of its answers, so that a cursor fits no other one."""
        return f"found.{self.lang}.{self.game}.{self.is_exact}.{self.q}"


class SearchView(PublicView):
    @extend_schema(
        operation_id="search_books",
        summary="Search the rule books",
        parameters=[
            OpenApiParameter(
                "q",
                OpenApiTypes.STR,
                required=True,
                description=f'Words, in any form and order; `"two words"` side by side, `-word` not there. At most {MAX_QUERY} characters.',
            ),
            OpenApiParameter("game", OpenApiTypes.STR, description="Only in this game's book."),
            OpenApiParameter("exact", OpenApiTypes.BOOL, description="Correct no word."),
            LANG,
            *CURSOR,
        ],
        responses={200: FoundAnswer, **READS},
        tags=["books"],
    )
    def get(self, request: Request) -> Response:
        """The paragraphs that answer best, at most 120, as on the search page. Misspelt words, and nouns of other languages, are read as what they mean."""
        asked = self._question(request)
        result = find(asked.q, asked.lang, asked.game, limit=MOST_FOUND, exact=asked.is_exact)
        hits, following = page_of_sorted([(f"{at:03d}", hit) for at, hit in enumerate(result.hits)], request, of=asked.key)
        beside = result if "cursor" not in request.query_params else Result()
        return Response(
            {
                "next": following,
                "results": HitAnswer(hits, many=True).data,
                "meant": MeantAnswer(beside.meant, many=True).data,
                "unknown": list(beside.unknown),
                "terms": FoundTermAnswer(beside.terms, many=True).data,
                "elsewhere": HitAnswer(beside.elsewhere, many=True).data,
            }
        )

    def _question(self, request: Request) -> _Question:
        """Raises ValidationError."""
        values = request.query_params
        q, game, exact = values.get("q", "").strip(), values.get("game", ""), values.get("exact", "false").lower()
        faults: dict[str, Any] = {}
        if not 1 <= len(q) <= MAX_QUERY:
            faults["q"] = _("Ask with 1 to %(most)d characters.") % {"most": MAX_QUERY}
        if game and game not in content.book_keys():
            faults["game"] = _("This game doesn't exist.")
        if exact not in ("true", "false"):
            faults["exact"] = _("Choose one of these: %(known)s.") % {"known": "true, false"}
        if faults:
            raise exceptions.ValidationError(faults)
        return _Question(q, self.lang, game, exact == "true")
