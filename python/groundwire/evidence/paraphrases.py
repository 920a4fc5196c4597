"""
Finds quotes that a source says in other words, with a model that reads both.

The model scores only quotes that differ in wording alone. It never overrules a different number, date, name, negation,
modal, quantifier or condition, nor the checks of speakers, pages and surrounding words.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from groundwire._engine import sentences
from groundwire.evidence.differences import MEANING, DifferenceKind
from groundwire.evidence.verdicts import NearestPassage, QuotePolicy, QuoteReason, QuoteStatus, QuoteVerdict
from groundwire.language import read_passages, source_language
from groundwire.pair_scorer import PairScorer, is_vetoed, read_best

__all__ = ["with_paraphrases"]

_STATUSES = frozenset({QuoteStatus.ABSENT, QuoteStatus.ALTERED})

_WORDING = frozenset(
    {
        *(
            QuoteReason.CASE,
            QuoteReason.WHITESPACE,
            QuoteReason.TYPOGRAPHY,
            QuoteReason.MARKS,
            QuoteReason.VARIANTS,
            QuoteReason.PUNCTUATION,
            QuoteReason.SPELLING,
        ),
        *(
            QuoteReason.FILLER,
            QuoteReason.WORD_ADDED,
            QuoteReason.WORD_DROPPED,
            QuoteReason.WORD_REPLACED,
            QuoteReason.WORDING,
        ),
        QuoteReason.BELOW_THRESHOLD,
    }
)
"""Reasons that state only a different wording."""

_VETOES = MEANING - {DifferenceKind.WORDING, DifferenceKind.UNREAD}

_VALUES = frozenset(
    {DifferenceKind.NUMBER, DifferenceKind.UNIT, DifferenceKind.DATE, DifferenceKind.TIME, DifferenceKind.NAME}
)
"""
Differences that show only the position of a value if a quote is far from its passage. In that case `is_vetoed` checks
whether a value is missing.
"""

_BESIDE_CHARS = 600
"""Number of characters around a passage that are searched for the ends of its sentences."""


def with_paraphrases(
    verdicts: Sequence[QuoteVerdict],
    text_of: Callable[[str | None], str],
    policy: QuotePolicy,
    reader: PairScorer,
    cited: Sequence[str | None],
) -> list[QuoteVerdict]:
    """
    Return *verdicts*, with `paraphrased` for quotes that follow from the nearest passage according to *reader*.

    Args:
        verdicts: The verdicts of the guarded layer.
        text_of: Returns the text of the source with a name; for None, of the only source.
        policy: Whether paraphrases are accepted.
        reader: The model.
        cited: Name of the required source of each quote; None for any.

    Raises:
        ModelError: The reader failed.
    """
    asked: list[tuple[str, list[str]]] = []
    for verdict, name in zip(verdicts, cited, strict=True):
        passage = _readable(verdict, text_of, policy, name)
        asked.append((verdict.quote, [] if passage is None else [passage]))
    found = []
    for verdict, score in zip(verdicts, read_best(reader, asked), strict=True):
        if score is not None and score.score >= score.threshold:
            status = QuoteStatus.PARAPHRASED
            is_accepted = status in policy.accept
            reasons = (QuoteReason.ENTAILED, *verdict.reasons)
            found.append(replace(verdict, status=status, accepted=is_accepted, reasons=reasons, reader=score))
        else:
            found.append(verdict if score is None else replace(verdict, reader=score))
    return found


def _readable(
    verdict: QuoteVerdict, text_of: Callable[[str | None], str], policy: QuotePolicy, cited: str | None
) -> str | None:
    """Return the sentences of the passage for the reader; None if it may not decide."""
    is_open = verdict.status in _STATUSES and _WORDING.issuperset(verdict.reasons)
    # The speaker and the page of the nearest passage are not checked.
    is_placed = verdict.page is not None and verdict.match is None
    if not is_open or is_placed or verdict.speaker is not None or policy.speakers is not None:
        return None
    nearest = verdict.nearest
    if nearest is None or (cited is not None and nearest.source != cited):
        return None
    vetoes = _VETOES if verdict.match is not None else _VETOES - _VALUES
    if any(each.kind in vetoes for each in nearest.differences):
        return None
    text = text_of(nearest.source)
    passage = _sentences_of(nearest, text)
    ((row,),) = read_passages([passage], language=source_language(text)).support([verdict.quote])
    return None if row is None or is_vetoed(row) else passage


def _sentences_of(nearest: NearestPassage, text: str) -> str:
    """Return the sentences that overlap the passage."""
    begin = max(0, nearest.start - _BESIDE_CHARS)
    beside = text[begin : nearest.end + _BESIDE_CHARS]
    start, end = nearest.start - begin, nearest.end - begin
    spans = [span for span in sentences(beside) if span[0] < end and span[1] > start]
    return beside[spans[0][0] : spans[-1][1]] if spans else nearest.text
