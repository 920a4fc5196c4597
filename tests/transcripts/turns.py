"""A transcript in a form that can be compared at a glance."""

from groundwire.transcripts import Transcript


def said(transcript: Transcript) -> list[tuple[str | None, str]]:
    """Who says what, turn by turn."""
    return [(turn.speaker, transcript.text[turn.start : turn.end]) for turn in transcript.turns]


def times(transcript: Transcript) -> list[tuple[float | None, float | None]]:
    """Start and end of each turn, in seconds."""
    return [(turn.start_time_s, turn.end_time_s) for turn in transcript.turns]


def lines(transcript: Transcript) -> list[int]:
    """The line of the file that each turn begins on."""
    return [turn.line for turn in transcript.turns]


def flags(transcript: Transcript) -> list[set[str]]:
    """What is odd about each turn."""
    return [{str(flag) for flag in turn.flags} for turn in transcript.turns]
