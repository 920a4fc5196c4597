"""
Matches quotes with one source, in a cascade whose first matching stage decides.

The stages: blank; verbatim, on word boundaries (ruling A10); longer than the source (ruling A8); elided, if the quote
marks an omission; aligned with similar words, with a kind for every difference (ruling A9); absent.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

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
from groundwire.evidence.elision import ElidedQuotes
from groundwire.evidence.occurrences import is_in_note, spoken_places, with_whole_numbers
from groundwire.evidence.respelling import folded_source, respell, respellings, unbracketed
from groundwire.evidence.verdicts import (
    REASON_OF_KIND,
    WHOLE,
    NearestPassage,
    QuotePolicy,
    QuoteReason,
    QuoteStatus,
    QuoteVerdict,
    verdict_rank,
)
from groundwire.language import reader, source_language
from groundwire.unicode_forms import fold_variants

__all__ = ["find_nearest", "match_quotes"]

_SAME_WORDS_FROM = 0.6
"""Minimum score at which a quote below the threshold is still compared with its passage. It is accepted only if every
word is the same in another form: 9 a.m. and 9:00, km and kilometres (ruling A18)."""

_REACH_QUOTES = 2
"""Maximum distance of a passage's ends from a piece of the quote, in lengths of the quote."""

_WHOLE_FROM = 4
"""If the surroundings of pieces make up a fourth of a source, the whole source is compared."""

_BESIDE = "\N{PILCROW SIGN}"
"""Separates spans of a source that are compared together, with the length of a passage."""

_SAME_WORDS_CHARS = 200
"""Maximum length of such a quote. In longer ones, the form of a few words hardly changes the score."""

_PIECE_CHARS = 12
"""Minimum length of a piece: consecutive whole words that show that a short quote may come from a source."""

_UNSPACED_PIECE_CHARS = 4
"""The same for scripts without spaces."""

_MOST_NORMALIZED_CHARS = 36
"""Maximum length of one normalised character: U+FDFA has 18 in NFKC, and lower case may double the length."""


def match_quotes(
    quotes: Sequence[str], source: Source, policy: QuotePolicy, *, text: str | None = None, workers: int = 1
) -> list[QuoteVerdict]:
    """
    Return a verdict on each quote in *source*, whose profile is typographic.

    `accepted` tells whether *policy* accepts the status alone. *text* is the whole text if *source* hides part of it;
    omitted words are read there.
    """
    verdicts = _match_as_written(quotes, source, policy, text, workers)
    return _with_variants(verdicts, source, policy, text, workers) if policy.fold_variants else verdicts


def _with_variants(
    verdicts: list[QuoteVerdict], source: Source, policy: QuotePolicy, text: str | None, workers: int
) -> list[QuoteVerdict]:
    """Return *verdicts*, or better ones on the quotes in the variants of *source*, with the spans in all variants."""
    asked = [(verdict.quote, verdict.status not in WHOLE) for verdict in verdicts]
    spellings = respellings(asked, source, min(policy.threshold, _SAME_WORDS_FROM), workers)
    tried = [(number, each) for number, of_quote in enumerate(spellings) for each in of_quote]
    found = _match_as_written([each.text for _, each in tried], source, policy, text, workers)
    for (number, each), respelled in zip(tried, found, strict=True):
        both = (verdicts[number], each.verdict(respelled, policy, QuoteReason.VARIANTS))
        best = min(both, key=verdict_rank)
        if best.status in WHOLE:
            spans = {span for verdict in both if verdict.status in WHOLE for span in verdict.all_spans}
            best = replace(best, all_spans=tuple(sorted(spans)))
        verdicts[number] = best
    return verdicts


def _match_as_written(
    quotes: Sequence[str], source: Source, policy: QuotePolicy, text: str | None, workers: int
) -> list[QuoteVerdict]:
    language = source_language(source.text)
    matches = source.ground(quotes, workers=workers)
    verdicts: list[QuoteVerdict | None] = [None] * len(quotes)
    unsure = [number for number, match in enumerate(matches) if match is None or not _has_first_letter(quotes[number])]
    source_chars = len(source.normalized) if unsure else 0
    for number in unsure:
        verdicts[number] = _verdict_by_length(quotes[number], source, source_chars)
    # Every stage handles all quotes at once, so that its code and tables stay in the processor's cache.
    for number in _open(verdicts):
        if matches[number] is not None:
            verdicts[number] = _verbatim(quotes[number], source, policy, language)
    if open_ := _open(verdicts):
        parted = ElidedQuotes(source, source.text if text is None else text, policy)
        for number in open_:
            verdicts[number] = parted.verdict(quotes[number])
    # The brackets of [t]he would hide what is missing beside the word.
    bare = {number: each for number in _open(verdicts) if (each := unbracketed(quotes[number])) is not None}
    found = _match_as_written([each.text for each in bare.values()], source, policy, text, workers) if bare else []
    for (number, each), verdict in zip(bare.items(), found, strict=True):
        verdicts[number] = each.verdict(verdict, policy, QuoteReason.EDITORIAL_BRACKETS)
    if open_ := _open(verdicts):
        aligned = _alignments([quotes[number] for number in open_], source, policy, workers)
        for number, alignment in zip(open_, aligned, strict=True):
            verdicts[number] = _near(quotes[number], alignment, source, policy, language)
    return [verdict for verdict in verdicts if verdict is not None]


def _alignments(
    quotes: Sequence[str], source: Source, policy: QuotePolicy, workers: int
) -> list[QuoteAlignment | None]:
    """Align each quote with its most similar passage, or with one that may have its words in other forms."""
    aligned = source.align_quotes(quotes, threshold=policy.threshold, workers=workers)
    below = [place for place, alignment in enumerate(aligned) if alignment is None]
    others = _with_same_pieces([quotes[place] for place in below], source, policy, workers)
    for place, alignment in zip(below, others, strict=True):
        aligned[place] = alignment
    return aligned


def _with_same_pieces(
    quotes: Sequence[str], source: Source, policy: QuotePolicy, workers: int
) -> list[QuoteAlignment | None]:
    """
    Align each short quote below the threshold with a passage that may have its words in other forms.

    The passage contains a piece of the quote verbatim. Searching for pieces takes a fraction of the time of an
    alignment with the whole source at a low threshold.
    """
    if policy.threshold <= _SAME_WORDS_FROM:
        return [None] * len(quotes)
    pieces = [_pieces(quote) if len(quote) <= _SAME_WORDS_CHARS else [] for quote in quotes]
    found = iter(source.ground([piece for each in pieces for piece in each], workers=workers))
    there = [[piece for piece in each if next(found) is not None] for each in pieces]
    return [_aligned_at(quote, each, source) if each else None for quote, each in zip(quotes, there, strict=True)]


def _aligned_at(quote: str, pieces: Sequence[str], source: Source) -> QuoteAlignment | None:
    """Return the best alignment of a quote with the surroundings of its *pieces* in a source."""
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
    """Return the shortest sequences of whole words of a quote that are long enough to be rare."""
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
    """Return the indexes of the quotes without a verdict so far."""
    return [number for number, verdict in enumerate(verdicts) if verdict is None]


def _has_first_letter(quote: str) -> bool:
    """Tell whether a quote begins with a character that no normalisation removes."""
    # Normalisation keeps every ASCII letter and digit, and one that comes first is not inside a tag.
    first = quote[:1]
    return first.isascii() and first.isalnum()


def _verdict_by_length(quote: str, source: Source, source_chars: int) -> QuoteVerdict | None:
    """Return the verdict on a quote without words, or with more characters than the source."""
    if _has_first_letter(quote) and len(quote) * _MOST_NORMALIZED_CHARS <= source_chars:
        return None
    normalized = normalize(quote, profile="typographic", marks=source.marks)
    if not any(map(str.isalnum, normalized)):
        return QuoteVerdict(quote=quote, status=QuoteStatus.BLANK, accepted=False, reasons=(QuoteReason.NO_WORDS,))
    return _absent(quote, QuoteReason.LONGER_THAN_SOURCE) if len(normalized) > source_chars else None


def _absent(quote: str, *reasons: QuoteReason) -> QuoteVerdict:
    return QuoteVerdict(quote=quote, status=QuoteStatus.ABSENT, accepted=False, reasons=reasons)


def _verbatim(quote: str, source: Source, policy: QuotePolicy, language: str) -> QuoteVerdict | None:
    """Return the verdict on a verbatim quote on word boundaries; an exact occurrence comes before others."""
    spoken = spoken_places(quote, source)
    places = with_whole_numbers(spoken, quote, source, language)
    if not places:
        return _altered(quote, spoken[0], source, policy, language) if spoken else None
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


def _altered(quote: str, place: Match, source: Source, policy: QuotePolicy, language: str) -> QuoteVerdict:
    """Return the verdict on a quote whose characters are in the source, but whose numbers are not."""
    differences = _differences(quote, source, source.align(quote, place.start, place.end), language)
    rows = reader().differences(quote, source.text, place.start, place.end, language=language)
    # Equal characters have no edit that would reveal the number around them.
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
    """Return the verdict on an aligned quote, or on one without an alignment."""
    if alignment is None and _is_long(quote, source):
        return _absent(quote, QuoteReason.BELOW_THRESHOLD, QuoteReason.UNREAD)
    if alignment is None or (
        alignment.score < policy.threshold and not _has_same_words(quote, alignment, source, language)
    ):
        return _absent(quote, QuoteReason.BELOW_THRESHOLD)
    differences = _differences(quote, source, alignment, language)
    start, end = alignment.start, alignment.end
    if is_in_note(source.text, start, end):
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
    """Tell whether the passage has all words of a quote below the threshold in another form (ruling A18)."""
    rows = reader().differences(quote, source.text, alignment.start, alignment.end, language=language)
    return all(kind == DifferenceKind.FILLER for kind, *_ in rows)


def _is_long(quote: str, source: Source) -> bool:
    """Tell whether a quote is so long that it is compared with only one passage; another may be more similar."""
    return len(normalize(quote, profile="typographic", marks=source.marks)) > MAX_PATTERN_CHARS_SEAWEED


def _is_cut(quote: str, passage: str, differences: Sequence[Difference], threshold: float) -> bool:
    """
    Tell whether the passage has no word of the quote, only longer words that contain it (ruling A10).

    `no` is part of `another`, with a perfect partial ratio.
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


def find_nearest(
    quote: str, sources: Sequence[tuple[str | None, Source]], policy: QuotePolicy
) -> NearestPassage | None:
    """
    Return the passage of *sources* most similar to *quote*, the first of equals.

    Scores, which cost a fraction of an alignment, select the source, and the quote is aligned only there. None without
    text, or if the quote is longer than every source.
    """
    fitting = [
        (name, source)
        for name, source in sources
        if 0 < len(normalize(quote, profile="typographic", marks=source.marks)) <= len(source.normalized)
    ]
    if not fitting:
        return None
    needle = fold_variants(quote) if policy.fold_variants else quote
    searched = [folded_source(source) if policy.fold_variants else source for _, source in fitting]
    places = range(len(fitting))
    best = 0 if len(fitting) == 1 else max(places, key=lambda place: float(searched[place].scores([needle])[0]))
    name, source = fitting[best]
    alignment = searched[best].align_quotes([needle], threshold=0.0)[0]
    if alignment is None:
        return None
    language = source_language(source.text)
    if policy.fold_variants:
        respelled = respell(quote, [(0, alignment)], source.text)
        own = source.align(respelled.text, alignment.start, alignment.end)
        differences = respelled.differences(_differences(respelled.text, source, own, language))
    else:
        differences = _differences(quote, source, alignment, language)
    return NearestPassage(
        start=alignment.start,
        end=alignment.end,
        score=alignment.score,
        text=source.text[alignment.start : alignment.end],
        differences=differences,
        source=name,
    )
