"""Return a transcript in a form that is easy to compare."""

from groundwire.transcripts import Transcript


def said(transcript: Transcript) -> list[tuple[str | None, str]]:
    """Return speaker and words, turn by turn."""
    return [(turn.speaker, transcript.text[turn.start : turn.end]) for turn in transcript.turns]


def times(transcript: Transcript) -> list[tuple[float | None, float | None]]:
    """Return start and end of each turn, in seconds."""
    return [(turn.start_time_s, turn.end_time_s) for turn in transcript.turns]


def lines(transcript: Transcript) -> list[int]:
    """Return the line of the file on which each turn begins."""
    return [turn.line for turn in transcript.turns]


def flags(transcript: Transcript) -> list[set[str]]:
    """Return the flags of each turn."""
    return [{str(flag) for flag in turn.flags} for turn in transcript.turns]
