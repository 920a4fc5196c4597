"""
The ladder of verdicts on one source: the first rung that holds a quote decides.

Blank; standing there as it is, on word boundaries (ruling A10); in parts, where the
quote marks that it leaves something out; in nearly these words, aligned, with a
kind for every difference (ruling A9); not there.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

from groundwire._engine import Match, QuoteAlignment, Source, _rebuild_match, normalize
from groundwire.evidence.differences import MEANING, Difference, DifferenceKind, classify
from groundwire.evidence.foldings import normalization_reasons
from groundwire.evidence.fragments import MAX_FRAGMENTS, Fragments, chain, fragments_of
from groundwire.evidence.policy import QuotePolicy
from groundwire.evidence.truncation import hidden_meaning
from groundwire.evidence.verdicts import QuoteStatus, QuoteVerdict, Reason

__all__ = ["climb"]

_MAX_PLACES = 1000
"""Occurrences of a part of a quote that are looked at: what occurs more often says little."""

_NOT_EDITORIAL = MEANING - {DifferenceKind.NAME}
"""What an author may not put into a quote, in brackets or not; a name for "he" is what brackets are for."""

_CONTEXT_CHARS = 200
"""Kept text before a gap that says whether a sentence ended there."""


def climb(
    quotes: Sequence[str],
    source: Source,
    policy: QuotePolicy,
    *,
    is_allowed: Callable[[int, int], bool] = lambda _start, _end: True,
    workers: int = 1,
) -> list[QuoteVerdict]:
    """
    Say of each quote how it stands in *source*, whose profile is typographic.

    `accepted` says whether the status alone is one that *policy* accepts. Of
    several occurrences those that *is_allowed* are taken, if there are any.
    """
    verdicts: list[QuoteVerdict | None] = [None] * len(quotes)
    open_: list[int] = []
    for number, match in enumerate(source.ground(quotes, workers=workers)):
        verdicts[number] = _verbatim(quotes[number], match, source, policy, is_allowed)
        if verdicts[number] is None:
            verdicts[number] = _blank(quotes[number]) or _elided(quotes[number], source, policy)
        if verdicts[number] is None:
            open_.append(number)
    aligned = source.align_quotes([quotes[number] for number in open_], threshold=policy.threshold, workers=workers)
    for number, alignment in zip(open_, aligned, strict=True):
        verdicts[number] = _near(quotes[number], alignment, source, policy)
    return [verdict for verdict in verdicts if verdict is not None]


def _verbatim(
    quote: str, match: Match | None, source: Source, policy: QuotePolicy, is_allowed: Callable[[int, int], bool]
) -> QuoteVerdict | None:
    """The verdict on a quote that stands in the source on word boundaries."""
    if match is None:
        return None
    found = source.find_all(quote, word_boundaries=True)
    if not found:
        return None
    places = [place for place in found if is_allowed(place.start, place.end)] or found
    best = next((place for place in places if place.kind == "exact"), places[0])
    status = QuoteStatus.EXACT if best.kind == "exact" else QuoteStatus.NORMALIZED
    reasons: tuple[Reason, ...] = ()
    differences: tuple[Difference, ...] = ()
    if status is QuoteStatus.NORMALIZED:
        reasons = tuple(map(Reason, normalization_reasons(quote, best.text)))
        differences = _differences(quote, source, source.align(quote, best.start, best.end))
    return QuoteVerdict(
        quote=quote,
        status=status,
        accepted=status in policy.accept,
        match=best,
        all_spans=tuple((place.start, place.end) for place in places),
        differences=tuple(each for each in differences if each.kind not in MEANING),
        reasons=reasons,
    )


def _blank(quote: str) -> QuoteVerdict | None:
    # A letter at the beginning is in no mark.
    if (quote[:1].isascii() and quote[:1].isalnum()) or any(map(str.isalnum, normalize(quote, profile="typographic"))):
        return None
    return QuoteVerdict(quote=quote, status=QuoteStatus.BLANK, accepted=False, reasons=(Reason.NO_WORDS,))


def _absent(quote: str, reason: Reason) -> QuoteVerdict:
    return QuoteVerdict(quote=quote, status=QuoteStatus.ABSENT, accepted=False, reasons=(reason,))


def _elided(quote: str, source: Source, policy: QuotePolicy) -> QuoteVerdict | None:
    """The verdict on a quote in parts; None if it is not in parts, or they are not there as they are."""
    fragments = fragments_of(quote)
    if not fragments or not fragments.texts:
        return None
    if len(fragments.texts) > MAX_FRAGMENTS:
        return _absent(quote, Reason.TOO_MANY_ELLIPSES)
    places = []
    for text in fragments.texts:
        found = source.find_all(text, word_boundaries=True)[:_MAX_PLACES]
        if not found:
            return None
        places.append([(match.start, match.end) for match in found])
    spans = chain(fragments, places, policy.max_gap_chars)
    return _of_parts(quote, fragments, spans, source, policy) if spans else None


def _of_parts(
    quote: str, fragments: Fragments, spans: list[tuple[int, int]], source: Source, policy: QuotePolicy
) -> QuoteVerdict:
    """The verdict on parts that stand at *spans*."""
    hidden: list[str] = []
    differences: list[Difference] = []
    for gap, (start, end) in zip(fragments.gaps, _gaps(spans), strict=True):
        if gap.brackets is not None:
            differences += classify(quote, source.text, [(*gap.brackets, start, end)])
        elif start < end:
            hidden += hidden_meaning(source.text[start:end], before=source.text[max(0, start - _CONTEXT_CHARS) : start])
    touching = {each.kind for each in differences} & _NOT_EDITORIAL
    status = QuoteStatus.ALTERED if hidden or touching else QuoteStatus.ELIDED
    reasons = [Reason(kind) for kind in DifferenceKind if kind in touching]
    reasons += [Reason.HIDDEN_MEANING] if hidden else []
    reasons += [Reason.ELLIPSIS] if fragments.has_ellipsis else []
    reasons += [Reason.EDITORIAL_BRACKETS] if fragments.has_brackets else []
    start, end = spans[0][0], spans[-1][1]
    return QuoteVerdict(
        quote=quote,
        status=status,
        accepted=status in policy.accept,
        match=_rebuild_match(start, end, 1.0, "normalized", source.text[start:end]),
        all_spans=tuple(spans),
        differences=tuple(differences),
        reasons=tuple(reasons),
        hidden=tuple(hidden),
    )


def _gaps(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """What is between the spans; nothing before the first and after the last."""
    first, last = spans[0][0], spans[-1][1]
    return [(first, first), *((end, start) for (_, end), (start, _) in pairwise(spans)), (last, last)]


def _near(quote: str, alignment: QuoteAlignment | None, source: Source, policy: QuotePolicy) -> QuoteVerdict:
    """The verdict on a quote that is like a passage, or like none."""
    if alignment is None:
        is_longer = len(normalize(quote, profile="typographic")) > len(source)
        return _absent(quote, Reason.LONGER_THAN_SOURCE if is_longer else Reason.BELOW_THRESHOLD)
    start, end = alignment.start, alignment.end
    passage = source.text[start:end]
    if _is_cut(quote, passage, alignment.edits, policy.threshold):
        return _absent(quote, Reason.CUT_WORD)
    differences = _differences(quote, source, alignment)
    kinds = list(dict.fromkeys(each.kind for each in differences))
    touching = [kind for kind in kinds if kind in MEANING]
    status = QuoteStatus.ALTERED if touching else QuoteStatus.NEAR
    return QuoteVerdict(
        quote=quote,
        status=status,
        accepted=status in policy.accept,
        match=_rebuild_match(start, end, alignment.score, "fuzzy", passage),
        all_spans=((start, end),),
        differences=differences,
        reasons=tuple(map(Reason, dict.fromkeys([*touching, *kinds]))),
    )


def _is_cut(quote: str, passage: str, edits: Sequence[tuple[int, int, int, int]], threshold: float) -> bool:
    """
    Whether no word of the quote is there, and what it stands in is so much longer that these are other words.

    `no` is a part of `another`, and has the best of all partial ratios there.
    """
    if sum(end - start for start, end, _, _ in edits) < len(quote.strip()):
        return False
    short, whole = (len(normalize(text, profile="typographic")) for text in (quote, passage))
    return 2 * short < threshold * (short + whole)


def _differences(quote: str, source: Source, alignment: QuoteAlignment) -> tuple[Difference, ...]:
    return tuple(classify(quote, source.text, alignment.edits))
