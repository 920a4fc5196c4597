"""
Reads who says what, and when.

`reading` recognises the format (`read_transcript`). `plain` reads text and Markdown by the beginnings of lines
(`events`, `labels`, `speakers`), `webvtt` and `srt` share `cues`, `table` reads columns and `segments` JSON; `times`
and `lines` serve all of them. `turns` makes a `Transcript` of their findings: one text, and its turns (`transcript`).
Names are imported on first use (PEP 562).
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
