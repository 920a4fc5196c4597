"""
Who says what, and when: transcripts in the formats that they come in.

`read_transcript` reads plain text, WebVTT, SRT, tables with tabs and JSON
segments into a `Transcript`: one text, and the turns that stand in it. Names are
imported when they are first touched (PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.errors import TranscriptError
    from groundwire.transcripts.reading import read_transcript
    from groundwire.transcripts.speakers import speaker_key
    from groundwire.transcripts.transcript import Transcript, TranscriptFormat, Turn, TurnFlag

__all__ = [
    "Transcript",
    "TranscriptError",
    "TranscriptFormat",
    "Turn",
    "TurnFlag",
    "read_transcript",
    "speaker_key",
]

_HOMES = {
    "Transcript": "groundwire.transcripts.transcript",
    "TranscriptError": "groundwire.errors",
    "TranscriptFormat": "groundwire.transcripts.transcript",
    "Turn": "groundwire.transcripts.transcript",
    "TurnFlag": "groundwire.transcripts.transcript",
    "read_transcript": "groundwire.transcripts.reading",
    "speaker_key": "groundwire.transcripts.speakers",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
