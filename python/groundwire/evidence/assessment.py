"""
Assesses quotes: the match cascade on each source, followed by the checks of a passage's surroundings.

The cascade (`matching`) finds a quote in one source. This module chooses the source, and checks the speaker, the words
directly beside the passage, and the length of the quote.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from groundwire._engine import Source, _rebuild_match, normalize
from groundwire.evidence.matching import find_nearest, match_quotes
from groundwire.evidence.origins import SpokenTurns, with_pages
from groundwire.evidence.verdicts import (
    WHOLE,
    NearestPassage,
    NearestSearch,
    Quote,
    QuotePolicy,
    QuoteReason,
    QuoteStatus,
    QuoteVerdict,
    verdict_rank,
)
from groundwire.language import reader as language_reader
from groundwire.language import source_language
from groundwire.pair_scorer import PairScorer
from groundwire.sources import Sources, document_of, transcript_of
from groundwire.transcripts.speakers import speaker_key
from groundwire.transcripts.transcript import Transcript

if TYPE_CHECKING:
    from groundwire.documents.document import Document

__all__ = ["assess_quotes", "quote_size"]

_STOPS = (".", "!", "?", "。", "！", "？", "؟", "۔")
_NOT_SAID = frozenset({QuoteStatus.ALTERED, QuoteStatus.WRONG_SPEAKER, QuoteStatus.ABSENT})
"""Statuses of quotes that a source does not contain, though it may contain something similar."""
_FOUND = WHOLE | {QuoteStatus.FOUND_ELSEWHERE}
"""Statuses that no other source can improve. A quote inside longer words may still be near in another source."""


def _assess_in_several(
    quotes: Sequence[str],
    sources: Sources,
    assess: Callable[[list[str], int], list[QuoteVerdict]],
    *,
    policy: QuotePolicy,
    cited: int | None,
    workers: int,
) -> list[QuoteVerdict]:
    """
    Return the best verdict on each quote: accepted ones first, then by status, score and order of the sources.

    Sources that contain the characters of a quote are assessed first. All others
    follow only if none of these contains the quote as whole words. With a cited
    source, the others are assessed only for quotes that it does not contain.

    Args:
        quotes: The quotes.
        sources: At least one source.
        assess: Returns the verdicts on quotes in the source with an index.
        policy: Whether quotes found elsewhere are accepted.
        cited: Index of the cited source.
        workers: Number of threads for the search.
    """
    if len(sources) == 1:
        return assess(list(quotes), 0)
    best = {} if cited is None else dict(enumerate(assess(list(quotes), cited)))
    open_ = _not_said(range(len(quotes)), best)
    holders = sources.ground([quotes[number] for number in open_], workers=workers)
    held = {number: {holder.index for holder in each} for number, each in zip(open_, holders, strict=True)}
    for is_held in (True, False):
        asked = [number for number in open_ if number not in best or best[number].status not in _FOUND]
        for place in range(len(sources)):
            numbers = [number for number in asked if (place in held[number]) is is_held]
            if not numbers or place == cited:
                continue
            for number, verdict in zip(numbers, assess([quotes[number] for number in numbers], place), strict=True):
                if cited is not None and verdict.accepted:
                    best[number] = min(best[number], _elsewhere(verdict, policy), key=verdict_rank)
                elif cited is None:
                    best[number] = min(best.get(number, verdict), verdict, key=verdict_rank)
    return [best[number] for number in range(len(quotes))]


def _not_said(numbers: Sequence[int], best: dict[int, QuoteVerdict]) -> list[int]:
    return [number for number in numbers if number not in best or best[number].status in _NOT_SAID]


def _elsewhere(verdict: QuoteVerdict, policy: QuotePolicy) -> QuoteVerdict:
    """Return the verdict for a quote that would be accepted from a source that was not cited."""
    status = QuoteStatus.FOUND_ELSEWHERE
    reasons = (QuoteReason.NOT_IN_CITED_SOURCE, *verdict.reasons)
    return replace(verdict, status=status, accepted=status in policy.accept, reasons=reasons)


_Assess: TypeAlias = Callable[[list[str], str | None, str | None], list[QuoteVerdict]]
"""Return the verdicts on quotes that name a speaker and a source, or None."""


def assess_quotes(
    quotes: Sequence[str | Quote],
    source: "str | Source | Transcript | Document | Sources",
    *,
    policy: QuotePolicy | None = None,
    cited: int | str | None = None,
    workers: int = 1,
    reader: PairScorer | None = None,
) -> list[QuoteVerdict]:
    """
    Return a verdict on each quote: whether its source contains it, and what differs.

    Texts are compared in the typographic profile (rulings A2, A3). A Source with
    another profile is prepared again on each call, so pass one with that profile if
    you call this often. A quote longer than its source is never accepted (ruling
    A8), and neither is one with a difference that changes the meaning (ruling A9).

    Args:
        quotes: The quotes as written; a `Quote` for one that names its speaker or
            source. These names are checked for this quote (ruling A20). If a name
            cannot be checked, the verdict has a reason for it, and the quote is not
            accepted.
        source: A text; a transcript, whose turns name the speakers; a document, whose pages are checked; or several
            sources, of which the best one counts: accepted, then by status, score
            and order.
        policy: Rules of acceptance; None for the default.
        cited: Index, from 0, or name of the source that the quotes are attributed
            to, unless they name one themselves. A quote that only another source
            contains is `found_elsewhere`.
        workers: Maximum number of threads.
        reader: A model that reads passages and quotes, such as `groundwire.onnx_models.OnnxPairScorer`. A quote
            that differs only in wording and follows from the nearest passage is `paraphrased`, which the default
            policy does not accept.

    Returns:
        A verdict for each quote, in the same order.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: The policy names speakers, but the source has no turns; or there
            are no sources.
        KeyError, IndexError: The *cited* source does not exist.
        ModelError: The reader failed.
    """
    chosen = _checked(quotes)
    rules = QuotePolicy() if policy is None else policy
    if not isinstance(rules, QuotePolicy):
        raise TypeError(f"policy must be a QuotePolicy or None, got {type(policy).__name__}")
    if isinstance(source, Sources):
        assess = _in_sources(source, rules, cited, workers)
    elif cited is not None:
        raise TypeError("cited needs several sources: a groundwire.Sources")
    else:
        assess = _in_single_source(source, rules, workers)
    # Quotes that name the same speaker and source are assessed together.
    by_names: dict[tuple[str | None, str | None], list[int]] = {}
    for number, quote in enumerate(chosen):
        by_names.setdefault((quote.speaker, quote.source), []).append(number)
    verdicts: dict[int, QuoteVerdict] = {}
    for (speaker, name), numbers in by_names.items():
        verdicts.update(zip(numbers, assess([chosen[number].text for number in numbers], speaker, name), strict=True))
    everywhere = source.names[source.place(cited)] if isinstance(source, Sources) and cited is not None else None
    required = [quote.source or everywhere for quote in chosen]
    named = [
        _with_names(verdicts[number], quote, _documents_of(verdicts[number], name, source))
        for number, (quote, name) in enumerate(zip(chosen, required, strict=True))
    ]
    if reader is None:
        return named
    from groundwire.evidence.paraphrases import with_paraphrases

    # A single source has no name for the search, and a quote that names another one has no passage.
    cited_names = required if isinstance(source, Sources) else [None] * len(required)
    read = with_paraphrases(named, partial(_text_of, source), rules, reader, cited_names)
    return [_with_length(verdict, rules) for verdict in read]


def _text_of(source: "str | Source | Transcript | Document | Sources", name: str | None) -> str:
    if isinstance(source, Sources):
        return source[name if name is not None else 0].text
    return source if isinstance(source, str) else source.text


def _checked(quotes: Sequence[str | Quote]) -> list[Quote]:
    if isinstance(quotes, str | Quote):
        raise TypeError(f"quotes must be a sequence of str or Quote, got {type(quotes).__name__}")
    given = list(quotes)
    for place, quote in enumerate(given):
        if not isinstance(quote, str | Quote):
            raise TypeError(f"quotes[{place}] must be a str or a Quote, got {type(quote).__name__}")
    return [Quote(quote) if isinstance(quote, str) else quote for quote in given]


def _with_names(verdict: QuoteVerdict, quote: Quote, documents: "list[Document | None]") -> QuoteVerdict:
    """Return *verdict* with the speaker and page that *quote* names; the page is checked in *documents*."""
    verdict = with_pages(verdict, quote, documents)
    return verdict if quote.speaker is None else replace(verdict, speaker=quote.speaker)


def _documents_of(verdict: QuoteVerdict, required: str | None, source: object) -> "list[Document | None]":
    """Return the document that has the passage; if there is none, all in which the *required* source may have it."""
    if QuoteReason.UNKNOWN_SOURCE in verdict.reasons:
        return []
    if not isinstance(source, Sources):
        return [document_of(source)]
    name = verdict.source if verdict.match is not None else required
    return [source.document(place) for place in range(len(source))] if name is None else [source.document(name)]


def _unknown_source(quote: str) -> QuoteVerdict:
    reasons = (QuoteReason.UNKNOWN_SOURCE,)
    return QuoteVerdict(quote=quote, status=QuoteStatus.ABSENT, accepted=False, reasons=reasons)


def _searching(verdict: QuoteVerdict, find: Callable[[str], NearestPassage | None]) -> QuoteVerdict:
    """Return *verdict*, with a search for the nearest passage if it has no passage."""
    if verdict.match is not None or verdict.status is QuoteStatus.BLANK:
        return verdict
    # The verdict is changed in place: this call made it, and a copy would take as long as the verdict itself.
    object.__setattr__(verdict, "_search", NearestSearch(partial(find, verdict.quote)))
    return verdict


def _in_single_source(source: object, policy: QuotePolicy, workers: int) -> _Assess:
    transcript, document = transcript_of(source), document_of(source)
    if policy.speakers is not None:
        _check_turns(transcript)
    if document is not None:
        prepared = document.source("typographic")
    else:
        prepared = _typographic(source) if transcript is None else transcript.source("typographic")

    def find(quote: str) -> NearestPassage | None:
        return find_nearest(quote, [(None, prepared)], policy)

    def assess(quotes: list[str], speaker: str | None, name: str | None) -> list[QuoteVerdict]:
        if name is not None and name != prepared.name:
            return [_unknown_source(quote) for quote in quotes]
        verdicts = _in_one(quotes, prepared, transcript, policy, workers, speaker)
        return [_searching(verdict, find) for verdict in verdicts]

    return assess


def _check_turns(transcript: Transcript | None) -> None:
    if transcript is None or not transcript.turns:
        raise ValueError("policy.speakers needs transcripts with turns")


def _typographic(source: object) -> Source:
    if isinstance(source, str):
        return Source(source, profile="typographic")
    if not isinstance(source, Source):
        got = type(source).__name__
        raise TypeError(f"source must be a str, a Source, a Transcript, a Document or a Sources, got {got}")
    if source.profile == "typographic":
        return source
    return Source(source.text, name=source.name, profile="typographic")


def _in_sources(sources: Sources, policy: QuotePolicy, cited: int | str | None, workers: int) -> _Assess:
    if not len(sources):
        raise ValueError("sources must have at least one source")
    if policy.speakers is not None:
        for name in sources.names:
            _check_turns(sources.transcript(name))
    cited_for_all = None if cited is None else sources.place(cited)

    def find(quote: str) -> NearestPassage | None:
        return find_nearest(quote, [(name, _typographic(sources[name])) for name in sources.names], policy)

    def assess(quotes: list[str], speaker: str | None, name: str | None) -> list[QuoteVerdict]:
        if name is not None and name not in sources.names:
            return [_unknown_source(quote) for quote in quotes]

        def assess_at(some: list[str], place: int) -> list[QuoteVerdict]:
            prepared, transcript = _typographic(sources[place]), sources.transcript(place)
            verdicts = _in_one(some, prepared, transcript, policy, workers, speaker)
            return [replace(verdict, source=sources.names[place]) if verdict.match else verdict for verdict in verdicts]

        cited_place = cited_for_all if name is None else sources.place(name)
        found = _assess_in_several(quotes, sources, assess_at, policy=policy, cited=cited_place, workers=workers)
        return [_searching(verdict, find) for verdict in found]

    return assess


def _in_one(
    quotes: list[str],
    source: Source,
    transcript: Transcript | None,
    policy: QuotePolicy,
    workers: int,
    speaker: str | None,
) -> list[QuoteVerdict]:
    if transcript is None or not transcript.turns:
        verdicts = match_quotes(quotes, source, policy, workers=workers)
        verdicts = [_with_surroundings(verdict, source, None, policy) for verdict in verdicts]
        return (
            verdicts
            if speaker is None
            else [_withheld(verdict, QuoteReason.SPEAKER_NOT_CHECKED) for verdict in verdicts]
        )
    turns = SpokenTurns(transcript, _quotable(speaker, policy))
    verdicts = _in_turns(quotes, source, turns, policy, workers)
    verdicts = [_with_surroundings(verdict, source, turns, policy) for verdict in verdicts]
    is_known = speaker is None or speaker_key(speaker) in set(map(speaker_key, transcript.speakers))
    return verdicts if is_known else [_withheld(verdict, QuoteReason.UNKNOWN_SPEAKER) for verdict in verdicts]


def _quotable(speaker: str | None, policy: QuotePolicy) -> Collection[str] | None:
    """Return the speakers who may be quoted if the quote names *speaker*; None for all."""
    if speaker is None:
        return policy.speakers
    is_allowed = policy.speakers is None or speaker_key(speaker) in set(map(speaker_key, policy.speakers))
    return (speaker,) if is_allowed else ()


def _withheld(verdict: QuoteVerdict, reason: QuoteReason) -> QuoteVerdict:
    """Return *verdict* rejected for *reason*; unchanged if it has no passage."""
    if verdict.match is None:
        return verdict
    return replace(verdict, accepted=False, reasons=(*verdict.reasons, reason))


def _in_turns(
    quotes: list[str], source: Source, turns: SpokenTurns, policy: QuotePolicy, workers: int
) -> list[QuoteVerdict]:
    """Return verdicts on the words of the speakers who may be quoted, else of all speakers, else on the whole text."""
    verdicts: dict[int, QuoteVerdict] = {}
    for view in (*turns.views(source), source):
        open_ = [number for number in range(len(quotes)) if number not in verdicts or not verdicts[number].accepted]
        if not open_:
            break
        found = match_quotes([quotes[number] for number in open_], view, policy, text=source.text, workers=workers)
        for number, verdict in zip(open_, found, strict=True):
            if number not in verdicts or verdict.accepted or verdicts[number].match is None:
                verdicts[number] = verdict
    for number, verdict in verdicts.items():
        if verdict.match is not None and not turns.are_allowed(verdict):
            reasons = (QuoteReason.WRONG_SPEAKER, *verdict.reasons)
            verdicts[number] = replace(verdict, status=QuoteStatus.WRONG_SPEAKER, accepted=False, reasons=reasons)
    return [verdicts[number] for number in range(len(quotes))]


def _with_surroundings(
    verdict: QuoteVerdict, source: Source, turns: SpokenTurns | None, policy: QuotePolicy
) -> QuoteVerdict:
    """Return *verdict* after the checks of its surroundings and of the quote's length."""
    match = verdict.match
    if match is None:
        return verdict
    reasons, is_accepted = list(verdict.reasons), verdict.accepted
    beside, reversing = language_reader().surroundings(
        source.text, match.start, match.end, language=source_language(source.text)
    )
    # A negation of the whole quote is reported only once.
    truncated = None if beside is None or beside == reversing else source.text[slice(*beside)]
    if truncated is not None:
        reasons.append(QuoteReason.TRUNCATED_CONDITION)
        is_accepted &= policy.accept_truncated and not _ends_early(verdict.quote, source.text, match.end)
        if QuoteReason.ELLIPSIS in verdict.reasons and _ends_in_ellipsis(verdict.quote):
            # An ellipsis at the end of the quote omits the restricting words.
            reasons.append(QuoteReason.HIDDEN_MEANING)
            is_accepted = False
    is_cut = beside is not None and beside[1] <= match.start and _begins_anew(verdict.quote, source.text, match.start)
    if (reversing is not None or is_cut) and verdict.status is not QuoteStatus.ALTERED:
        reasons.append(QuoteReason.REVERSED_CONTEXT)
        is_accepted = False
    if turns is not None:
        match = _rebuild_match(match.start, match.end, match.score, match.kind, source.text[match.start : match.end])
        if turns.are_several(verdict):
            reasons.append(QuoteReason.ACROSS_TURNS)
            is_accepted &= policy.accept_across_turns
    if _is_short(verdict.quote, policy):
        reasons.append(QuoteReason.TOO_SHORT)
        is_accepted = False
    if turns is None and len(reasons) == len(verdict.reasons):
        return verdict
    return replace(
        verdict,
        accepted=is_accepted,
        match=match,
        reasons=tuple(reasons),
        truncated=truncated,
        turns=() if turns is None else turns.of(match.start, match.end),
    )


def _begins_anew(quote: str, text: str, start: int) -> bool:
    """Tell whether *quote* begins a sentence where *text* does not: Crowd the pan, from Don't crowd the pan."""
    return quote.lstrip("\"'\u201c\u2018([ ")[:1].isupper() and text[start : start + 1].islower()


def _ends_early(quote: str, text: str, end: int) -> bool:
    """Tell whether *quote* ends its sentence where *text* continues: with a full stop before unless."""
    return quote.rstrip("\"'\u201d\u2019)] \n").endswith(_STOPS) and not text[:end].rstrip().endswith(_STOPS)


def _ends_in_ellipsis(quote: str) -> bool:
    return quote.rstrip(" .\"'\u201d\u2019)]").endswith("\u2026") or quote.rstrip().endswith(("...", "...]", "...)"))


def _with_length(verdict: QuoteVerdict, policy: QuotePolicy) -> QuoteVerdict:
    """Return *verdict* after the check of its length, if a model found it; other quotes were checked before."""
    if verdict.status is not QuoteStatus.PARAPHRASED or not _is_short(verdict.quote, policy):
        return verdict
    return replace(verdict, accepted=False, reasons=(*verdict.reasons, QuoteReason.TOO_SHORT))


def _is_short(quote: str, policy: QuotePolicy) -> bool:
    if policy.min_chars == policy.min_words == 1:
        return False
    chars, words = quote_size(quote)
    return chars < policy.min_chars or words < policy.min_words


def quote_size(quote: str) -> tuple[int, int]:
    """Return the numbers of normalised characters and of words; a script without spaces counts by characters (A10)."""
    normalized = normalize(quote, profile="typographic")
    return len(normalized), language_reader().count_words(normalized)
