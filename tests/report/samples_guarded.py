"""Create a guarded report with every verdict."""

from groundwire import read_transcript
from groundwire.evidence import QuotePolicy
from groundwire.report import CheckReport, QuoteEntry, TranscriptFile, build_guarded_report

VISIT = """\
Dr. Lee: How have you been?\r
Max: I can’t  sleep <sighs> at night. The doctor gave me\r
15 mg of it, and I do not take it when I drive.\r
Dr. Lee: Since when?\r
Max: It’s been three weeks, and three weeks is long. I walk by the harbour & count <b>ships</b>\x1b, unless it rains.\r
"""
LETTER = """\
WEBVTT

00:01:02.000 --> 00:01:04.000
<v Ann>He rings every Sunday.

00:01:05.000 --> 00:01:07.500
<v Ann>He lost his keys again.
"""

QUOTES = {
    "exact": QuoteEntry("three weeks is long", domain="Sleep & <b>work</b>"),
    "normalized": QuoteEntry("I can't sleep at night", id="q<2>"),
    "near": QuoteEntry("The docter gave me 15 mg of it"),
    "altered": QuoteEntry("gave me 50 mg of it, and I do take it when I drive"),
    "elided": QuoteEntry("I can't sleep … at night. The doctor […] 15 mg of it"),
    "found_elsewhere": QuoteEntry("He rings every Sunday", source="visit.txt"),
    "wrong_speaker": QuoteEntry("How have you been"),
    "absent": QuoteEntry("I have never felt better, <script>alert(1)</script>"),
    "blank": QuoteEntry(" … "),
    "overlapping": QuoteEntry("15 mg of it, and I do not take it"),
    "truncated": QuoteEntry("I walk by the harbour & count <b>ships</b>\x1b"),
    "across": QuoteEntry("Since when?\nMax: It's been three weeks"),
    "timed": QuoteEntry("He lost his keis again"),
}


def transcript(name: str, content: str) -> TranscriptFile:
    """Return *content* as a transcript that was read from a file."""
    reading = read_transcript(content, name=name)
    return TranscriptFile(name, reading.text, reading=reading)


TRANSCRIPTS = [transcript("visit.txt", VISIT), transcript("letter.vtt", LETTER)]


def guarded_report(quotes: list[QuoteEntry] | None = None, **options: object) -> CheckReport:
    """Check *quotes*, by default one of each kind; only Max and Ann may be quoted."""
    policy = QuotePolicy(**{"speakers": ("max", "Ann"), **options})
    return build_guarded_report(TRANSCRIPTS, list(QUOTES.values()) if quotes is None else quotes, policy=policy)
