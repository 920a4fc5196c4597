"""
What units state, now that an interviewer's questions state nothing (ruling D12).

What interviewers say is left out as a whole, and so is every question, whoever asks it. An
answer that affirms a question states what was asked: both together become a unit of their own,
which all layers read as one statement. Quotes alone are looked for in questions too: a person
may be quoted asking.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from groundwire._engine import sentences
from groundwire.faithfulness.sources.units import Unit
from groundwire.language.questions import (
    is_affirmation,
    is_question,
    is_single_question,
    may_affirm,
    may_ask_and_affirm,
    question_spans,
)
from groundwire.transcripts.speakers import is_interviewer

__all__ = ["is_by_interviewer", "is_stated", "stated_spans", "stated_text", "with_answers"]

_ANSWER_CHARS = 400
_TAG_WORDS = 3
"""So short, a question asks about the sentence before it: `You are a nurse. Is that right?`"""


def with_answers(units: Iterable[Unit]) -> Iterator[Unit]:
    """Yield *units*, and behind each that affirms a question the unit of both."""
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
    """Tell whether *unit* is said by someone whose name says that they ask the questions."""
    return unit.locator.speaker is not None and is_interviewer(unit.locator.speaker)


def is_stated(unit: Unit, start: int) -> bool:
    """Tell whether *unit* states what stands at this place: no question, and not said by an interviewer."""
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
    """Return the sentences of *unit* that state something, those together that no question parts."""
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
    """Return the text of *unit* without the questions in it."""
    if unit.fields or unit.answer_start or not question_spans(unit.text):
        return unit.text
    return " ".join(unit.text[start:end].strip() for run in stated_spans(unit) for start, end in run)


def _first(text: str) -> str:
    """The first sentence of an answer."""
    return next((text[start:end] for start, end in sentences(text[:_ANSWER_CHARS])), "")


def _affirmed(before: Unit, unit: Unit) -> Iterator[Unit]:
    """The unit of a question that ends *before*, and of the first sentence of *unit* that affirms it."""
    if before.fields or before.summary is not None or before.locator.source != unit.locator.source:
        return
    spans = sentences(before.text)
    if not spans or not (is_by_interviewer(before) or is_question(before.text[slice(*spans[-1])])):
        return
    start, end = _asked(before.text, spans)
    answer = _first(unit.text).strip()
    if not is_affirmation(answer):
        return
    place = unit.text.index(answer)
    locator = replace(
        unit.locator,
        line=before.locator.line,
        start=before.locator.start + start,
        end=unit.locator.start + place + len(answer),
    )
    yield from _joined(before.text[start:end], answer, replace(unit, locator=locator))


def _affirmed_inside(unit: Unit) -> Iterator[Unit]:
    """The units of the questions in *unit* that the sentence behind them affirms."""
    asked = question_spans(unit.text)
    spans = sentences(unit.text)
    for number, (start, end) in enumerate(spans[1:], 1):
        if spans[number - 1] in asked and is_affirmation(unit.text[start:end].strip()):
            first, last = _asked(unit.text, spans[:number])
            offset = unit.locator.start
            locator = replace(unit.locator, start=offset + first, end=offset + end)
            yield from _joined(unit.text[first:last], unit.text[start:end].strip(), replace(unit, locator=locator))


def _asked(text: str, spans: list[tuple[int, int]]) -> tuple[int, int]:
    """The span of the last question, with the sentence before it if it only asks for assent to that."""
    start, end = spans[-1]
    if len(spans) > 1 and len(text[start:end].split()) <= _TAG_WORDS:
        start = spans[-2][0]
    return start, end


def _joined(question: str, answer: str, unit: Unit) -> Iterator[Unit]:
    asked = question.strip()
    if asked and is_single_question(asked):
        yield replace(unit, text=f"{asked}\n{answer}", answer_start=len(asked) + 1)
