"""
Respells quotes in the variants of their source: simplified or traditional characters, hiragana or katakana.

A fold finds the place of a quote, and each character that differs there only as a variant is replaced by the source's.
The result is compared like any other quote, so that numbers and negations are read in the spelling of the source. Spans
in the respelled quote are traced back to the quote as written.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from weakref import WeakKeyDictionary

from groundwire._engine import QuoteAlignment, Source, _rebuild_match, normalize
from groundwire.evidence.differences import Difference
from groundwire.evidence.elision import fragment_spans, letter_spans
from groundwire.evidence.verdicts import QuotePolicy, QuoteReason, QuoteStatus, QuoteVerdict
from groundwire.unicode_forms import fold_variants

__all__ = ["Respelling", "folded_source", "respell", "respellings", "unbracketed"]

_MAX_SPELLINGS = 16
"""Maximum number of spellings of one quote that are tried, if its source spells its occurrences differently."""

_FOLDED: WeakKeyDictionary[Source, Source] = WeakKeyDictionary()


def folded_source(source: Source) -> Source:
    """Return *source* with folded variants and the same offsets, prepared once for as long as *source* lives."""
    folded = _FOLDED.get(source)
    if folded is None:
        # Concurrent threads may prepare it twice, with the same result.
        text = fold_variants(source.text)
        folded = _FOLDED[source] = Source(text, name=source.name, profile=source.profile, marks=source.marks)
    return folded


@dataclass(frozen=True, slots=True)
class Respelling:
    """
    Holds a quote in the variants of its source, or without its editorial brackets.

    Attributes:
        quote: The quote as written.
        text: The respelled quote.
        cuts: Offsets in the respelled quote and in the quote between which both have the same characters or their
            variants, ascending, with both ends.
    """

    quote: str
    text: str
    cuts: tuple[tuple[int, int], ...]

    def verdict(self, respelled: QuoteVerdict, policy: QuotePolicy, reason: QuoteReason) -> QuoteVerdict:
        """Return the verdict on the quote as written for that on the *respelled* quote, for which *reason* is given."""
        match = respelled.match
        if match is None:
            return replace(respelled, quote=self.quote)
        status = QuoteStatus.NORMALIZED if respelled.status is QuoteStatus.EXACT else respelled.status
        kind = "normalized" if match.kind == "exact" else match.kind
        return replace(
            respelled,
            quote=self.quote,
            status=status,
            accepted=status in policy.accept,
            match=_rebuild_match(match.start, match.end, match.score, kind, match.text),
            differences=self.differences(respelled.differences),
            reasons=tuple(dict.fromkeys((*respelled.reasons, reason))),
        )

    def differences(self, respelled: Sequence[Difference]) -> tuple[Difference, ...]:
        """Return differences of the respelled quote as differences of the quote as written."""
        spans = [(self._written(each.quote_span[0]), self._written(each.quote_span[1])) for each in respelled]
        return tuple(
            replace(each, quote_text=self.quote[start:end], quote_span=(start, end))
            for each, (start, end) in zip(respelled, spans, strict=True)
        )

    def _written(self, offset: int) -> int:
        """Return the offset in the quote as written for one in the respelled quote."""
        at = bisect_right(self.cuts, offset, key=lambda cut: cut[0]) - 1
        start, written = self.cuts[at]
        return min(written + offset - start, self.cuts[min(at + 1, len(self.cuts) - 1)][1])


def unbracketed(quote: str) -> Respelling | None:
    """Return *quote* without the brackets around single letters, `The` for `[T]he`; None if there are none."""
    letters = letter_spans(quote)
    if not letters:
        return None
    edges = [0, *(edge for start, end in letters for edge in (start, start + 1, end - 1, end)), len(quote)]
    parts = list(zip(edges[::2], edges[1::2], strict=True))
    lengths = accumulate((end - start for start, end in parts), initial=0)
    cuts = zip(lengths, (*(start for start, _ in parts), len(quote)), strict=True)
    return Respelling(quote, "".join(quote[start:end] for start, end in parts), tuple(cuts))


def respellings(
    quotes: Sequence[tuple[str, bool]], source: Source, threshold: float, workers: int
) -> list[list[Respelling]]:
    """
    Return the spellings of each quote that *source* may have, other than the quote's own, in the order of the source.

    Args:
        quotes: The quotes, and whether to align each with the most similar passage if it does not occur.
        source: The source, whose profile is typographic.
        threshold: Minimum partial ratio of the folded texts of an alignment, 0.0 to 1.0.
        workers: Maximum number of threads.
    """
    folded = folded_source(source)
    found = [[] if quote.isascii() else _occurring(quote, source.text, folded) for quote, _ in quotes]
    open_ = [
        number
        for number, (quote, is_aligned) in enumerate(quotes)
        if is_aligned and not found[number] and not quote.isascii()
    ]
    needles = [fold_variants(quotes[number][0]) for number in open_]
    aligned = folded.align_quotes(needles, threshold=threshold, workers=workers)
    for number, alignment in zip(open_, aligned, strict=True):
        if alignment is not None:
            found[number] = [respell(quotes[number][0], [(0, alignment)], source.text)]
    return [list({each.text: each for each in of_quote if each.text != each.quote}.values()) for of_quote in found]


def _occurring(quote: str, text: str, folded: Source) -> list[Respelling]:
    """Return the spellings in which the folded quote, or each of its fragments, occurs in the folded source."""
    needle = fold_variants(quote)
    passages: dict[str, tuple[int, int]] = {}
    for match in folded.find_all(needle):
        passages.setdefault(text[match.start : match.end], (match.start, match.end))
        if len(passages) == _MAX_SPELLINGS:
            break
    if passages:
        return [respell(quote, [(0, folded.align(needle, *place))], text) for place in passages.values()]
    pieces = []
    end = 0
    for first, last in fragment_spans(quote):
        fragment = needle[first:last]
        matches = folded.find_all(fragment)
        if not matches:
            return []
        # The fragments of a quote are in the order of the source.
        match = next((each for each in matches if each.start >= end), matches[0])
        pieces.append((first, folded.align(fragment, match.start, match.end)))
        end = match.end
    return [respell(quote, pieces, text)] if pieces else []


def respell(quote: str, pieces: Sequence[tuple[int, QuoteAlignment]], text: str) -> Respelling:
    """
    Return *quote* with the variants of its source.

    Args:
        quote: The quote.
        pieces: The offset of each aligned piece of the quote, and its alignment with the folded source, in order.
        text: The text of the source.
    """
    parts: list[tuple[int, str]] = []
    done = 0
    for offset, alignment in pieces:
        parts.append((done, quote[done:offset]))
        own = _chinese_characters(text[alignment.start : alignment.end])
        done, place = offset, alignment.start
        for first, last, start, end in alignment.edits:
            # Between edits, the folded texts are equal.
            parts.append((done, text[place:start]))
            parts.append((offset + first, _in_variants(quote[offset + first : offset + last], text[start:end], own)))
            done, place = offset + last, end
        parts.append((done, text[place : alignment.end]))
        done += alignment.end - place
    parts.append((done, quote[done:]))
    cuts = []
    length = 0
    for written, part in parts:
        cuts.append((length, written))
        length += len(part)
    return Respelling(quote, "".join(part for _, part in parts), (*cuts, (length, len(quote))))


def _chinese_characters(passage: str) -> dict[str, str]:
    """Return the first of the variants of each Chinese character in *passage*, by representative."""
    return {fold_variants(each): each for each in reversed(passage) if not each.isascii() and not _is_kana(each)}


def _is_kana(character: str) -> bool:
    return "\u3040" <= character <= "\u30ff"


def _in_variants(written: str, meant: str, own: dict[str, str]) -> str:
    """Return *meant* if it differs from *written* in variants alone, else *written* with the passage's *own* ones."""
    sides = (written, meant)
    plain, other = (normalize(side, profile="typographic") for side in sides)
    folded, other_folded = (normalize(fold_variants(side), profile="typographic") for side in sides)
    if folded == other_folded:
        return written if plain == other else meant
    # Where words were added, a character may be aligned with the one beside its own.
    return "".join(own.get(fold_variants(each), each) for each in written)
