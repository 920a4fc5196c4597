"""What a text is, by its beginning, where its name does not say so."""

import re
from collections.abc import Mapping

from groundwire.faithfulness.json_text import BrokenJsonError, read_json_at
from groundwire.faithfulness.sources.tables import looks_like_table
from groundwire.file_kinds import json_kind
from groundwire.transcripts.table import turns_format
from groundwire.transcripts.transcript import TranscriptFormat
from groundwire.transcripts.webvtt import has_signature

__all__ = ["TRANSCRIPT_FORMATS", "kind_of"]

TRANSCRIPT_FORMATS: dict[str, TranscriptFormat] = {
    "webvtt": "webvtt",
    "srt": "srt",
    "turns": "tsv",
    "csv turns": "csv",
    "segments": "json",
}
"""The kinds that are transcripts with a format of their own; what `read_transcript` calls that."""

_HEAD_CHARS = 100_000
_FIRST_ITEM = re.compile(r"\s*\[\s*(?=\{)")
_SEGMENTS = re.compile(r"\"segments\"\s*:\s*\[\s*(?=\{)")
_SRT = re.compile(r"\s*+(?:[0-9]{1,9}[ \t]*(?:\r\n|\n|\r))?[ \t]*[0-9]{1,4}:[0-9:.,]{1,20}[ \t]*-->")
_FIRST_LINE = re.compile(r"\s*([^\r\n]{0,1000})")
_LINES = re.compile(r"[^\r\n]+")


def kind_of(head: str, kind: str = "") -> str:
    """
    Return what a text is that begins with *head*.

    Args:
        head: The beginning.
        kind: What the name says of it; "" if it says nothing. A name that lies about JSON,
            tables and subtitles is not believed, and tables and JSON may turn out to be transcripts.

    Returns:
        "table", "json", "json lines", "text", or one of `TRANSCRIPT_FORMATS`.
    """
    if kind in ("", "table", "json", "json lines"):
        turns = turns_format(_FIRST_LINE.match(head)[1])  # type: ignore[index]
        if turns is not None:
            return "turns" if turns == "tsv" else "csv turns"
    kind = _believed(kind, _shown_kind(head[:_HEAD_CHARS]))
    return "segments" if kind == "json" and _has_segments(head[:_HEAD_CHARS]) else kind


def _believed(kind: str, shown: str) -> str:
    """Return which is right, what the name says or what the text shows."""
    if not kind or shown == kind:
        return shown
    # Notes may begin with anything; and one line of JSON is JSON lines as well.
    if kind == "text" or shown == "text" or (kind, shown) == ("json lines", "json"):
        return kind
    return shown


def _shown_kind(head: str) -> str:
    if has_signature(head):
        return "webvtt"
    if _SRT.match(head):
        return "srt"
    shown = json_kind(head)
    if shown is not None:
        return "json lines" if shown == "jsonl" else "json"
    return "table" if looks_like_table(head) else "text"


def _has_segments(head: str) -> bool:
    """Whether the first object of the list is a turn: a text, and who speaks or when."""
    place = _FIRST_ITEM.match(head) or (_SEGMENTS.search(head) if head.lstrip().startswith("{") else None)
    if place is None:
        return False
    try:
        first, _ = read_json_at(head, place.end())
    except BrokenJsonError:
        return False
    is_turn = isinstance(first, Mapping) and isinstance(first.get("text"), str)
    return is_turn and not {"speaker", "start", "end"}.isdisjoint(first)  # type: ignore[arg-type]
