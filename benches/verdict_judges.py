"""
Defines the judges of quotes: groundwire's rules, and other packages.

A judge looks for quotes in one document, which it prepares itself, and says of each
whether it accepts it and where it stands. None gets more than a user of its package
would give it, and each runs with its own defaults.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, NamedTuple

from groundwire import Source, evidence, normalize

__all__ = ["AT_ONCE", "JUDGES", "Judge", "Verdict", "available"]

SLOW_MAX_CHARS = 100_000
"""Judges that take a good part of a second for a quote in such a document see no longer one."""

SLOW_MAX_QUOTE_CHARS = 1_000
"""Nor a longer quote, for which they can take hours."""


class Verdict(NamedTuple):
    """The verdict of a judge on a quote; *spans* are its positions in code points of the document."""

    status: str
    is_accepted: bool
    spans: tuple[tuple[int, int], ...] = ()
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judge:
    """
    A way to judge quotes.

    Attributes:
        name: What tables call it.
        judge: Quotes and a document to a verdict for each quote.
        package: The distribution that has to be installed.
        max_chars: The longest document that it is asked about; None for any.
        max_quote_chars: The longest quote that it is asked about.
        locate: Makes the spans of verdicts places in the document, if they are not; not part of the judging.
    """

    name: str
    judge: Callable[[Sequence[str], str], list[Verdict]]
    package: str = "groundwire"
    max_chars: int | None = None
    max_quote_chars: int | None = None
    locate: Callable[[list[Verdict], str], list[Verdict]] | None = None


def literal(mode: str) -> Callable[[Sequence[str], str], list[Verdict]]:
    """Return the literal rule of the specification in *mode*, at its threshold of 0.85."""

    def judge(quotes: Sequence[str], document: str) -> list[Verdict]:
        matches = Source(document).ground(quotes, mode=mode, threshold=0.85)
        return [
            Verdict("absent", False) if match is None else Verdict(match.kind, True, ((match.start, match.end),))
            for match in matches
        ]

    return judge


def guarded(quotes: Sequence[str], document: str) -> list[Verdict]:
    """Judge by `assess_quotes` with its default policy."""
    from groundwire.evidence import assess_quotes

    return [
        Verdict(
            str(verdict.status),
            verdict.accepted,
            _spans(verdict),
            tuple(map(str, verdict.reasons)) + tuple(f"difference:{each.kind}" for each in verdict.differences),
        )
        for verdict in assess_quotes(quotes, Source(document, profile="typographic"))
    ]


def _spans(verdict: Any) -> tuple[tuple[int, int], ...]:
    first = () if verdict.match is None else ((verdict.match.start, verdict.match.end),)
    return tuple(dict.fromkeys([*first, *((start, end) for start, end in verdict.all_spans)]))


def rapidfuzz(cutoff: int) -> Callable[[Sequence[str], str], list[Verdict]]:
    """Return a judge that accepts what RapidFuzz's partial ratio of the normalised texts scores *cutoff* or more."""

    def judge(quotes: Sequence[str], document: str) -> list[Verdict]:
        from rapidfuzz.fuzz import partial_ratio_alignment

        text = normalize(document)
        verdicts = []
        for quote in quotes:
            needle = normalize(quote)
            found = partial_ratio_alignment(needle, text, score_cutoff=cutoff)
            if not needle or found is None:
                verdicts.append(Verdict("absent" if needle else "blank", False))
            else:
                verdicts.append(Verdict("similar", True, ((found.dest_start, found.dest_end),)))
        return verdicts

    return judge


def from_normalized(verdicts: list[Verdict], document: str) -> list[Verdict]:
    """Return *verdicts* with spans of the normalised document made spans of the document."""
    return [
        verdict._replace(
            spans=tuple((_end(start + 1, document) - 1, _end(end, document)) for start, end in verdict.spans)
        )
        for verdict in verdicts
    ]


def _end(chars: int, document: str) -> int:
    """Return about how much of *document* makes *chars* characters when normalised: a few off at tags."""
    low, high = 0, len(document)
    while low < high:
        middle = (low + high) // 2
        if len(normalize(document[:middle])) < chars:
            low = middle + 1
        else:
            high = middle
    return low


def quotecheck(quotes: Sequence[str], document: str) -> list[Verdict]:
    """Judge by `quotecheck.check`: "found" and "interleaved" are its yes, "drift" and "absent" its no."""
    from quotecheck import check

    verdicts = []
    for quote in quotes:
        try:
            match = check(quote, document)
        except ValueError:
            verdicts.append(Verdict("blank", False))
            continue
        except IndexError:
            # Version 0.1.0 loses its place in a document where letters lose accents or cases unfold.
            verdicts.append(Verdict("crashed", False))
            continue
        # It says where a match begins, not where it ends.
        spans = ((match.offset, match.offset + len(quote)),) if match.ok else ()
        verdicts.append(Verdict(match.status, match.ok, spans))
    return verdicts


def langextract(*, accept_parts: bool, at_once: bool = False) -> Callable[[Sequence[str], str], list[Verdict]]:
    """
    Return a judge that is langextract's `WordAligner`: what gets a place in the text is accepted.

    Its default is to place a quote of which only a part is there as well (*accept_parts*). *at_once* gives
    it all quotes in one call, as it gives itself a model's output; it then looks for them in their order.
    """

    def judge(quotes: Sequence[str], document: str) -> list[Verdict]:
        batches = [list(quotes)] if at_once else [[quote] for quote in quotes]
        return [verdict for batch in batches for verdict in _aligned(batch, document, accept_parts)]

    return judge


def _aligned(quotes: list[str], document: str, accept_parts: bool) -> list[Verdict]:
    from langextract.core.data import Extraction
    from langextract.resolver import WordAligner

    extractions = [Extraction("quote", quote) for quote in quotes]
    (aligned,) = WordAligner().align_extractions([extractions], document, accept_match_lesser=accept_parts)
    verdicts = []
    for extraction in aligned:
        place = extraction.char_interval
        if place is None:
            verdicts.append(Verdict("absent", False))
        else:
            verdicts.append(Verdict(extraction.alignment_status.value, True, ((place.start_pos, place.end_pos),)))
    return verdicts


_SLOW = {"max_chars": SLOW_MAX_CHARS, "max_quote_chars": SLOW_MAX_QUOTE_CHARS}

JUDGES = (
    Judge("guarded", guarded),
    Judge("literal substring", literal("substring")),
    Judge("literal fuzzy 0.85", literal("fuzzy")),
    Judge("RapidFuzz 0.85", rapidfuzz(85), "rapidfuzz", locate=from_normalized),
    Judge("RapidFuzz 0.9", rapidfuzz(90), "rapidfuzz", locate=from_normalized),
    Judge("quotecheck", quotecheck, "quotecheck", **_SLOW),
    Judge("langextract", langextract(accept_parts=True), "langextract", **_SLOW),
    Judge("langextract, no parts", langextract(accept_parts=False), "langextract", **_SLOW),
)

AT_ONCE = Judge("langextract, at once", langextract(accept_parts=True, at_once=True), "langextract", **_SLOW)
"""For times alone: the same, in one call."""


def available(judge: Judge) -> bool:
    """Return whether the package of *judge* is installed."""
    if judge.judge is guarded:
        return "assess_quotes" in evidence.__all__
    return find_spec(judge.package) is not None
