"""Who speaks in the passages of a transcript, and its text without those who may not be quoted."""

from collections.abc import Collection

from groundwire._engine import Source
from groundwire.evidence.verdicts import QuoteStatus, QuoteVerdict
from groundwire.transcripts.speakers import speaker_key
from groundwire.transcripts.transcript import Transcript, Turn

__all__ = ["SpokenTurns"]

_WHOLE = frozenset({QuoteStatus.EXACT, QuoteStatus.NORMALIZED})
_BLOT = "\0"
"""Stands for what others say: no quote has a row of it, it is no part of a word, and lengths stay as they are."""


class SpokenTurns:
    """
    The turns of a transcript, and who may be quoted.

    Args:
        transcript: With turns.
        speakers: Who may be quoted; None for anybody.
    """

    def __init__(self, transcript: Transcript, speakers: Collection[str] | None) -> None:
        self._transcript = transcript
        self._speakers = None if speakers is None else frozenset(map(speaker_key, speakers))

    def of(self, start: int, end: int) -> tuple[Turn, ...]:
        """Return the turns that have words there."""
        return self._transcript.turns_in(start, end)

    def views(self, source: Source) -> list[Source]:
        """
        Return *source*, of this text, as it is heard: names and times are white space, offsets stay.

        First with all blotted out that is said by those who may not be quoted, if there are such; then without.
        """
        spoken = [source.text[turn.start : turn.end] for turn in self._transcript.turns]
        if self._speakers is None:
            return [self._view(source, spoken)]
        pairs = zip(self._transcript.turns, spoken, strict=True)
        allowed = [text if self._may_be_quoted(turn) else _BLOT * len(text) for turn, text in pairs]
        return [self._view(source, allowed), self._view(source, spoken)]

    def _view(self, source: Source, spoken: list[str]) -> Source:
        parts, end = [], 0
        for turn, text in zip(self._transcript.turns, spoken, strict=True):
            parts += [" " * (turn.start - end), text]
            end = turn.end
        parts.append(" " * (len(source.text) - end))
        return Source("".join(parts), name=source.name, profile=source.profile, marks=source.marks)

    def are_allowed(self, verdict: QuoteVerdict) -> bool:
        """Say whether anybody may be quoted, or the passage is spoken, and by nobody else than those who may."""
        turns = self._speaking(verdict)
        return self._speakers is None or (bool(turns) and all(map(self._may_be_quoted, turns)))

    def are_several(self, verdict: QuoteVerdict) -> bool:
        """Say whether more than one speaks the words of the passage."""
        return len({_key(turn) for turn in self._speaking(verdict)}) > 1

    def _may_be_quoted(self, turn: Turn) -> bool:
        return self._speakers is None or _key(turn) in self._speakers

    def _speaking(self, verdict: QuoteVerdict) -> list[Turn]:
        """The turns that the quote is of; what its gaps leave out is not quoted."""
        if verdict.match is None:
            return []
        spans = ((verdict.match.start, verdict.match.end),) if verdict.status in _WHOLE else verdict.all_spans
        return [turn for start, end in spans for turn in self.of(start, end)]


def _key(turn: Turn) -> str | None:
    return None if turn.speaker is None else speaker_key(turn.speaker)
