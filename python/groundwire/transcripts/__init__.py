"""
Reads transcripts: who says what, and when.

`reader` recognises the format (`read_transcript`). `plain_text`, `subtitles`, `tables` and `json_segments` read one
kind of format each; `speakers` decides which names are speakers. `transcript` holds the result, a `Transcript`: one
text and its turns. Names are imported on first use (PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.errors import TranscriptError
    from groundwire.transcripts.reader import read_transcript
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
    "read_transcript": "groundwire.transcripts.reader",
    "speaker_key": "groundwire.transcripts.speakers",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
