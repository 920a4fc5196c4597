"""
Matches quotes with ellipses or editorial brackets.

`fragments_of` splits a quote at these marks; `_chains` finds occurrences of the fragments, in order and with bounded
gaps.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from groundwire._engine import Match, Source, _rebuild_match
from groundwire.evidence.differences import FORM, MEANING, Difference, DifferenceKind, classify, normalization_reasons
from groundwire.evidence.occurrences import spoken_places, with_whole_numbers
from groundwire.evidence.verdicts import REASON_OF_KIND, QuotePolicy, QuoteReason, QuoteStatus, QuoteVerdict
from groundwire.language import reader, source_language

__all__ = ["MAX_FRAGMENTS", "ElidedQuotes", "fragment_spans", "fragments_of", "letter_spans"]

MAX_FRAGMENTS = 32
"""Maximum number of fragments; a quote with more proves nothing about its source."""

_MAX_BRACKET_CHARS = 60
"""Maximum number of characters inside editorial brackets, and of characters that they replace."""

_MAX_PLACES = 1000
"""Maximum number of occurrences of a fragment that are tried."""

Place = tuple[int, int]

# Possessive, so that no sequence of marks or white space is read twice.
_ELLIPSIS = r"\[\s*+(?:\.{3,}+|[…⋯]++)\s*+\]|\(\s*+(?:\.{3,}+|[…⋯]++)\s*+\)|\.(?:\s\.){2,}+|\.{3,}+|[…⋯]++"
_SIC = r"[\[(]\s*+sic\s*+!?\s*+[\])]"
_BRACKETS = rf"\[[^\[\]\n]{{1,{_MAX_BRACKET_CHARS}}}\]"
_SPACED_POINTS = re.compile(r"\.\s\.")
# At most offsets, the first character already excludes a mark.
_MARKS = re.compile(
    r"(?=[.…⋯\[(])"
    rf"(?:(?P<ellipsis>{_ELLIPSIS})|(?P<sic>{_SIC})|(?P<letter>\[\w\](?=\w))|(?P<brackets>{_BRACKETS}))"
)


@dataclass(frozen=True, slots=True)
class _Gap:
    """
    Describes a gap between two fragments of a quote.

    Attributes:
        brackets: The author's words in brackets, as (start, end) in the quote, from
            the first bracket to the last of several; None without brackets.
        has_ellipsis: Whether the gap has an ellipsis. Brackets alone replace a few
            words of the source, or none.
    """

    brackets: Place | None = None
    has_ellipsis: bool = False

    def max_chars(self, of_ellipsis: int) -> int:
        """Return the maximum number of characters that the gap may omit."""
        return of_ellipsis if self.has_ellipsis else _MAX_BRACKET_CHARS

    def with_mark(self, mark: re.Match[str]) -> "_Gap":
        """Return the gap extended by one mark."""
        if mark.lastgroup == "ellipsis":
            return _Gap(self.brackets, has_ellipsis=True)
        start = mark.start() + 1 if self.brackets is None else self.brackets[0]
        return _Gap((start, mark.end() - 1), self.has_ellipsis)


_NO_GAP = _Gap()


@dataclass(frozen=True, slots=True)
class _Fragments:
    """
    Holds the verbatim fragments of a quote and the gaps between them.

    Attributes:
        texts: The fragments; `[T]he` without its brackets.
        gaps: A gap before each fragment and one after the last; the outer ones may
            omit nothing.
        has_ellipsis: Whether the quote has an ellipsis.
        has_brackets: Whether the quote has brackets, including `[sic]` and `[T]he`.
    """

    texts: tuple[str, ...]
    gaps: tuple[_Gap, ...]
    has_ellipsis: bool
    has_brackets: bool


def fragments_of(quote: str) -> _Fragments | None:
    """
    Split *quote* at its ellipses and brackets.

    An ellipsis is `…`, `...` or `. . .`, also in brackets. `[sic]` is dropped.

    Returns:
        None if the quote has no such mark. At most one fragment more than `MAX_FRAGMENTS`.
    """
    if not _may_have_marks(quote):
        return None
    texts: list[str] = []
    gaps = [_NO_GAP]
    text, end, kinds = "", 0, set()
    for mark in _MARKS.finditer(quote):
        kinds.add(mark.lastgroup)
        text += quote[end : mark.start()]
        end = mark.end()
        if mark.lastgroup == "letter":
            text += mark[0][1]
        elif mark.lastgroup == "sic":
            text = text.rstrip()
        else:
            if any(map(str.isalnum, text)):
                texts.append(text)
                gaps.append(_NO_GAP)
                if len(texts) > MAX_FRAGMENTS:
                    break
            text = ""
            gaps[-1] = gaps[-1].with_mark(mark)
    text += quote[end:]
    if any(map(str.isalnum, text)):
        texts.append(text)
        gaps.append(_NO_GAP)
    is_bracketed = bool(kinds & {"brackets", "letter", "sic"})
    return _Fragments(tuple(texts), tuple(gaps), "ellipsis" in kinds, is_bracketed) if kinds else None


def fragment_spans(quote: str) -> list[Place]:
    """
    Return the spans of *quote* between its marks, without white space and punctuation at their ends.

    Empty if the quote has no marks, or so many that it proves nothing about its source.
    """
    marks = list(_MARKS.finditer(quote)) if _may_have_marks(quote) else []
    if not 0 < len(marks) <= MAX_FRAGMENTS:
        return []
    spans = []
    for start, end in zip(
        [0, *(mark.end() for mark in marks)], [*(mark.start() for mark in marks), len(quote)], strict=True
    ):
        bare = quote[start:end].lstrip(_EDGE_MARKS)
        first = end - len(bare)
        bare = bare.rstrip(_EDGE_MARKS)
        if any(map(str.isalnum, bare)):
            spans.append((first, first + len(bare)))
    return spans


def letter_spans(quote: str) -> list[Place]:
    """Return the spans of single letters in brackets at the beginning of a word or inside it: [T]he."""
    if "[" not in quote:
        return []
    return [mark.span() for mark in _MARKS.finditer(quote) if mark.lastgroup == "letter"]


def _may_have_marks(quote: str) -> bool:
    """Tell whether every full stop has to be checked."""
    if "..." in quote or "[" in quote or "(" in quote or "…" in quote or "⋯" in quote:
        return True
    return quote.count(".") >= 3 and _SPACED_POINTS.search(quote) is not None


def _chains(fragments: _Fragments, places: Sequence[Sequence[Place]], max_gap_chars: int) -> list[list[Place]]:
    """
    Return chains of one occurrence per fragment, each after the previous one and close enough to it.

    There is one chain, the shortest, for each occurrence of the last fragment that
    ends a chain, left to right. Of a frequent fragment, at most 1,000 occurrences
    near the rarest fragment are tried. `O(n log n)` in their number.

    Args:
        fragments: The fragments.
        places: The occurrences of each as (start, end), ascending; at least one of each.
        max_gap_chars: Maximum number of characters that an ellipsis omits.
    """
    limits = [gap.max_chars(max_gap_chars) for gap in fragments.gaps[1:-1]]
    tried = _near_the_rarest(places, sum(limits))
    # The chains so far, sorted by their ends: the last one that ends before an occurrence is the nearest.
    rows = [[place] for place in tried[0]]
    for limit, next_places in zip(limits, tried[1:], strict=True):
        ends = [row[-1][1] for row in rows]
        longer = []
        for place in next_places:
            at = bisect_right(ends, place[0])
            if at and place[0] - ends[at - 1] <= limit:
                longer.append([*rows[at - 1], place])
        rows = longer
    return rows


def _near_the_rarest(places: Sequence[Sequence[Place]], gap_chars: int) -> list[Sequence[Place]]:
    """Return the occurrences that can be in one chain with an occurrence of the rarest fragment."""
    rarest = min(places, key=len)[:_MAX_PLACES]
    reach = gap_chars + sum(each[0][1] - each[0][0] for each in places) * 2
    near: list[Sequence[Place]] = []
    for each in places:
        if len(each) <= _MAX_PLACES:
            near.append(each)
            continue
        chosen: list[Place] = []
        low = 0
        for start, end in rarest:
            low = max(low, bisect_left(each, (start - reach, 0)))
            high = bisect_left(each, (end + reach, 0), low)
            chosen += each[low : min(high, low + _MAX_PLACES)]
            low = high
            if len(chosen) >= _MAX_PLACES:
                break
        near.append(chosen[:_MAX_PLACES])
    return near


_NOT_EDITORIAL = MEANING - {DifferenceKind.NAME, DifferenceKind.WORDING}
"""Kinds of changes that even editorial brackets must not make. Names are missing: brackets may name "he"."""

_MAX_ROWS = 16
"""Maximum number of chains that are checked for hidden meaning."""

_MAX_CACHED_FRAGMENTS = 256
"""Number of fragments whose occurrences are cached, because quotes of one text share common words."""

_MARKS_BETWEEN = 8
"""Maximum distance between a fragment and brackets of the source, in characters of white space and punctuation."""

_EDGE_MARKS = " \t\n.,;:!?\"'-\u2013\u2014\u201c\u201d\u2018\u2019、，。；：！？「」"
"""Characters that an author may add before or after an ellipsis."""


class ElidedQuotes:
    """Searches one source for the fragments of quotes."""

    def __init__(self, source: Source, text: str, policy: QuotePolicy) -> None:
        self._source = source
        self._text = text
        self._policy = policy
        self._marks = source.marks or ()
        self._language = source_language(source.text)
        self._matches = lru_cache(_MAX_CACHED_FRAGMENTS)(self._find)

    def verdict(self, quote: str) -> QuoteVerdict | None:
        """Return the verdict on an elided quote; None if it has no marks, or if its fragments are not in the source."""
        fragments = fragments_of(quote)
        if not fragments or not fragments.texts or not all(map(_is_editorial, fragments.gaps)):
            return None
        if len(fragments.texts) > MAX_FRAGMENTS:
            reasons = (QuoteReason.TOO_MANY_ELLIPSES,)
            return QuoteVerdict(quote=quote, status=QuoteStatus.ABSENT, accepted=False, reasons=reasons)
        if not all(map(self._places, fragments.texts)):
            return None
        places = [self._places(text) for text in fragments.texts]
        if len(places) == 1 and not any(gap.brackets for gap in fragments.gaps):
            return self._whole(quote, fragments, places[0])
        spans = [[(match.start, match.end) for match in each] for each in places]
        return self._in_parts(quote, fragments, _chains(fragments, spans, self._policy.max_gap_chars))

    def _find(self, fragment: str) -> list[Match]:
        return with_whole_numbers(spoken_places(fragment, self._source), fragment, self._source, self._language)

    def _places(self, text: str) -> list[Match]:
        return self._matches(text) or self._matches(text.strip(_EDGE_MARKS))

    def _whole(self, quote: str, fragments: _Fragments, places: list[Match]) -> QuoteVerdict:
        """Return the verdict on a quote with marks only at its ends or around a letter, and no omission inside."""
        best = next((place for place in places if place.kind == "exact"), places[0])
        alignment = self._source.align(quote, best.start, best.end)
        differences = classify(quote, self._source.text, best.start, best.end, alignment.edits, marks=self._marks)
        status = QuoteStatus.NORMALIZED
        return QuoteVerdict(
            quote=quote,
            status=status,
            accepted=status in self._policy.accept,
            match=_rebuild_match(best.start, best.end, 1.0, "normalized", best.text),
            all_spans=tuple((place.start, place.end) for place in places),
            differences=tuple(each for each in differences if each.kind in FORM),
            reasons=(
                *_marks(fragments),
                *map(QuoteReason, normalization_reasons(fragments.texts[0].strip(), best.text, marks=self._marks)),
            ),
        )

    def _in_parts(self, quote: str, fragments: _Fragments, rows: list[list[Place]]) -> QuoteVerdict | None:
        """Return the verdict on the first chain that hides nothing, else on the first chain; None without a chain."""
        verdict = None
        for row in rows[:_MAX_ROWS]:
            found = self._of_row(quote, fragments, row)
            if found.status is QuoteStatus.ELIDED:
                return found
            verdict = verdict or found
        return verdict

    def _of_row(self, quote: str, fragments: _Fragments, row: list[Place]) -> QuoteVerdict:
        """Return the verdict on the fragments at *row*."""
        text = self._text
        hidden: list[str] = []
        differences: list[Difference] = []
        for gap, (start, end) in zip(fragments.gaps, _gaps(row), strict=True):
            if gap.brackets is not None and not self._stand_there(quote, gap, start, end):
                differences += self._of_brackets(quote, gap.brackets, _place_of_brackets(quote, gap, start, end))
            if gap.brackets is None or gap.has_ellipsis:
                spans = (
                    reader().omitted_restrictions(text, start, end, language=source_language(text))
                    if start < end
                    else ()
                )
                hidden += [text[first:last] for first, last in spans]
        touching = {each.kind for each in differences} & _NOT_EDITORIAL
        status = QuoteStatus.ALTERED if hidden or touching else QuoteStatus.ELIDED
        reasons = [REASON_OF_KIND[kind] for kind in DifferenceKind if kind in touching] if touching else []
        reasons += [QuoteReason.HIDDEN_MEANING] if hidden else []
        start, end = self._begin(quote, fragments.gaps[0], row[0][0]), row[-1][1]
        return QuoteVerdict(
            quote=quote,
            status=status,
            accepted=status in self._policy.accept,
            match=_rebuild_match(start, end, 1.0, "normalized", text[start:end]),
            all_spans=tuple(row),
            differences=tuple(differences),
            reasons=(*reasons, *_marks(fragments)),
            hidden=tuple(hidden),
        )

    def _begin(self, quote: str, gap: _Gap, start: int) -> int:
        """
        Return the start of the passage, including words in brackets before it that the source has there too.

        The words before these may negate them: [The drug] is safe, from We do not believe that the drug is safe.
        """
        words = "" if gap.brackets is None else quote[slice(*gap.brackets)].strip()
        before = self._text[max(0, start - len(words) - _MARKS_BETWEEN) : start]
        bare = before.rstrip(_EDGE_MARKS)
        if not words or bare[-len(words) :].lower() != words.lower() or bare[: -len(words)][-1:].isalnum():
            return start
        return start - len(before) + len(bare) - len(words)

    def _of_brackets(self, quote: str, brackets: Place, place: Place) -> list[Difference]:
        """Return the differences between the author's words in brackets and the source's words that they replace."""
        (quote_start, quote_end), (start, end) = brackets, place
        is_in_word = (
            quote[quote_start - 2 : quote_start - 1].isalpha() or quote[quote_end + 1 : quote_end + 2].isalpha()
        )
        if is_in_word and quote[quote_start:quote_end].isalpha():
            return self._of_letters(quote, brackets, place)
        found = classify(
            quote[quote_start:quote_end], self._text, start, end, [(0, quote_end - quote_start, start, end)]
        )
        return [
            replace(each, quote_span=(each.quote_span[0] + quote_start, each.quote_span[1] + quote_start))
            for each in found
        ]

    def _of_letters(self, quote: str, brackets: Place, place: Place) -> list[Difference]:
        """Return the differences that letters in brackets make in a word: [un]happy, happy."""
        begin, end = brackets[0] - 1, brackets[1] + 1
        while begin and quote[begin - 1].isalpha():
            begin -= 1
        while end < len(quote) and quote[end].isalpha():
            end += 1
        start, stop = place
        while quote[begin] != "[" and start and self._text[start - 1].isalpha():
            start -= 1
        while quote[end - 1] != "]" and stop < len(self._text) and self._text[stop].isalpha():
            stop += 1
        word = quote[begin:end].replace("[", "").replace("]", "")
        rows = reader().differences(word, self._text[start:stop], 0, stop - start)
        touching = max((DifferenceKind(kind) for kind, *_ in rows), key=_is_meant, default=None)
        if touching is None or touching not in MEANING:
            return []
        kind = DifferenceKind.NEGATION if touching is DifferenceKind.WORDING else touching
        return [Difference(kind, quote[begin:end], self._text[start:stop], (begin, end), (start, stop))]

    def _stand_there(self, quote: str, gap: _Gap, start: int, end: int) -> bool:
        """Tell whether the brackets beside an ellipsis or at an end of the quote are in the source: [10:05] We met."""
        if gap.brackets is None or (start < end and not gap.has_ellipsis):
            return False
        written = quote[gap.brackets[0] - 1 : gap.brackets[1] + 1]
        reach = len(written) + _MARKS_BETWEEN
        before = self._text[max(0, end - reach) : end].rstrip(_EDGE_MARKS)
        return before.endswith(written) or self._text[start : start + reach].lstrip(_EDGE_MARKS).startswith(written)


def _is_meant(kind: DifferenceKind) -> bool:
    return kind in MEANING


def _is_editorial(gap: _Gap) -> bool:
    """Tell whether the author's words in brackets are few, so that the quote is still the source's."""
    return gap.brackets is None or gap.brackets[1] - gap.brackets[0] <= _MAX_BRACKET_CHARS


def _place_of_brackets(quote: str, gap: _Gap, start: int, end: int) -> Place:
    """Return the span that the author's words replace: the whole gap, or nothing beside an ellipsis."""
    if not gap.has_ellipsis or gap.brackets is None:
        return start, end
    # Letters directly after the brackets belong to the word that follows the gap: … [un]happy.
    is_before_word = quote[gap.brackets[1] + 1 : gap.brackets[1] + 2].isalpha()
    return (end, end) if is_before_word else (start, start)


def _marks(fragments: _Fragments) -> list[QuoteReason]:
    ellipsis = [QuoteReason.ELLIPSIS] if fragments.has_ellipsis else []
    return [*ellipsis, QuoteReason.EDITORIAL_BRACKETS] if fragments.has_brackets else ellipsis


def _gaps(row: list[Place]) -> list[Place]:
    """Return the spans between the occurrences, with empty ones before the first and after the last."""
    first, last = row[0][0], row[-1][1]
    return [(first, first), *((end, start) for (_, end), (start, _) in pairwise(row)), (last, last)]
