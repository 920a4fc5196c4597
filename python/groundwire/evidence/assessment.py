"""
Verdicts on quotes: the ladder on each source, and what lies around a passage.

The ladder says how a quote stands in a source. Here it is told which source is
asked, who speaks there, what stands right beside the passage, and whether the
quote is long enough.
"""

from collections.abc import Sequence
from dataclasses import replace

from groundwire._engine import Source, normalize
from groundwire.evidence.ladder import climb
from groundwire.evidence.policy import QuotePolicy
from groundwire.evidence.truncation import truncated_condition
from groundwire.evidence.verdicts import QuoteStatus, QuoteVerdict, Reason
from groundwire.evidence.wording.tokens import is_unspaced, tokenize
from groundwire.sources import Sources
from groundwire.transcripts.speakers import speaker_key
from groundwire.transcripts.transcript import Transcript

__all__ = ["assess_quotes"]

_BEST_FIRST = tuple(QuoteStatus)
_NOT_THERE = frozenset({QuoteStatus.ABSENT, QuoteStatus.WRONG_SPEAKER})


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
            sources, of which the one that has the quote best is taken: by status,
            then score, then order.
        policy: What is accepted; None for the default.
        cited: The place, from 0, or the name of the source that the quotes are
            said to be from. What only another one has is `found_elsewhere`.
        workers: Threads, at most.

    Returns:
        A verdict for each quote, in their order.

    Raises:
        TypeError: An argument is of another type.
        ValueError: The policy names speakers, and the source has no turns.
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


def _typographic(source: object) -> Source:
    if isinstance(source, str):
        return Source(source, profile="typographic")
    if not isinstance(source, Source):
        got = type(source).__name__
        raise TypeError(f"source must be a str, a Source, a Transcript or a Sources, got {got}")
    if source.profile == "typographic":
        return source
    return Source(source.text, name=source.name, profile="typographic")


def _in_one(
    quotes: list[str], source: Source, transcript: Transcript | None, policy: QuotePolicy, workers: int
) -> list[QuoteVerdict]:
    if policy.speakers is not None and (transcript is None or not transcript.turns):
        raise ValueError("policy.speakers needs a transcript that has turns")
    surroundings = _Surroundings(source, transcript, policy)
    verdicts = climb(quotes, source, policy, is_allowed=surroundings.is_allowed, workers=workers)
    return [surroundings.consider(verdict) for verdict in verdicts]


def _in_several(
    quotes: list[str], sources: Sources, policy: QuotePolicy, cited: int | str | None, workers: int
) -> list[QuoteVerdict]:
    """The best verdict of all sources; with a cited one, another source is asked for what that one lacks."""
    if cited is None:
        best: dict[int, QuoteVerdict] = {}
        open_ = list(range(len(quotes)))
    else:
        best = dict(enumerate(_in_source(quotes, sources, cited, policy, workers)))
        open_ = [number for number, verdict in best.items() if verdict.status in _NOT_THERE]
    holders = sources.ground([quotes[number] for number in open_], cited=cited, workers=workers)
    by_place: dict[int, list[int]] = {}
    for number, held in zip(open_, holders, strict=True):
        # What no source holds as it is may still be near in any of them.
        for place in {holder.index for holder in held} or range(len(sources)):
            by_place.setdefault(place, []).append(number)
    skipped = None if cited is None else sources.names.index(_name(sources, cited))
    for place in sorted(by_place.keys() - {skipped}):
        numbers = by_place[place]
        asked = _in_source([quotes[number] for number in numbers], sources, place, policy, workers)
        for number, verdict in zip(numbers, asked, strict=True):
            found = verdict if cited is None else _elsewhere(verdict, policy)
            # The first one stands until there is a better one, also where it only says why there is none.
            if number not in best or _rank(found) < _rank(best[number]):
                best[number] = found
    without_sources = QuoteStatus.ABSENT
    return [
        best.get(number) or QuoteVerdict(quote=quote, status=without_sources, accepted=False)
        for number, quote in enumerate(quotes)
    ]


def _in_source(
    quotes: list[str], sources: Sources, which: int | str, policy: QuotePolicy, workers: int
) -> list[QuoteVerdict]:
    name = _name(sources, which)
    verdicts = _in_one(quotes, _typographic(sources[which]), sources.transcript(which), policy, workers)
    return [replace(verdict, source=name) if verdict.match else verdict for verdict in verdicts]


def _name(sources: Sources, which: int | str) -> str:
    return sources.names[which] if isinstance(which, int) else which


def _elsewhere(verdict: QuoteVerdict, policy: QuotePolicy) -> QuoteVerdict:
    """The verdict of a source that was not cited: only what would be accepted there is found elsewhere."""
    if not verdict.accepted:
        return replace(verdict, status=QuoteStatus.ABSENT, match=None)
    status = QuoteStatus.FOUND_ELSEWHERE
    reasons = (Reason.NOT_IN_CITED_SOURCE, *verdict.reasons)
    return replace(verdict, status=status, accepted=status in policy.accept, reasons=reasons)


def _rank(verdict: QuoteVerdict) -> tuple[bool, int, float]:
    """Lower ones are better."""
    return (not verdict.accepted, _BEST_FIRST.index(verdict.status), -(verdict.score or 0.0))


class _Surroundings:
    """What lies around the passages of one source."""

    def __init__(self, source: Source, transcript: Transcript | None, policy: QuotePolicy) -> None:
        self._text = source.text
        self._transcript = transcript if transcript is not None and transcript.turns else None
        self._policy = policy
        self._speakers = None if policy.speakers is None else {speaker_key(name) for name in policy.speakers}

    def consider(self, verdict: QuoteVerdict) -> QuoteVerdict:
        """Return *verdict* with what its surroundings and the length of the quote make of it."""
        if verdict.match is None:
            return verdict
        verdict = self._spoken(verdict)
        if verdict.match is None or verdict.status is QuoteStatus.WRONG_SPEAKER:
            return verdict
        reasons, is_accepted = list(verdict.reasons), verdict.accepted
        truncated = truncated_condition(self._text, verdict.match.start, verdict.match.end)
        if truncated is not None:
            reasons.append(Reason.TRUNCATED_CONDITION)
            is_accepted &= self._policy.accept_truncated
        if len({self._key(turn.speaker) for turn in verdict.turns}) > 1:
            reasons.append(Reason.ACROSS_TURNS)
            is_accepted &= self._policy.accept_across_turns
        if _is_short(verdict.quote, self._policy):
            reasons.append(Reason.TOO_SHORT)
            is_accepted = False
        return replace(verdict, accepted=is_accepted, reasons=tuple(reasons), truncated=truncated)

    def _key(self, speaker: str | None) -> str | None:
        return None if speaker is None else speaker_key(speaker)

    def _spoken(self, verdict: QuoteVerdict) -> QuoteVerdict:
        """The verdict with the turns of its passage, unless somebody speaks there who may not be quoted."""
        if self._transcript is None or verdict.match is None:
            return verdict
        match = verdict.match
        turns = self._transcript.turns_in(match.start, match.end)
        if self.is_allowed(match.start, match.end):
            return replace(verdict, turns=turns)
        reasons = (Reason.WRONG_SPEAKER, *verdict.reasons)
        return replace(verdict, status=QuoteStatus.WRONG_SPEAKER, accepted=False, reasons=reasons, turns=turns)

    def is_allowed(self, start: int, end: int) -> bool:
        """Whether all who speak in a passage may be quoted."""
        if self._transcript is None or self._speakers is None:
            return True
        turns = self._transcript.turns_in(start, end)
        return bool(turns) and all(self._key(turn.speaker) in self._speakers for turn in turns)


def _is_short(quote: str, policy: QuotePolicy) -> bool:
    if policy.min_chars == policy.min_words == 1:
        return False
    normalized = normalize(quote, profile="typographic")
    return len(normalized) < policy.min_chars or _words(normalized) < policy.min_words


def _words(text: str) -> int:
    """Words; characters where a script puts no space between them (ruling A10)."""
    tokens = tokenize(text, 0, len(text))
    return sum(len(token.text) if is_unspaced(token.text[0]) else 1 for token in tokens)
