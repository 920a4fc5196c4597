"""Verdicts on quotes that mark what they leave out, or have words of their author."""

from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from groundwire._engine import Match, Source, _rebuild_match
from groundwire.evidence.differences import FORM, MEANING, Difference, DifferenceKind, classify
from groundwire.evidence.foldings import normalization_reasons
from groundwire.evidence.fragments import MAX_BRACKET_CHARS, MAX_FRAGMENTS, Fragments, Gap, Place, chains, fragments_of
from groundwire.evidence.policy import QuotePolicy
from groundwire.evidence.verdicts import REASON_OF_KIND, QuoteStatus, QuoteVerdict, Reason
from groundwire.language import reader, source_language

__all__ = ["PartedQuotes"]

_NOT_EDITORIAL = MEANING - {DifferenceKind.NAME, DifferenceKind.WORDING}
"""What an author may not put into a quote, in brackets or not; a name for "he" is what brackets are for."""

_MAX_ROWS = 16
"""Rows of places that are asked whether a gap hides something."""

_MAX_CACHED = 256
"""Parts whose places are kept: quotes of one text share its common words."""

_MARKS_BETWEEN = 8
"""White space and punctuation between a part and brackets of the source, in characters."""

_EDGE_MARKS = " \t\n.,;:!?\"'-\u2013\u2014\u201c\u201d\u2018\u2019、，。；：！？「」"
"""What an author may set before or after an ellipsis."""


class PartedQuotes:
    """One source, in which the parts of quotes are looked for, and its whole text."""

    def __init__(self, source: Source, text: str, policy: QuotePolicy) -> None:
        self._source = source
        self._text = text
        self._policy = policy
        self._marks = source.marks or ()
        self._matches = lru_cache(_MAX_CACHED)(lambda text: source.find_all(text, word_boundaries=True))

    def verdict(self, quote: str) -> QuoteVerdict | None:
        """Return the verdict on a quote in parts; None if it is not in parts, or they are not there as they are."""
        fragments = fragments_of(quote)
        if not fragments or not fragments.texts or not all(map(_is_editorial, fragments.gaps)):
            return None
        if len(fragments.texts) > MAX_FRAGMENTS:
            reasons = (Reason.TOO_MANY_ELLIPSES,)
            return QuoteVerdict(quote=quote, status=QuoteStatus.ABSENT, accepted=False, reasons=reasons)
        if not all(map(self._places, fragments.texts)):
            return None
        places = [self._places(text) for text in fragments.texts]
        if len(places) == 1 and not any(gap.brackets for gap in fragments.gaps):
            return self._whole(quote, fragments, places[0])
        spans = [[(match.start, match.end) for match in each] for each in places]
        return self._in_parts(quote, fragments, chains(fragments, spans, self._policy.max_gap_chars))

    def _places(self, text: str) -> list[Match]:
        return self._matches(text) or self._matches(text.strip(_EDGE_MARKS))

    def _whole(self, quote: str, fragments: Fragments, places: list[Match]) -> QuoteVerdict:
        """The verdict on a quote that only marks its ends, or a letter: nothing is left out inside it."""
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
                *map(Reason, normalization_reasons(fragments.texts[0].strip(), best.text, marks=self._marks)),
            ),
        )

    def _in_parts(self, quote: str, fragments: Fragments, rows: list[list[Place]]) -> QuoteVerdict | None:
        """The verdict on the first row of places that hides nothing; on the first if all do; None if there is none."""
        verdict = None
        for row in rows[:_MAX_ROWS]:
            found = self._of_row(quote, fragments, row)
            if found.status is QuoteStatus.ELIDED:
                return found
            verdict = verdict or found
        return verdict

    def _of_row(self, quote: str, fragments: Fragments, row: list[Place]) -> QuoteVerdict:
        """The verdict on parts that stand at *row*."""
        text = self._text
        hidden: list[str] = []
        differences: list[Difference] = []
        for gap, (start, end) in zip(fragments.gaps, _gaps(row), strict=True):
            if gap.brackets is not None and not self._stand_there(quote, gap, start, end):
                differences += self._of_brackets(quote, gap.brackets, _place_of_brackets(quote, gap, start, end))
            if gap.brackets is None or gap.has_ellipsis:
                spans = reader().hidden(text, start, end, language=source_language(text)) if start < end else ()
                hidden += [text[first:last] for first, last in spans]
        touching = {each.kind for each in differences} & _NOT_EDITORIAL
        status = QuoteStatus.ALTERED if hidden or touching else QuoteStatus.ELIDED
        reasons = [REASON_OF_KIND[kind] for kind in DifferenceKind if kind in touching] if touching else []
        reasons += [Reason.HIDDEN_MEANING] if hidden else []
        start, end = row[0][0], row[-1][1]
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

    def _of_brackets(self, quote: str, brackets: Place, place: Place) -> list[Difference]:
        """What an author's words in brackets change of what the source has in their place."""
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
        """What an author's letters in brackets make of the word that they belong to: [un]happy, happy."""
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

    def _stand_there(self, quote: str, gap: Gap, start: int, end: int) -> bool:
        """Whether the brackets beside an ellipsis, or at an end of the quote, are the source's own: [10:05] We met."""
        if gap.brackets is None or (start < end and not gap.has_ellipsis):
            return False
        written = quote[gap.brackets[0] - 1 : gap.brackets[1] + 1]
        reach = len(written) + _MARKS_BETWEEN
        before = self._text[max(0, end - reach) : end].rstrip(_EDGE_MARKS)
        return before.endswith(written) or self._text[start : start + reach].lstrip(_EDGE_MARKS).startswith(written)


def _is_meant(kind: DifferenceKind) -> bool:
    return kind in MEANING


def _is_editorial(gap: Gap) -> bool:
    """Whether the words of an author in a gap are few, so that the quote is the source's."""
    return gap.brackets is None or gap.brackets[1] - gap.brackets[0] <= MAX_BRACKET_CHARS


def _place_of_brackets(quote: str, gap: Gap, start: int, end: int) -> Place:
    """What an author's words stand for in a gap of the source: all of it, or nothing beside an ellipsis."""
    if not gap.has_ellipsis or gap.brackets is None:
        return start, end
    # Letters right behind them are the word that follows the gap: … [un]happy.
    is_before_word = quote[gap.brackets[1] + 1 : gap.brackets[1] + 2].isalpha()
    return (end, end) if is_before_word else (start, start)


def _marks(fragments: Fragments) -> list[Reason]:
    ellipsis = [Reason.ELLIPSIS] if fragments.has_ellipsis else []
    return [*ellipsis, Reason.EDITORIAL_BRACKETS] if fragments.has_brackets else ellipsis


def _gaps(row: list[Place]) -> list[Place]:
    """What is between the places; nothing before the first and after the last."""
    first, last = row[0][0], row[-1][1]
    return [(first, first), *((end, start) for (_, end), (start, _) in pairwise(row)), (last, last)]
