"""
Splits sources into units: turns, paragraphs, rows, objects and columns, each with its location.

A unit is small enough to be compared with a claim as a whole. Units are created one at a time, so that a source of any
size needs little memory. Questions state nothing (ruling D12): a question and the answer that affirms it are a unit of
their own, which all layers read as one statement. Only quotes are also searched in questions that the person asks."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from groundwire._engine import sentences
from groundwire.language.questions import (
    QUESTION_MARKS,
    is_affirmation,
    is_question,
    is_single_question,
    may_affirm,
    may_ask_and_affirm,
    question_spans,
)
from groundwire.transcripts.speakers import is_interviewer

__all__ = [
    "MAX_UNIT_CHARS",
    "ColumnSummary",
    "Field",
    "Locator",
    "Unit",
    "chunks",
    "is_by_interviewer",
    "is_stated",
    "join_path",
    "record_units",
    "stated_spans",
    "stated_text",
    "with_answers",
]

MAX_UNIT_CHARS = 2_000
"""The maximum length of a unit. Longer texts are split, preferably between sentences."""

_PROSE_CHARS = 200
"""A longer value of a row or object is prose and a unit of its own."""

_SHOWN_VALUES = 5
"""The maximum number of values in the summary of a column, the most frequent first."""

_SHOWN_VALUE_CHARS = 60
"""Values of at least this length are left out of the summary."""

_ROUNDED_FROM = 1e6
"""Means and medians from this value on are shown without decimals."""


@dataclass(frozen=True, slots=True)
class Locator:
    """
    The location of a unit.

    Attributes:
        source: The name of the source.
        line: The first line, from 1.
        start, end: The span in the source, in code points without a byte order mark; the span in `Transcript.text` for
            subtitles, tables of turns and JSON segments; 0 for objects.
        row: The row of a table without the header, or the record of a list, from 1.
        column: The column of a table.
        turn: The number of the turn, from 1.
        speaker: The speaker's name as written.
        path: The path in JSON: `answers[0].text`.
    """

    source: str
    line: int
    start: int
    end: int
    row: int | None = None
    column: str | None = field(default=None, repr=False)
    turn: int | None = None
    speaker: str | None = field(default=None, repr=False)
    path: str | None = field(default=None, repr=False)

    def __str__(self) -> str:
        """Return the location for people: `survey.csv, line 3, row 2, column "age"`."""
        parts = [self.source]
        if self.row is not None or self.column is None:
            parts.append(f"line {self.line}")
        if self.row is not None:
            parts.append(f"row {self.row}")
        if self.column is not None:
            parts.append(f'column "{self.column}"')
        if self.turn is not None:
            parts.append(f"turn {self.turn}" + (f" ({self.speaker})" if self.speaker else ""))
        if self.path:
            parts.append(self.path)
        return ", ".join(parts)


class Field(NamedTuple):
    """A named value of a unit: the words of its column or key, the value, and the value's span in the unit's text."""

    name: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ColumnSummary:
    """
    The statistics of a column.

    Attributes:
        name: The column's name.
        rows: The number of rows of the table, or of records of the list.
        filled: The number of values that are not blank.
        numbers: The number of values that are numbers.
        minimum, maximum, mean: Statistics of the numbers; None without any.
        median: The median of the numbers; None without any, or with too many different values.
        counts: The frequency of each value, apart from case and outer white space; empty if `is_complete` is False.
        is_complete: Whether all different values were counted: at most 10,000.
    """

    name: str
    rows: int
    filled: int
    numbers: int
    minimum: float | None
    maximum: float | None
    mean: float | None
    median: float | None
    counts: dict[str, int] = field(repr=False)
    is_complete: bool

    def share(self, value: str) -> float | None:
        """Return the share of the filled rows that have *value*, 0.0 to 1.0; None if unknown."""
        if not self.is_complete or not self.filled:
            return None
        return self.counts.get(value.strip().casefold(), 0) / self.filled

    def text(self) -> str:
        """Return the summary in words, for people and for word comparison."""
        facts = [f"{self.filled} of {self.rows} rows filled"]
        if self.numbers:
            facts.append(f"mean {_short(self.mean)}")
            facts += [f"median {_short(self.median)}"] if self.median is not None else []
            facts.append(f"from {_short(self.minimum)} to {_short(self.maximum)}")
        elif self.is_complete:
            frequent = Counter(self.counts).most_common(_SHOWN_VALUES)
            facts += [
                f"{value} ({count})" for value, count in frequent if count > 1 and len(value) < _SHOWN_VALUE_CHARS
            ]
        return f"{self.name}: {', '.join(facts)}"


def _short(number: float | None) -> str:
    return f"{number:,.6g}" if number is not None and abs(number) < _ROUNDED_FROM else f"{number:,.0f}"


@dataclass(frozen=True, slots=True)
class Unit:
    """
    A part of a source that is compared as a whole.

    Attributes:
        text: The text: a slice of prose; `age: 34; occupation: Marketing Manager` for a row or an object; the question
            and the answer, each on a line, for an affirmed question.
        locator: The location.
        fields: The named values of a row or an object, in order; empty for other units.
        summary: The statistics of a column; None for other units.
        answer_start: The offset of the answer that affirms the question before it (ruling D12); 0 for other units.
    """

    text: str = field(repr=False)
    locator: Locator
    fields: tuple[Field, ...] = field(default=(), repr=False)
    summary: ColumnSummary | None = field(default=None, repr=False)
    answer_start: int = 0

    def field_at(self, start: int) -> Field | None:
        """Return the field whose value has the offset *start*."""
        return next((field for field in self.fields if field.start <= start < field.end), None)


def record_units(
    values: Iterable[tuple[str, str]], locator: Locator, *, are_columns: bool, span_of: Callable[[int], tuple[int, int]]
) -> Iterator[Unit]:
    """
    Yield the units of one record: its short values together, each long value alone.

    A question states nothing, as the name of a value or as a value (ruling D12): its field is a unit of its own, and so
    is a question with the value that affirms it.

    Args:
        values: Pairs of name and value. Blank values are left out.
        locator: The location of the record.
        are_columns: Whether names are columns of a table; else they are paths below that of *locator*.
        span_of: Returns the span of a value in the source, by its index.
    """
    pieces: list[str] = []
    fields: list[Field] = []
    length = 0
    asked = ""
    for number, (name, text) in enumerate(values):
        value = text.strip()
        size = len(value)
        if not size:
            continue
        is_asked = name.endswith(QUESTION_MARKS)
        question = name if is_asked else asked
        asked = value if value.endswith(QUESTION_MARKS) else ""
        if question and is_affirmation(value) and is_single_question(question):
            yield Unit(f"{question}\n{value}", locator, answer_start=len(question) + 1)
        if size > _PROSE_CHARS or is_asked or asked:
            yield from _long_units(name, text, span_of(number), locator, are_columns=are_columns)
            continue
        if length + len(name) + size > MAX_UNIT_CHARS and fields:
            yield Unit("".join(pieces), locator, tuple(fields))
            pieces, fields, length = [], [], 0
        before = f"; {name}: " if fields and name else f"{name}: " if name else "; " if fields else ""
        start = length + len(before)
        length = start + size
        # Equivalent to `Field(...)` in half the time: a table has millions of fields.
        fields.append(tuple.__new__(Field, (name, value, start, length)))
        pieces += (before, value)
    if fields:
        yield Unit("".join(pieces), locator, tuple(fields))


def _long_units(name: str, text: str, span: tuple[int, int], locator: Locator, *, are_columns: bool) -> Iterator[Unit]:
    place = {"column": name} if are_columns else {"path": join_path(locator.path, name)}
    inner = replace(locator, start=span[0], end=span[1], **place)  # type: ignore[arg-type] # both keys are texts of a locator
    for start, end in chunks(text):
        piece = text[start:end]
        yield Unit(piece, inner, (Field(name, piece, 0, len(piece)),))


def join_path(path: str | None, name: str) -> str:
    return f"{path}.{name}" if path and name and not name.startswith("[") else f"{path or ''}{name}"


def chunks(text: str) -> list[tuple[int, int]]:
    """
    Return the spans of the units of *text*, in order and without white space at their ends.

    Each span has at most `MAX_UNIT_CHARS`: as many sentences as fit, or words of a longer sentence, or characters of a
    longer word.
    """
    if len(text) <= MAX_UNIT_CHARS:
        spans = [(0, len(text))]
    else:
        spans = _joined_spans(piece for start, end in sentences(text) for piece in _cut(text, start, end))
    return [trimmed for start, end in spans if (trimmed := _trimmed(text, start, end)) is not None]


def _joined_spans(pieces: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in pieces:
        if joined and end - joined[-1][0] <= MAX_UNIT_CHARS:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of a sentence that is too long."""
    while end - start > MAX_UNIT_CHARS:
        blank = max(text.rfind(space, start, start + MAX_UNIT_CHARS) for space in " \n\t")
        cut = blank if blank > start else start + MAX_UNIT_CHARS
        yield start, cut
        start = cut
    yield start, end


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return None if left == len(piece) else (start + left, start + len(piece.rstrip()))


_ANSWER_CHARS = 400
_TAG_WORDS = 3
"""A question of at most this length refers to the sentence before it: `You are a nurse. Is that right?`"""


def with_answers(units: Iterable[Unit]) -> Iterator[Unit]:
    """Yield *units*, each followed by the unit of a question and the answer in it that affirms the question."""
    before: Unit | None = None
    for unit in units:
        yield unit
        if unit.summary is None and not unit.fields:
            if before is not None and may_affirm(unit.text) and not is_by_interviewer(unit):
                yield from _affirmed(before, unit)
            if may_ask_and_affirm(unit.text) and not is_by_interviewer(unit):
                yield from _affirmed_inside(unit)
        before = unit


def is_by_interviewer(unit: Unit) -> bool:
    """Return whether the speaker of *unit* is an interviewer by name."""
    return unit.locator.speaker is not None and is_interviewer(unit.locator.speaker)


def is_stated(unit: Unit, start: int) -> bool:
    """Return whether *unit* states the text at offset *start*: it is not in a question and not by an interviewer."""
    if is_by_interviewer(unit):
        return False
    if unit.answer_start:
        return True
    field = next((field for field in unit.fields if start < field.end), None)
    if field is not None and start < field.start:
        return not is_question(field.name)
    text, offset = (unit.text, 0) if field is None else (field.value, field.start)
    return not any(first <= start - offset < last for first, last in question_spans(text))


def stated_spans(unit: Unit) -> list[list[tuple[int, int]]]:
    """Return the sentences of *unit* that state something, grouped between questions."""
    if is_by_interviewer(unit):
        return []
    if unit.fields or unit.answer_start:
        return [[(0, len(unit.text))]]
    asked = set(question_spans(unit.text))
    runs: list[list[tuple[int, int]]] = [[]]
    for span in sentences(unit.text):
        if span not in asked:
            runs[-1].append(span)
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def stated_text(unit: Unit) -> str:
    """Return the text of *unit* without its questions."""
    if unit.fields or unit.answer_start or not question_spans(unit.text):
        return unit.text
    return " ".join(unit.text[start:end].strip() for run in stated_spans(unit) for start, end in run)


def _first_sentence(text: str) -> str:
    """Return the first sentence of an answer."""
    return next((text[start:end] for start, end in sentences(text[:_ANSWER_CHARS])), "")


def _affirmed(before: Unit, unit: Unit) -> Iterator[Unit]:
    """Yield the unit of the question at the end of *before* and the first sentence of *unit*, if that affirms it."""
    if before.fields or before.summary is not None or before.locator.source != unit.locator.source:
        return
    spans = sentences(before.text)
    if not spans or not (is_by_interviewer(before) or is_question(before.text[slice(*spans[-1])])):
        return
    start, end = _last_question_span(before.text, spans)
    answer = _first_sentence(unit.text).strip()
    if not is_affirmation(answer):
        return
    place = unit.text.index(answer)
    locator = replace(
        unit.locator,
        line=before.locator.line,
        start=before.locator.start + start,
        end=unit.locator.start + place + len(answer),
    )
    yield from _answered_question(before.text[start:end], answer, replace(unit, locator=locator))


def _affirmed_inside(unit: Unit) -> Iterator[Unit]:
    """Yield a unit for each question in *unit* that the next sentence affirms."""
    asked = question_spans(unit.text)
    spans = sentences(unit.text)
    for number, (start, end) in enumerate(spans[1:], 1):
        if spans[number - 1] in asked and is_affirmation(unit.text[start:end].strip()):
            first, last = _last_question_span(unit.text, spans[:number])
            offset = unit.locator.start
            locator = replace(unit.locator, start=offset + first, end=offset + end)
            yield from _answered_question(
                unit.text[first:last], unit.text[start:end].strip(), replace(unit, locator=locator)
            )


def _last_question_span(text: str, spans: list[tuple[int, int]]) -> tuple[int, int]:
    """Return the span of the last question, including the sentence before it if the question only asks for assent."""
    start, end = spans[-1]
    if len(spans) > 1 and len(text[start:end].split()) <= _TAG_WORDS:
        start = spans[-2][0]
    return start, end


def _answered_question(question: str, answer: str, unit: Unit) -> Iterator[Unit]:
    asked = question.strip()
    if asked and is_single_question(asked):
        yield replace(unit, text=f"{asked}\n{answer}", answer_start=len(asked) + 1)
