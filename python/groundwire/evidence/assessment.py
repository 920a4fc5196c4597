"""
Verdicts on quotes: the ladder on each source, and what lies around a passage.

The ladder says how a quote stands in a source. Here it is told which source is
asked, who speaks there, what stands right beside the passage, and whether the
quote is long enough.
"""

from collections.abc import Sequence
from dataclasses import replace

from groundwire._engine import Source, _rebuild_match, normalize
from groundwire.evidence.ladder import climb
from groundwire.evidence.policy import QuotePolicy
from groundwire.evidence.several import assess_in_several
from groundwire.evidence.spoken import SpokenTurns
from groundwire.evidence.truncation import truncated_condition
from groundwire.evidence.verdicts import QuoteStatus, QuoteVerdict, Reason
from groundwire.evidence.wording.tokens import is_unspaced, tokenize
from groundwire.sources import Sources
from groundwire.transcripts.transcript import Transcript

__all__ = ["assess_quotes"]


def assess_quotes(
    quotes: Sequence[str],
    source: str | Source | Transcript | Sources,
    *,
    policy: QuotePolicy | None = None,
    cited: int | str | None = None,
    workers: int = 1,
) -> list[QuoteVerdict]:
    """
    Say of each quote whether and how it stands in its source, and what differs.

    Texts are compared in the typographic profile (rulings A2, A3); a Source of
    another profile is prepared once more, each time, so give one of that profile
    where many calls are made. A quote longer than its source is never accepted
    (ruling A8), nor one that differs in what makes the meaning (ruling A9).

    Args:
        quotes: The quotes as written.
        source: A text; a transcript, whose turns say who speaks; or several
            sources, of which the one that has the quote best is taken: accepted,
            then by status, score and order.
        policy: What is accepted; None for the default.
        cited: The place, from 0, or the name of the source that the quotes are
            said to be from. What only another one has is `found_elsewhere`.
        workers: Threads, at most.

    Returns:
        A verdict for each quote, in their order.

    Raises:
        TypeError: An argument is of another type.
        ValueError: The policy names speakers, and the source has no turns; or there
            are no sources.
        KeyError, IndexError: There is no such *cited* source.
    """
    chosen = _checked(quotes)
    rules = QuotePolicy() if policy is None else policy
    if not isinstance(rules, QuotePolicy):
        raise TypeError(f"policy must be a QuotePolicy or None, got {type(policy).__name__}")
    if isinstance(source, Sources):
        return _in_several(chosen, source, rules, cited, workers)
    if cited is not None:
        raise TypeError("cited needs several sources: a groundwire.Sources")
    transcript = source if isinstance(source, Transcript) else None
    if rules.speakers is not None:
        _check_turns(transcript)
    if isinstance(source, Transcript):
        return _in_one(chosen, source.source("typographic"), source, rules, workers)
    return _in_one(chosen, _typographic(source), None, rules, workers)


def _checked(quotes: Sequence[str]) -> list[str]:
    if isinstance(quotes, str):
        raise TypeError("quotes must be a sequence of str, got str")
    for place, quote in enumerate(quotes):
        if not isinstance(quote, str):
            raise TypeError(f"quotes[{place}] must be a str, got {type(quote).__name__}")
    return list(quotes)


def _check_turns(transcript: Transcript | None) -> None:
    if transcript is None or not transcript.turns:
        raise ValueError("policy.speakers needs transcripts that have turns")


def _typographic(source: object) -> Source:
    if isinstance(source, str):
        return Source(source, profile="typographic")
    if not isinstance(source, Source):
        got = type(source).__name__
        raise TypeError(f"source must be a str, a Source, a Transcript or a Sources, got {got}")
    if source.profile == "typographic":
        return source
    return Source(source.text, name=source.name, profile="typographic")


def _in_several(
    quotes: list[str], sources: Sources, policy: QuotePolicy, cited: int | str | None, workers: int
) -> list[QuoteVerdict]:
    if not len(sources):
        raise ValueError("sources must have at least one source")
    if policy.speakers is not None:
        for name in sources.names:
            _check_turns(sources.transcript(name))

    def assess(some: list[str], place: int) -> list[QuoteVerdict]:
        verdicts = _in_one(some, _typographic(sources[place]), sources.transcript(place), policy, workers)
        name = sources.names[place]
        return [replace(verdict, source=name) if verdict.match else verdict for verdict in verdicts]

    cited_place = None if cited is None else sources.place(cited)
    return assess_in_several(quotes, sources, assess, policy=policy, cited=cited_place, workers=workers)


def _in_one(
    quotes: list[str], source: Source, transcript: Transcript | None, policy: QuotePolicy, workers: int
) -> list[QuoteVerdict]:
    if transcript is None or not transcript.turns:
        verdicts = climb(quotes, source, policy, workers=workers)
        return [_with_surroundings(verdict, source, None, policy) for verdict in verdicts]
    turns = SpokenTurns(transcript, policy.speakers)
    verdicts = _in_turns(quotes, source, turns, policy, workers)
    return [_with_surroundings(verdict, source, turns, policy) for verdict in verdicts]


def _in_turns(
    quotes: list[str], source: Source, turns: SpokenTurns, policy: QuotePolicy, workers: int
) -> list[QuoteVerdict]:
    """The verdicts on what those say who may be quoted; else on what all say; else on all that is written there."""
    verdicts: dict[int, QuoteVerdict] = {}
    for view in (*turns.views(source), source):
        open_ = [number for number in range(len(quotes)) if number not in verdicts or not verdicts[number].accepted]
        found = climb([quotes[number] for number in open_], view, policy, text=source.text, workers=workers)
        for number, verdict in zip(open_, found, strict=True):
            if number not in verdicts or verdict.accepted or verdicts[number].match is None:
                verdicts[number] = verdict
    for number, verdict in verdicts.items():
        if verdict.match is not None and not turns.are_allowed(verdict):
            reasons = (Reason.WRONG_SPEAKER, *verdict.reasons)
            verdicts[number] = replace(verdict, status=QuoteStatus.WRONG_SPEAKER, accepted=False, reasons=reasons)
    return [verdicts[number] for number in range(len(quotes))]


def _with_surroundings(
    verdict: QuoteVerdict, source: Source, turns: SpokenTurns | None, policy: QuotePolicy
) -> QuoteVerdict:
    """Return *verdict* with what its surroundings and the length of the quote make of it."""
    match = verdict.match
    if match is None:
        return verdict
    reasons, is_accepted = list(verdict.reasons), verdict.accepted
    truncated = truncated_condition(source.text, match.start, match.end, marks=source.marks or ())
    if truncated is not None:
        reasons.append(Reason.TRUNCATED_CONDITION)
        is_accepted &= policy.accept_truncated
    if turns is not None:
        match = _rebuild_match(match.start, match.end, match.score, match.kind, source.text[match.start : match.end])
        if turns.are_several(verdict):
            reasons.append(Reason.ACROSS_TURNS)
            is_accepted &= policy.accept_across_turns
    if _is_short(verdict.quote, policy):
        reasons.append(Reason.TOO_SHORT)
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


def _is_short(quote: str, policy: QuotePolicy) -> bool:
    if policy.min_chars == policy.min_words == 1:
        return False
    normalized = normalize(quote, profile="typographic")
    return len(normalized) < policy.min_chars or _words(normalized) < policy.min_words


def _words(text: str) -> int:
    """Words; characters where a script puts no space between them (ruling A10)."""
    tokens = tokenize(text, 0, len(text))
    return sum(len(token.text) if is_unspaced(token.text[0]) else 1 for token in tokens)
