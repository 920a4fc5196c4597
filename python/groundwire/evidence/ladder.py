"""
The ladder of verdicts on one source: the first rung that holds a quote decides.

Blank; standing there as it is, on word boundaries (ruling A10); longer than the
source (ruling A8); in parts, where the quote marks that it leaves something out; in
nearly these words, aligned, with a kind for every difference (ruling A9); not there.
"""

from collections.abc import Sequence

from groundwire._engine import MAX_BOUNDED_CHARS, QuoteAlignment, Source, _rebuild_match, normalize
from groundwire.evidence.differences import MEANING, Difference, classify
from groundwire.evidence.foldings import normalization_reasons
from groundwire.evidence.parted import PartedQuotes
from groundwire.evidence.policy import QuotePolicy
from groundwire.evidence.verdicts import FORM, REASON_OF_KIND, NearestPassage, QuoteStatus, QuoteVerdict, Reason

__all__ = ["climb", "find_nearest"]

_MOST_NORMALIZED_CHARS = 36
"""More than one character can become: U+FDFA has 18 in NFKC, and some have two in small letters."""


def climb(
    quotes: Sequence[str], source: Source, policy: QuotePolicy, *, text: str | None = None, workers: int = 1
) -> list[QuoteVerdict]:
    """
    Say of each quote how it stands in *source*, whose profile is typographic.

    `accepted` says whether the status alone is one that *policy* accepts. *text* is
    the whole text if *source* has some of it blotted out: gaps are read there.
    """
    source_chars = len(source.normalized)
    matches = source.ground(quotes, workers=workers)
    parted = PartedQuotes(source, source.text if text is None else text, policy)
    verdicts: list[QuoteVerdict | None] = [_verdict_by_length(quote, source, source_chars) for quote in quotes]
    # A rung at a time for all quotes: the code and the tables of one rung stay in the processor's cache.
    for number in _open(verdicts):
        if matches[number] is not None:
            verdicts[number] = _verbatim(quotes[number], source, policy)
    for number in _open(verdicts):
        verdicts[number] = parted.verdict(quotes[number])
    open_ = _open(verdicts)
    aligned = source.align_quotes([quotes[number] for number in open_], threshold=policy.threshold, workers=workers)
    for number, alignment in zip(open_, aligned, strict=True):
        verdicts[number] = _near(quotes[number], alignment, source, policy)
    return [verdict for verdict in verdicts if verdict is not None]


def _open(verdicts: Sequence[QuoteVerdict | None]) -> list[int]:
    """The numbers of the quotes that no rung has held so far."""
    return [number for number, verdict in enumerate(verdicts) if verdict is None]


def _verdict_by_length(quote: str, source: Source, source_chars: int) -> QuoteVerdict | None:
    """The verdict on a quote that has no words, or more characters than the source."""
    # Nothing normalises an ASCII letter or digit away, and it is in no mark if it comes first.
    first = quote[:1]
    if first.isascii() and first.isalnum() and len(quote) * _MOST_NORMALIZED_CHARS <= source_chars:
        return None
    normalized = normalize(quote, profile="typographic", marks=source.marks)
    if not any(map(str.isalnum, normalized)):
        return QuoteVerdict(quote=quote, status=QuoteStatus.BLANK, accepted=False, reasons=(Reason.NO_WORDS,))
    return _absent(quote, Reason.LONGER_THAN_SOURCE) if len(normalized) > source_chars else None


def _absent(quote: str, *reasons: Reason) -> QuoteVerdict:
    return QuoteVerdict(quote=quote, status=QuoteStatus.ABSENT, accepted=False, reasons=reasons)


def _verbatim(quote: str, source: Source, policy: QuotePolicy) -> QuoteVerdict | None:
    """The verdict on a quote that stands in the source on word boundaries; the first exact place before others."""
    places = source.find_all(quote, word_boundaries=True)
    if not places:
        return None
    best = next((place for place in places if place.kind == "exact"), places[0])
    status = QuoteStatus.EXACT if best.kind == "exact" else QuoteStatus.NORMALIZED
    reasons: tuple[Reason, ...] = ()
    differences: tuple[Difference, ...] = ()
    if status is QuoteStatus.NORMALIZED:
        reasons = tuple(map(Reason, normalization_reasons(quote, best.text, marks=source.marks or ())))
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


def _near(quote: str, alignment: QuoteAlignment | None, source: Source, policy: QuotePolicy) -> QuoteVerdict:
    """The verdict on a quote that is like a passage, or like none."""
    if alignment is None and _is_long(quote, source):
        return _absent(quote, Reason.BELOW_THRESHOLD, Reason.UNREAD)
    if alignment is None:
        return _absent(quote, Reason.BELOW_THRESHOLD)
    differences = _differences(quote, source, alignment)
    start, end = alignment.start, alignment.end
    passage = source.text[start:end]
    if _is_cut(quote, passage, differences, policy.threshold):
        return _absent(quote, Reason.CUT_WORD)
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
        reasons=tuple(REASON_OF_KIND[kind] for kind in dict.fromkeys([*touching, *kinds])),
    )


def _is_long(quote: str, source: Source) -> bool:
    """Whether so long a quote is compared with one passage alone: another may be more like it."""
    return len(normalize(quote, profile="typographic", marks=source.marks)) > MAX_BOUNDED_CHARS


def _is_cut(quote: str, passage: str, differences: Sequence[Difference], threshold: float) -> bool:
    """
    Whether the passage has no word of the quote, but longer ones that it is a part of (ruling A10).

    `no` is a part of `another`, and has the best of all partial ratios there.
    """
    place = 0
    for each in differences:
        if each.kind not in FORM:
            if any(map(str.isalnum, quote[place : each.quote_span[0]])):
                return False
            place = each.quote_span[1]
    if any(map(str.isalnum, quote[place:])):
        return False
    short, whole = (normalize(text, profile="typographic") for text in (quote, passage))
    return short in whole or 2 * len(short) < threshold * (len(short) + len(whole))


def _differences(quote: str, source: Source, alignment: QuoteAlignment) -> tuple[Difference, ...]:
    return tuple(classify(quote, source.text, alignment.edits, marks=source.marks or ()))


def find_nearest(quote: str, sources: Sequence[tuple[str | None, Source]]) -> NearestPassage | None:
    """
    Return the passage of *sources* that is most similar to *quote*; the first of equals.

    Scores tell which source has it, for they cost a fraction of an alignment; the quote is aligned
    in that one alone. None if there is no text, or the quote is longer than each source.
    """
    fitting = [
        (name, source)
        for name, source in sources
        if 0 < len(normalize(quote, profile="typographic", marks=source.marks)) <= len(source.normalized)
    ]
    if not fitting:
        return None
    name, source = fitting[0] if len(fitting) == 1 else max(fitting, key=lambda each: float(each[1].scores([quote])[0]))
    alignment = source.align_quotes([quote], threshold=0.0)[0]
    if alignment is None:
        return None
    return NearestPassage(
        start=alignment.start,
        end=alignment.end,
        score=alignment.score,
        text=source.text[alignment.start : alignment.end],
        differences=_differences(quote, source, alignment),
        source=name,
    )
