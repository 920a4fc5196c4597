"""Reads research data from texts, files, folders and objects, and detects its format."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from groundwire._engine import Source
from groundwire.errors import SourceDataError, TranscriptError
from groundwire.faithfulness.source_data.json_units import ColumnSet, json_line_units, json_units, value_units
from groundwire.faithfulness.source_data.prose import joined, prose_units, text_pieces, transcript_units
from groundwire.faithfulness.source_data.tables import looks_like_table, table_units
from groundwire.faithfulness.source_data.units import Locator, Unit
from groundwire.file_kinds import json_kind, markup_kind
from groundwire.files import FolderFile, list_folder
from groundwire.labels import show
from groundwire.structured_text import BrokenJsonError, read_json_at
from groundwire.transcripts.reader import read_transcript
from groundwire.transcripts.subtitles import has_signature
from groundwire.transcripts.tables import turns_format
from groundwire.transcripts.transcript import Transcript, TranscriptFormat

__all__ = ["SourceData"]

_TRANSCRIPT_FORMATS: dict[str, TranscriptFormat] = {
    "webvtt": "webvtt",
    "srt": "srt",
    "turns": "tsv",
    "csv turns": "csv",
    "segments": "json",
}
"""The formats of transcripts, with their names in `read_transcript`."""

_HEAD_CHARS = 100_000
_FIRST_ITEM = re.compile(r"\s*\[\s*(?=\{)")
_SEGMENTS = re.compile(r"\"segments\"\s*:\s*\[\s*(?=\{)")
_SRT = re.compile(r"\s*+(?:[0-9]{1,9}[ \t]*(?:\r\n|\n|\r))?[ \t]*[0-9]{1,4}:[0-9:.,]{1,20}[ \t]*-->")
_FIRST_LINE = re.compile(r"\s*([^\r\n]{0,1000})")
_LINES = re.compile(r"[^\r\n]+")


def _detect_format(head: str, kind: str = "") -> str:
    """
    Detect the format of a text.

    Args:
        head: The beginning of the text.
        kind: The format by the file name; "" if unknown. The content overrules it for JSON, tables and subtitles, and
            tables and JSON may turn out to be transcripts.

    Returns:
        "table", "json", "json lines", "text", or a key of `_TRANSCRIPT_FORMATS`.
    """
    if kind in ("", "table", "json", "json lines"):
        turns = turns_format(_FIRST_LINE.match(head)[1])  # type: ignore[index] # the pattern matches any text
        if turns is not None:
            return "turns" if turns == "tsv" else "csv turns"
    kind = _believed(kind, _shown_kind(head[:_HEAD_CHARS]))
    return "segments" if kind == "json" and _has_segments(head[:_HEAD_CHARS]) else kind


def _believed(kind: str, shown: str) -> str:
    """Return the format by the file name or by the content, whichever is right."""
    if not kind or shown == kind:
        return shown
    # Notes may begin with anything, and a single line of JSON is also JSON Lines.
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
    """Return whether the first object of the list is a turn: a text with a speaker or a time."""
    place = _FIRST_ITEM.match(head) or (_SEGMENTS.search(head) if head.lstrip().startswith("{") else None)
    if place is None:
        return False
    try:
        first, _ = read_json_at(head, place.end())
    except BrokenJsonError:
        return False
    is_turn = isinstance(first, Mapping) and isinstance(first.get("text"), str)
    return is_turn and not {"speaker", "start", "end"}.isdisjoint(first)  # type: ignore[arg-type] # `is_turn` implies a mapping


_SUFFIXES = {
    ".csv": "table",
    ".tsv": "table",
    ".json": "json",
    ".jsonl": "json lines",
    ".ndjson": "json lines",
    ".vtt": "webvtt",
    ".srt": "srt",
    ".md": "text",
    ".markdown": "text",
    ".txt": "",
    ".text": "",
}
"""The formats of file suffixes; "" for suffixes that leave it to the content."""

_FILE_NAME = re.compile(
    r"[^\r\n]{0,4000}\.(?:txt|text|md|markdown|vtt|srt|tsv|csv|json|jsonl|ndjson)[ \t]*", re.IGNORECASE
)


class _Named(NamedTuple):
    name: str
    given: object


class SourceData:
    """
    The sources to compare claims with. They are read again for each iteration.

    Args:
        source_data: One source or a sequence of sources. A source is a str with the text (never a file name), a path of
            a file or folder, a `Transcript`, a `groundwire.Source`, a mapping or list of mappings with JSON types, or
            in a sequence a tuple of name and text. A folder stands for all its regular files, including those of nested
            folders, in the order of their names.

    Attributes:
        names: The names of the sources, in order: the file name, the path inside the folder, the given name, or `source
            N`.
        skipped: The paths of files in folders that are not read.
        skip_reasons: The reason for each of them: `unknown kind of file`, `a link out of the folder`, `a named pipe`
            ...

    Raises:
        TypeError: A source has another type.
        ValueError: There is no source, two sources have the same name, a str looks like a file name, or a folder has no
            readable file.
        OSError: A file or folder does not exist.

    A link inside a folder is read if it leads to a file in the same folder. A file that is later replaced by a link, a
    pipe or a device raises an OSError in `units`.
    """

    def __init__(self, source_data: object) -> None:
        self.names: tuple[str, ...] = ()
        self.skip_reasons: Mapping[str, str] = {}
        self._sources: list[_Named] = []
        for place, given in enumerate(_listed(source_data), 1):
            self._sources += self._named(given, place)
        self.names = tuple(each.name for each in self._sources)
        self.skipped = tuple(self.skip_reasons)
        if not self.names:
            raise ValueError("source_data contains no source")
        (repeated, count), *_ = Counter(self.names).most_common(1)
        if count > 1:
            raise ValueError(
                f"two sources have the same name, {show(repeated)}; the name of a file is its path in the folder"
            )

    def __repr__(self) -> str:
        return f"SourceData({len(self.names)} sources)"

    def units(self) -> Iterator[Unit]:
        """
        Yield the units of all sources, source by source and in text order.

        Raises:
            SourceDataError: A source is broken, has another encoding, or has a value that is too long.
            OSError: A file cannot be read, or is larger than 1 GiB (`GROUNDWIRE_MAX_FILE_BYTES` changes the limit).
        """
        for name, given in self._sources:
            try:
                yield from _units(given, name)
            except RecursionError:
                raise SourceDataError(name, "nested too deeply, or contains itself") from None

    def _named(self, given: object, place: int) -> list[_Named]:
        if isinstance(given, os.PathLike):
            path = Path(given)
            return self._folder(path) if path.is_dir() else [_Named(path.name, _existing(path))]
        if isinstance(given, str) and _FILE_NAME.fullmatch(given):
            raise ValueError("a source looks like a file name; pass a pathlib.Path, or (name, text) if it is the text")
        if isinstance(given, tuple) and len(given) == 2 and all(isinstance(part, str) for part in given):
            return [_Named(*given)]
        if isinstance(given, Transcript | Source):
            return [_Named(given.name or f"source {place}", given)]
        if isinstance(given, str | Mapping) or _is_records(given):
            return [_Named(f"source {place}", given)]
        raise TypeError(
            f"a source must be a str, a path, a Transcript, a Source or a mapping, got {type(given).__name__}"
        )

    def _folder(self, folder: Path) -> list[_Named]:
        files, skipped = list_folder(folder)
        self.skip_reasons = {
            **self.skip_reasons,
            **dict(skipped),
            **{file.name: "unknown kind of file" for file in files if file.suffix not in _SUFFIXES},
        }
        known = [file for file in files if file.suffix in _SUFFIXES]
        if not known:
            raise ValueError(f"a folder of sources has no readable file{_shown_reasons(self.skip_reasons)}")
        return [_Named(file.name, file) for file in known]


def _shown_reasons(reasons: Mapping[str, str]) -> str:
    """Return the number of files for each reason, in parentheses; "" without any."""
    counts = Counter(reasons.values())
    return f" ({', '.join(f'{reason}: {count:,}' for reason, count in counts.items())})" if counts else ""


def _existing(path: Path) -> Path:
    path.stat()
    return path


def _listed(source_data: object) -> Sequence[object]:
    is_one = isinstance(source_data, str | os.PathLike | Transcript | Source | Mapping) or _is_records(source_data)
    if is_one or isinstance(source_data, bytes | bytearray):
        return [source_data]
    if isinstance(source_data, Iterable):
        return list(source_data)
    raise TypeError(f"source_data must be a text, a path or a sequence of sources, got {type(source_data).__name__}")


def _is_records(given: object) -> bool:
    return isinstance(given, list) and bool(given) and all(isinstance(each, Mapping) for each in given)


def _units(given: object, name: str) -> Iterator[Unit]:
    if isinstance(given, Path | FolderFile):
        yield from _text_units(text_pieces(given, name), name, _SUFFIXES.get(given.suffix.lower(), ""))
    elif isinstance(given, Transcript):
        yield from transcript_units(given, name)
    elif isinstance(given, str | Source):
        text = given if isinstance(given, str) else given.text
        if markup := markup_kind(text):
            raise SourceDataError(name, f"looks like {markup.words}", hint=markup.hint)
        yield from _text_units(iter([text.removeprefix("\ufeff")]), name, "")
    else:
        yield from _data_units(given, name)


def _data_units(given: object, name: str) -> Iterator[Unit]:
    """Yield the units of parsed data."""
    if isinstance(given, list):
        columns = ColumnSet()
        for place, record in enumerate(given):
            yield from value_units(record, Locator(name, 1, 0, 0, row=place + 1, path=f"[{place}]"))
            columns.add(record)
        yield from columns.units(name)
    else:
        yield from value_units(given, Locator(name, 1, 0, 0))


def _text_units(pieces: Iterator[str], name: str, kind: str) -> Iterator[Unit]:
    head = next(pieces, "")
    kind = _detect_format(head, kind)
    text = chain([head], pieces)
    if kind in _STREAMED:
        yield from _STREAMED[kind](text, name)
    else:
        yield from _transcript_units(joined(text, name, "a transcript"), name, kind)


_STREAMED = {"table": table_units, "json": json_units, "json lines": json_line_units, "text": prose_units}


def _transcript_units(text: str, name: str, kind: str) -> Iterator[Unit]:
    """Yield the units of a transcript whose format is read as a whole."""
    try:
        transcript = read_transcript(text, name=name, format=_TRANSCRIPT_FORMATS[kind])
    except TranscriptError as error:
        reason, line = f"expected {error.expected}", error.line
    else:
        yield from transcript_units(transcript, name)
        return
    raise SourceDataError(name, reason, line)
