"""
The ladder of verdicts on one source: the first rung that holds a quote decides.

Blank; standing there as it is, on word boundaries (ruling A10); longer than the
source (ruling A8); in parts, where the quote marks that it leaves something out; in
nearly these words, aligned, with a kind for every difference (ruling A9); not there.
"""

from bisect import bisect_left
from collections.abc import Sequence

from groundwire._engine import (
    MAX_PATTERN_CHARS_SEAWEED,
    Match,
    QuoteAlignment,
    Source,
    _rebuild_match,
    _rebuild_quote_alignment,
    normalize,
)
from groundwire.evidence.differences import (
    FORM,
    MEANING,
    Difference,
    DifferenceKind,
    classify,
    difference_of,
    normalization_reasons,
)
from groundwire.evidence.elision import PartedQuotes
from groundwire.evidence.verdicts import (
    REASON_OF_KIND,
    NearestPassage,
    QuotePolicy,
    QuoteReason,
    QuoteStatus,
    QuoteVerdict,
)
from groundwire.language import reader, source_language

__all__ = ["climb", "find_nearest"]

_SAME_WORDS_FROM = 0.6
"""A quote below the threshold is compared with the passage from this score on, and accepted only if every word is the
same in another form: 9 a.m. and 9:00, km and kilometres (ruling A18)."""

_REACH_QUOTES = 2
"""A passage with a piece of a quote begins and ends so many lengths of the quote from there at most."""

_WHOLE_FROM = 4
"""If a fourth of a source is around pieces, all of it is compared."""

_BESIDE = "\N{PILCROW SIGN}"
"""Stands between stretches of a source that are compared together, as long as a passage can be."""

_OF_NUMBERS = frozenset({DifferenceKind.NUMBER, DifferenceKind.UNIT, DifferenceKind.DATE, DifferenceKind.TIME})

_SAME_WORDS_CHARS = 200
"""In longer quotes the form of a few words does not weigh so much."""

_PIECE_CHARS = 12
"""So many characters in a row, of whole words, show that a short quote may be from a source."""

_UNSPACED_PIECE_CHARS = 4
"""The same where no spaces are between words."""

_CHECKED_PLACES = 16
"""So many occurrences of a quote with numbers are read; if none of these has its numbers, none is taken."""

_NUMBER_TAIL_CHARS = 12
"""The characters after a quote in which its last number may go on: spaces, a unit, a power of ten."""

_MARK_CHARS = 40
"""A longer passage in brackets is somebody's words."""

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
    language = source_language(source.text)
    matches = source.ground(quotes, workers=workers)
    parted = PartedQuotes(source, source.text if text is None else text, policy)
    verdicts: list[QuoteVerdict | None] = [_verdict_by_length(quote, source, source_chars) for quote in quotes]
    # A rung at a time for all quotes: the code and the tables of one rung stay in the processor's cache.
    for number in _open(verdicts):
        if matches[number] is not None:
            verdicts[number] = _verbatim(quotes[number], source, policy, language)
    for number in _open(verdicts):
        verdicts[number] = parted.verdict(quotes[number])
    open_ = _open(verdicts)
    aligned = source.align_quotes([quotes[number] for number in open_], threshold=policy.threshold, workers=workers)
    below = [place for place, alignment in enumerate(aligned) if alignment is None]
    others = _with_same_pieces([quotes[open_[place]] for place in below], source, policy, workers)
    for place, alignment in zip(below, others, strict=True):
        aligned[place] = alignment
    for number, alignment in zip(open_, aligned, strict=True):
        verdicts[number] = _near(quotes[number], alignment, source, policy, language)
    return [verdict for verdict in verdicts if verdict is not None]


def _with_same_pieces(
    quotes: Sequence[str], source: Source, policy: QuotePolicy, workers: int
) -> list[QuoteAlignment | None]:
    """
    Align each quote that no passage reaches the threshold for with one that may have its words in other forms.

    The quote is short, and the passage has a piece of it as it is: to look for the pieces takes a fraction of the time
    that an alignment with the whole source at a low threshold takes.
    """
    if policy.threshold <= _SAME_WORDS_FROM:
        return [None] * len(quotes)
    pieces = [_pieces(quote) if len(quote) <= _SAME_WORDS_CHARS else [] for quote in quotes]
    found = iter(source.ground([piece for each in pieces for piece in each], workers=workers))
    there = [[piece for piece in each if next(found) is not None] for each in pieces]
    return [_aligned_at(quote, each, source) if each else None for quote, each in zip(quotes, there, strict=True)]


def _aligned_at(quote: str, pieces: Sequence[str], source: Source) -> QuoteAlignment | None:
    """The best alignment of a quote with what stands around its *pieces* in a source."""
    reach = _REACH_QUOTES * len(quote)
    places = sorted((place.start, place.end) for piece in pieces for place in source.find_all(piece))
    stretches: list[tuple[int, int]] = []
    for start, end in places:
        first, last = max(0, start - reach), min(len(source.text), end + reach)
        if stretches and first <= stretches[-1][1]:
            first = stretches.pop()[0]
        stretches.append((first, last))
    if _WHOLE_FROM * sum(last - first for first, last in stretches) >= len(source.text):
        return source.align_quotes([quote], threshold=_SAME_WORDS_FROM)[0]
    beside = _BESIDE * reach
    text = beside.join(source.text[first:last] for first, last in stretches)
    part = Source(text, profile="typographic", marks=source.marks)
    alignment = part.align_quotes([quote], threshold=_SAME_WORDS_FROM)[0]
    if alignment is None:
        return None
    offset = 0
    for first, last in stretches:
        if alignment.end <= offset + last - first:
            return _moved(alignment, first - offset) if alignment.start >= offset else None
        offset += last - first + len(beside)
    return None


def _moved(alignment: QuoteAlignment, by: int) -> QuoteAlignment:
    edits = [(first, last, start + by, end + by) for first, last, start, end in alignment.edits]
    return _rebuild_quote_alignment(alignment.start + by, alignment.end + by, alignment.score, edits)


def _pieces(quote: str) -> list[str]:
    """The shortest rows of whole words of a quote that have enough characters to be rare."""
    size = min(_PIECE_CHARS, len(quote) // 4)
    ends = [place for place, character in enumerate(quote) if character.isspace()]
    if len(ends) < len(quote) // _PIECE_CHARS:
        return [quote[start : start + _UNSPACED_PIECE_CHARS] for start in range(0, len(quote), _UNSPACED_PIECE_CHARS)]
    ends.append(len(quote))
    pieces = []
    for start in [0, *(end + 1 for end in ends[:-1])]:
        at = bisect_left(ends, start + size)
        if at < len(ends):
            pieces.append(quote[start : ends[at]])
    return pieces


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
        return QuoteVerdict(quote=quote, status=QuoteStatus.BLANK, accepted=False, reasons=(QuoteReason.NO_WORDS,))
    return _absent(quote, QuoteReason.LONGER_THAN_SOURCE) if len(normalized) > source_chars else None


def _absent(quote: str, *reasons: QuoteReason) -> QuoteVerdict:
    return QuoteVerdict(quote=quote, status=QuoteStatus.ABSENT, accepted=False, reasons=reasons)


def _verbatim(quote: str, source: Source, policy: QuotePolicy, language: str) -> QuoteVerdict | None:
    """The verdict on a quote that stands in the source on word boundaries; the first exact place before others."""
    places = source.find_all(quote, word_boundaries=True)
    if places and "[" in source.text:
        places = [place for place in places if not _is_in_mark(source.text, place.start, place.end)]
    if places and any(map(str.isnumeric, quote)):
        # Part of a number is another number: 5 of 2.5, 12 of \u221212, 106 of 10\u2076.
        checked = places[:_CHECKED_PLACES]
        whole = [place for place in checked if not _cuts_number(quote, place, source, language)]
        whole += places[_CHECKED_PLACES:] if whole else []
        if not whole:
            return _altered(quote, places[0], source, policy, language)
        places = whole
    if not places:
        return None
    best = next((place for place in places if place.kind == "exact"), places[0])
    status = QuoteStatus.EXACT if best.kind == "exact" else QuoteStatus.NORMALIZED
    reasons: tuple[QuoteReason, ...] = ()
    differences: tuple[Difference, ...] = ()
    if status is QuoteStatus.NORMALIZED:
        reasons = tuple(map(QuoteReason, normalization_reasons(quote, best.text, marks=source.marks or ())))
        differences = _differences(quote, source, source.align(quote, best.start, best.end), language)
    return QuoteVerdict(
        quote=quote,
        status=status,
        accepted=status in policy.accept,
        match=best,
        all_spans=tuple((place.start, place.end) for place in places),
        differences=tuple(each for each in differences if each.kind not in MEANING),
        reasons=reasons,
    )


def _is_in_mark(text: str, start: int, end: int) -> bool:
    """Whether a place is inside square brackets that a transcriber set: nobody said what is there (ruling A19)."""
    before = text.rfind("[", max(0, start - _MARK_CHARS), start)
    if before < 0 or "]" in text[before:end]:
        return False
    return 0 <= text.find("]", end, end + _MARK_CHARS) - before <= _MARK_CHARS


def _cuts_number(quote: str, place: Match, source: Source, language: str) -> bool:
    """Whether a number of the quote is only a part of the source's, or is written high there."""
    text = source.text
    is_inside = place.text == quote and not (
        _is_part_of_number(text[place.start - 2 : place.start] if place.start > 1 else text[: place.start], quote[:1])
        or _is_part_of_number(text[place.end : place.end + _NUMBER_TAIL_CHARS], quote[-1:])
    )
    if is_inside:
        return False
    rows = reader().differences(quote, text, place.start, place.end, language=language)
    return any(kind in _OF_NUMBERS for kind, *_ in rows)


def _is_part_of_number(beside: str, edge: str) -> bool:
    """Whether what stands beside the first or last character of a quote may belong to a number there."""
    return edge.isnumeric() and bool(beside.strip())


def _altered(quote: str, place: Match, source: Source, policy: QuotePolicy, language: str) -> QuoteVerdict:
    """The verdict on a quote whose characters stand in the source, but whose numbers do not."""
    differences = _differences(quote, source, source.align(quote, place.start, place.end), language)
    rows = reader().differences(quote, source.text, place.start, place.end, language=language)
    # Characters that are the same have no edit that would show the number around them.
    found = differences or tuple(difference_of(row, quote, source.text) for row in rows)
    touching = dict.fromkeys(each.kind for each in found if each.kind in MEANING)
    return QuoteVerdict(
        quote=quote,
        status=QuoteStatus.ALTERED,
        accepted=QuoteStatus.ALTERED in policy.accept,
        match=place,
        all_spans=((place.start, place.end),),
        differences=found,
        reasons=tuple(REASON_OF_KIND[kind] for kind in touching) or (QuoteReason.NUMBER,),
    )


def _near(
    quote: str, alignment: QuoteAlignment | None, source: Source, policy: QuotePolicy, language: str
) -> QuoteVerdict:
    """The verdict on a quote that is like a passage, or like none."""
    if alignment is None and _is_long(quote, source):
        return _absent(quote, QuoteReason.BELOW_THRESHOLD, QuoteReason.UNREAD)
    if alignment is None or (
        alignment.score < policy.threshold and not _has_same_words(quote, alignment, source, language)
    ):
        return _absent(quote, QuoteReason.BELOW_THRESHOLD)
    differences = _differences(quote, source, alignment, language)
    start, end = alignment.start, alignment.end
    if _is_in_mark(source.text, start, end):
        return _absent(quote, QuoteReason.BELOW_THRESHOLD)
    passage = source.text[start:end]
    if _is_cut(quote, passage, differences, policy.threshold):
        return _absent(quote, QuoteReason.CUT_WORD)
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


def _has_same_words(quote: str, alignment: QuoteAlignment, source: Source, language: str) -> bool:
    """Whether all words of a quote below the threshold are in the passage, in another form (ruling A18)."""
    rows = reader().differences(quote, source.text, alignment.start, alignment.end, language=language)
    return all(kind == DifferenceKind.FILLER for kind, *_ in rows)


def _is_long(quote: str, source: Source) -> bool:
    """Whether so long a quote is compared with one passage alone: another may be more like it."""
    return len(normalize(quote, profile="typographic", marks=source.marks)) > MAX_PATTERN_CHARS_SEAWEED


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


def _differences(quote: str, source: Source, alignment: QuoteAlignment, language: str) -> tuple[Difference, ...]:
    return tuple(
        classify(
            quote,
            source.text,
            alignment.start,
            alignment.end,
            alignment.edits,
            language=language,
            marks=source.marks or (),
        )
    )


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
        differences=_differences(quote, source, alignment, source_language(source.text)),
        source=name,
    )
