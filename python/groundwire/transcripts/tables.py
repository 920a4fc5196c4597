"""Reads tables of utterances: a header with a column of words, optional speakers and times, and a row per utterance."""

from collections.abc import Iterator
from itertools import islice
from typing import Literal, NamedTuple

from groundwire.delimited import column_names, delimiter_of, lines_of, records, shown_columns
from groundwire.errors import SourceDataError, TranscriptError
from groundwire.transcripts.plain_text import TextLine, numbered_lines
from groundwire.transcripts.transcript import Times, TranscriptSegment, written_seconds

__all__ = ["has_words_column", "looks_tabular", "read_csv", "read_tsv", "turns_format"]

_START = ("start_time", "start")
_END = ("stop_time", "end_time", "stop", "end")
_SPEAKER = ("speaker", "speaker_name", "name", "role")
_WORDS = ("text", "value", "utterance", "transcript", "content", "message")

_TURN_COLUMNS = frozenset({*_START, *_END, *_WORDS, "speaker", "id", "turn", "number", "index"})

_WANTED = "a column value or text, and optionally start_time, stop_time and speaker"
_SEEN_ROWS = 20
_HEAD_CHARS = 100_000
# The delimiter of a table with one column, which must not be split at its commas. No text contains this character.
_NO_DELIMITER = "\x1f"


class _Columns(NamedTuple):
    """Holds the indexes of the columns; None for a column that the table does not have."""

    start: int | None
    end: int | None
    speaker: int | None
    words: int


def turns_format(line: str) -> Literal["tsv", "csv"] | None:
    """
    Return the format of a table if *line*, its first, shows that its rows are turns; None for other tables.

    The line names start, end, speaker and words, in any order and among others; or it names speaker and words, and
    apart from these only times and numbers of turns.
    """
    if len(line) > 1000:
        return None
    delimiter = delimiter_of(line)
    names = _tab_names(line) if delimiter == "\t" else column_names(line.removeprefix("\ufeff").split(delimiter))
    columns = _columns_of(names)
    if columns is None or columns.speaker is None:
        return None
    is_turns = None not in columns or ("speaker" in names and _TURN_COLUMNS.issuperset(names))
    return ("tsv" if delimiter == "\t" else "csv") if is_turns else None


def has_words_column(text: str) -> bool:
    """
    Tell whether *text* is a table with a column of words.

    Its first line names that column and one of speakers or times; or it names that column among others, and the
    next lines have the same number of fields; or it is that name alone, and no line has a comma outside of quotes.
    """
    rows, is_sound = _first_rows(text)
    columns = _columns_of(column_names(rows[0])) if rows else None
    if columns is None:
        return False
    if columns.count(None) < len(columns) - 1:
        return True
    return is_sound and all(len(row) == len(rows[0]) for row in rows)


def looks_tabular(text: str) -> bool:
    """Tell whether the first lines of *text* have the same number of fields, at least two."""
    rows, _ = _first_rows(text)
    return len(rows) > 1 and {len(row) for row in rows} == {max(len(rows[0]), 2)}


def _first_rows(text: str) -> tuple[list[list[str]], bool]:
    """Return the first rows that are not blank, and whether all of their quoted fields are well-formed."""
    head = text[:_HEAD_CHARS].removeprefix("\ufeff")
    delimiter = delimiter_of(head)
    lines = lines_of([head], "")
    if delimiter == "\t":
        rows = ([_unquoted(field.strip()) for field in line.text.split("\t")] for line in lines if line.text.strip())
    else:
        rows = (row.texts for row in records(lines, "", delimiter) if not row.is_blank)
    found: list[list[str]] = []
    try:
        found.extend(islice(rows, _SEEN_ROWS))
    except SourceDataError:
        # The cut at the end of the head may have broken a field.
        return found, len(text) > _HEAD_CHARS
    is_cut = len(text) > _HEAD_CHARS and 1 < len(found) < _SEEN_ROWS
    return found[:-1] if is_cut else found, True


def read_tsv(text: str) -> list[TranscriptSegment]:
    """
    Return the rows of a table separated by tabs. Empty lines are skipped.

    Each line is one row. Double quotes around a field are removed, and doubled quotes inside it become single ones; a
    lone quote is kept as speech. Times are seconds (`12.5`), clock times (`0:12.5`), or empty.

    Raises:
        TranscriptError: The first line names no column of words, a row has another number of fields, or a field for
            times contains something else.
    """
    # This is not CSV, in which a quotation mark at the start of speech would open a field that swallows later rows.
    lines = (line for line in numbered_lines(text) if line.text.strip())
    head = next(lines, TextLine(1, ""))
    columns = _columns_of(_tab_names(head.text))
    if columns is None:
        raise TranscriptError(head.number, f"a header with {_WANTED}, separated by tabs")
    width = head.text.count("\t") + 1
    return [
        _segment(line.number, [_unquoted(field.strip()) for field in line.text.split("\t")], columns, width)
        for line in lines
    ]


def read_csv(text: str) -> list[TranscriptSegment]:
    """
    Return the rows of a table separated by commas, semicolons or bars (RFC 4180). Empty lines are skipped.

    Times are read as in `read_tsv`.

    Raises:
        TranscriptError: The first line names no column of words, a row has another number of fields, a quoted field
            is malformed, or a field for times contains something else. The message names the columns of the table.
    """
    return list(_csv_segments(text.removeprefix("\ufeff")))


def _csv_segments(text: str) -> Iterator[TranscriptSegment]:
    try:
        rows = (row for row in records(lines_of([text], ""), "", _csv_delimiter(text)) if not row.is_blank)
        head = next(rows, None)
        names = column_names(head.texts) if head is not None else []
        columns = _columns_of(names)
        if head is None or columns is None:
            found = f"; its columns are {shown_columns(head.texts)}" if head is not None else ""
            raise TranscriptError(head.line if head is not None else 1, f"a header with {_WANTED}{found}")
        for row in rows:
            yield _segment(row.line, row.texts, columns, len(names))
    except SourceDataError as error:
        raise TranscriptError(error.line or 1, f"valid CSV: {error.reason}") from None


def _csv_delimiter(text: str) -> str:
    delimiter = delimiter_of(text)
    first = next((line.text for line in lines_of([text], "") if line.text.strip()), "")
    return delimiter if delimiter in first else _NO_DELIMITER


def _columns_of(names: list[str]) -> _Columns | None:
    """Return the indexes of the columns called *names*; None if none of them is for words."""
    start, end, speaker, words = (
        next((names.index(name) for name in wanted if name in names), None)
        for wanted in (_START, _END, _SPEAKER, _WORDS)
    )
    return None if words is None else _Columns(start, end, speaker, words)


def _tab_names(line: str) -> list[str]:
    return column_names([_unquoted(name.strip()) for name in line.removeprefix("\ufeff").split("\t")])


def _segment(line: int, fields: list[str], columns: _Columns, width: int) -> TranscriptSegment:
    if len(fields) != width:
        raise TranscriptError(line, f"{width} columns, as in the first line, got {len(fields)}")
    start, end, speaker, words = ("" if index is None else fields[index].strip() for index in columns)
    return TranscriptSegment(line, " ".join(speaker.split()) or None, _times(line, start, end), words)


def _times(line: int, start: str, end: str) -> Times:
    try:
        start_s, end_s = (written_seconds(time) if time else None for time in (start, end))
    except ValueError:
        raise TranscriptError(
            line, "a time in seconds, such as 62.5, a clock time, such as 1:02.5, or nothing"
        ) from None
    return Times(start_s, end_s, (bool(start) and start_s is None) or (bool(end) and end_s is None))


def _unquoted(field: str) -> str:
    """Return *field* without the quotes around it; unchanged if a quote inside it is not doubled."""
    inside = field[1:-1]
    if len(field) < 2 or field[0] != '"' or field[-1] != '"' or '"' in inside.replace('""', ""):
        return field
    return inside.replace('""', '"')
