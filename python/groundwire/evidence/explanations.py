"""
Explains a verdict on a quote in sentences, with the values that were found and those that would pass.

`EXPLANATIONS` is the catalogue: one or more templates with named fields for each reason. A reason without a template,
or without the values that its template needs, gets its meaning in `REASONS` as a sentence. The sentences quote the
source, so they belong in reports for the user, and never in logs or errors.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from string import Formatter
from typing import Protocol

from groundwire.evidence.assessment import quote_size
from groundwire.evidence.differences import FORM, DifferenceKind
from groundwire.evidence.verdicts import (
    REASONS,
    STATUSES,
    NearestPassage,
    QuotePolicy,
    QuoteReason,
    QuoteVerdict,
)
from groundwire.labels import plural
from groundwire.sanitize import one_line

__all__ = [
    "EXPLANATIONS",
    "as_sentence",
    "correction",
    "explain",
    "explain_difference",
    "explain_reason",
    "fill",
    "in_quotation_marks",
    "score_digits",
    "value_or_words",
]

EXPLANATIONS: dict[QuoteReason, tuple[str, ...]] = {
    QuoteReason.HIDDEN_MEANING: ("The omitted words negate or limit the quoted ones: {hidden}.",),
    QuoteReason.TRUNCATED_CONDITION: (
        "The words directly beside the quote negate or limit it, or make it conditional: {truncated}.",
    ),
    QuoteReason.ACROSS_TURNS: ("The quote joins words of several speakers: {speakers}.",),
    QuoteReason.WRONG_SPEAKER: ("Found, but spoken by someone else: {speakers}.",),
    QuoteReason.UNKNOWN_SPEAKER: ("The source has no speaker {speaker}.",),
    QuoteReason.SPEAKER_NOT_CHECKED: ("The quote names the speaker {speaker}, but the source names none.",),
    QuoteReason.NOT_IN_CITED_SOURCE: (
        "The cited source {cited} does not contain the quote; {source} does.",
        "The cited source does not contain the quote; {source} does.",
    ),
    QuoteReason.UNKNOWN_SOURCE: ("No source, or more than one, has the name that the quote gives: {cited}.",),
    QuoteReason.PAGE_NOT_CHECKED: ("The quote names page {page}, but the source has no pages.",),
    QuoteReason.OTHER_PAGE: ("Found on page {pages}; the quote names page {page}.",),
    QuoteReason.ACROSS_PAGES: ("The quote continues on the next page: it is on pages {pages}.",),
    QuoteReason.TOO_SHORT: (
        "The quote has {few_chars} and {few_words}; the policy requires at least {min_chars} and {min_words}.",
        "The quote has {few_words}; the policy requires at least {min_words}.",
        "The quote has {few_chars}; the policy requires at least {min_chars}.",
    ),
    QuoteReason.LONGER_THAN_SOURCE: ("The quote is longer than the source: it has {chars}.",),
    QuoteReason.BELOW_THRESHOLD: (
        "No passage is similar enough (best {best}, threshold {threshold}): {passage}",
        "No passage is similar enough (threshold {threshold}).",
    ),
    QuoteReason.ENTAILED: (
        "According to {model}, the quote follows from the nearest passage (score {score}, threshold {entailed_from}).",
    ),
}
"""Templates for each reason, in order of preference: the first one whose fields all have values is used."""

_CHANGES = {
    (True, True): "The passage says {source}; the quote says {quote}.",
    (True, False): "The quote omits {source}.",
    (False, True): "The quote adds {quote}.",
}
"""Templates for a difference, by whether the source and the quote have words there."""

_MORE = "There are {count} more such differences."
_MAX_DIFFERENCES = 3
_MAX_SHOWN_CHARS = 80
_MAX_SHOWN_PASSAGE_CHARS = 400
_VALUES = frozenset({DifferenceKind.NUMBER, DifferenceKind.UNIT, DifferenceKind.DATE, DifferenceKind.TIME})
# A template would show the same words twice, or "too much differs" word by word.
_UNEXPLAINED = FORM | {DifferenceKind.UNREAD}
_KINDS = {QuoteReason(kind.value): kind for kind in DifferenceKind if kind not in _UNEXPLAINED}


class ComparedWords(Protocol):
    """Holds a difference between the source and the quote, such as `Difference`."""

    @property
    def kind(self) -> DifferenceKind:
        """Return the kind of the difference."""

    @property
    def source_text(self) -> str:
        """Return the words of the source; empty if the quote adds words."""

    @property
    def quote_text(self) -> str:
        """Return the words of the quote; empty if the quote omits words."""


def explain(
    verdict: QuoteVerdict,
    *,
    policy: QuotePolicy | None = None,
    cited: str | None = None,
    nearest: NearestPassage | None = None,
) -> list[str]:
    """
    Return a sentence or two for each of the verdict's reasons, in their order.

    Args:
        verdict: The verdict; one of `assess_quotes`.
        policy: The policy of the verdict, which has the thresholds; None for the default.
        cited: Name of the source that the quote names.
        nearest: The nearest passage, which shows how far a quote is below the threshold. It is not searched for,
            because that takes time: pass `verdict.nearest`.
    """
    if not verdict.reasons:
        return []
    fields = _fields(verdict, QuotePolicy() if policy is None else policy, cited, nearest)
    return [explain_reason(reason, verdict.differences, fields) for reason in verdict.reasons]


def correction(verdict: QuoteVerdict, *, policy: QuotePolicy | None = None, cited: str | None = None) -> str:
    """
    Return why a quote is not accepted, and the passage that a better quote could copy.

    Args:
        verdict, policy, cited: See `explain`. The nearest passage is searched for.
    """
    sentences = explain(verdict, policy=policy, cited=cited, nearest=verdict.nearest)
    if not sentences:
        sentences = [as_sentence(STATUSES[verdict.status])]
    if verdict.match is not None:
        sentences.append(f"The source has: “{one_line(verdict.match.text, limit=_MAX_SHOWN_PASSAGE_CHARS)}”")
    return " ".join(sentences)


def explain_reason(
    reason: QuoteReason, differences: Iterable[ComparedWords], fields: Mapping[str, str | None] | None = None
) -> str:
    """Return *reason* as a sentence with the words of the *differences* of its kind, or with *fields* by name."""
    if reason in _KINDS:
        sentences = [explain_difference(each) for each in differences if each.kind is _KINDS[reason]]
        more = [_MORE.format(count=len(sentences) - _MAX_DIFFERENCES)] if len(sentences) > _MAX_DIFFERENCES else []
        return " ".join([*sentences[:_MAX_DIFFERENCES], *more]) or as_sentence(REASONS[reason])
    return fill(EXPLANATIONS.get(reason, ()), fields or {}) or as_sentence(REASONS[reason])


def explain_difference(difference: ComparedWords) -> str:
    """Return a sentence with both sides of *difference*, each on one line and shortened."""
    source, quote = difference.source_text.strip(), difference.quote_text.strip()
    template = _CHANGES.get((bool(source), bool(quote)))
    if template is None:
        return as_sentence(REASONS[QuoteReason(difference.kind.value)])
    shown = value_or_words if difference.kind in _VALUES else in_quotation_marks
    return template.format(source=shown(source), quote=shown(quote))


def value_or_words(text: str) -> str:
    """Return a text with digits, such as a number with its unit, as it is, and words in quotation marks."""
    return one_line(text, limit=_MAX_SHOWN_CHARS) if any(map(str.isdigit, text)) else in_quotation_marks(text)


def fill(templates: Iterable[str], fields: Mapping[str, str | None]) -> str | None:
    """Return the first of *templates* whose fields all have values, with the values; None if there is none."""
    known = {name: value for name, value in fields.items() if value is not None}
    return next((each.format_map(known) for each in templates if _names(each) <= known.keys()), None)


def as_sentence(words: str) -> str:
    """Return *words* with a capital letter and a full stop."""
    return f"{words[0].upper()}{words[1:]}."


def in_quotation_marks(text: str) -> str:
    """Return *text* on one line, shortened, in quotation marks."""
    return f"“{one_line(text.strip(), limit=_MAX_SHOWN_CHARS)}”"


def score_digits(score: float | None) -> str | None:
    """
    Return *score* with two digits; None for None.

    Digits are cut off, not rounded: a score below a threshold never reads as if it reached it.
    """
    # Of 12 digits (ruling B4), because 0.29 * 100 is below 29 in floats.
    return None if score is None else f"{score:.12f}"[:-10]


@cache
def _names(template: str) -> frozenset[str]:
    """Return the names of the fields of *template*."""
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name)


def _fields(
    verdict: QuoteVerdict, policy: QuotePolicy, cited: str | None, nearest: NearestPassage | None
) -> dict[str, str | None]:
    """Return the values that the templates name; None for those that the verdict lacks."""
    is_short = QuoteReason.TOO_SHORT in verdict.reasons
    chars, words = quote_size(verdict.quote) if is_short else (policy.min_chars, policy.min_words)
    is_below = nearest is not None and nearest.score < policy.threshold
    reader = verdict.reader
    return {
        "hidden": ", ".join(map(in_quotation_marks, verdict.hidden)) or None,
        "truncated": None if verdict.truncated is None else in_quotation_marks(verdict.truncated),
        "speakers": ", ".join(one_line(name, limit=_MAX_SHOWN_CHARS) for name in verdict.speakers) or None,
        "speaker": None if verdict.speaker is None else in_quotation_marks(verdict.speaker),
        "cited": None if cited is None else in_quotation_marks(cited),
        "source": None if verdict.source is None else in_quotation_marks(verdict.source),
        "page": None if verdict.page is None else str(verdict.page),
        "pages": ", ".join(map(str, verdict.pages)) or None,
        "chars": plural(len(verdict.quote), "character"),
        "few_chars": plural(chars, "character") if chars < policy.min_chars else None,
        "few_words": plural(words, "word") if words < policy.min_words else None,
        "min_chars": plural(policy.min_chars, "character"),
        "min_words": plural(policy.min_words, "word"),
        "threshold": f"{policy.threshold:g}",
        "best": score_digits(nearest.score) if nearest is not None and is_below else None,
        "passage": in_quotation_marks(nearest.text) if nearest is not None and is_below else None,
        "model": None if reader is None else one_line(reader.model),
        "score": None if reader is None else score_digits(reader.score),
        "entailed_from": None if reader is None else f"{reader.threshold:g}",
    }
