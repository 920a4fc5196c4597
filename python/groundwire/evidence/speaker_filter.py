"""Finds the speakers of passages in a transcript, and hides the words of speakers who may not be quoted."""

from collections.abc import Collection

from groundwire._engine import Source
from groundwire.evidence.verdicts import QuoteStatus, QuoteVerdict
from groundwire.transcripts.speakers import speaker_key
from groundwire.transcripts.transcript import Transcript, Turn

__all__ = ["SpokenTurns"]

_WHOLE = frozenset({QuoteStatus.EXACT, QuoteStatus.NORMALIZED})
_BLOT = "\0"
"""Replaces the words of other speakers. No quote repeats it, it is no part of a word, and lengths do not change."""


class SpokenTurns:
    """
    Holds the turns of a transcript, and the speakers who may be quoted.

    Args:
        transcript: A transcript with turns.
        speakers: Speakers who may be quoted; None for all.
    """

    def __init__(self, transcript: Transcript, speakers: Collection[str] | None) -> None:
        self._transcript = transcript
        self._speakers = None if speakers is None else frozenset(map(speaker_key, speakers))

    def of(self, start: int, end: int) -> tuple[Turn, ...]:
        """Return the turns that have words in the span."""
        return self._transcript.turns_in(start, end)

    def views(self, source: Source) -> list[Source]:
        """
        Return *source* with names and times as white space, and unchanged offsets.

        The first result also hides the words of speakers who may not be quoted, if there are any; the second does not.
        """
        spoken = self._spoken(source)
        if self._speakers is None:
            return [spoken]
        transcript = self._transcript
        words = [
            spoken.text[turn.start : turn.end] if self._may_be_quoted(turn) else _BLOT * (turn.end - turn.start)
            for turn in transcript.turns
        ]
        return [_view(source, transcript.with_words(words)), spoken]

    def _spoken(self, source: Source) -> Source:
        transcript = self._transcript
        if transcript.has_prepared(source):
            return transcript.spoken_source(source.profile)
        return _view(source, transcript.with_words([source.text[turn.start : turn.end] for turn in transcript.turns]))

    def are_allowed(self, verdict: QuoteVerdict) -> bool:
        """Tell whether everybody may be quoted, or only permitted speakers speak in the passage."""
        turns = self._speaking(verdict)
        return self._speakers is None or (bool(turns) and all(map(self._may_be_quoted, turns)))

    def are_several(self, verdict: QuoteVerdict) -> bool:
        """Tell whether the passage has words of more than one speaker."""
        return len({_key(turn) for turn in self._speaking(verdict)}) > 1

    def _may_be_quoted(self, turn: Turn) -> bool:
        return self._speakers is None or _key(turn) in self._speakers

    def _speaking(self, verdict: QuoteVerdict) -> list[Turn]:
        """Return the turns that the quote takes words from, without those that it omits."""
        if verdict.match is None:
            return []
        spans = ((verdict.match.start, verdict.match.end),) if verdict.status in _WHOLE else verdict.all_spans
        return [turn for start, end in spans for turn in self.of(start, end)]


def _view(source: Source, text: str) -> Source:
    return Source(text, name=source.name, profile=source.profile, marks=source.marks)


def _key(turn: Turn) -> str | None:
    return None if turn.speaker is None else speaker_key(turn.speaker)
