"""Tables of utterances: a header with a column of words, perhaps of speakers and times; one row for each utterance."""

from collections.abc import Iterator
from itertools import islice
from typing import Literal, NamedTuple

from groundwire.delimited import column_names, delimiter_of, lines_of, records, shown_columns
from groundwire.errors import SourceDataError, TranscriptError
from groundwire.transcripts.lines import TextLine, numbered_lines
from groundwire.transcripts.times import Times, written_seconds
from groundwire.transcripts.turns import TranscriptSegment

__all__ = ["has_words_column", "looks_tabular", "read_csv", "read_table", "turns_format"]

_START = ("start_time", "start")
_END = ("stop_time", "end_time", "stop", "end")
_SPEAKER = ("speaker", "speaker_name", "name", "role")
_WORDS = ("text", "value", "utterance", "transcript", "content", "message")

_TURN_COLUMNS = frozenset({*_START, *_END, *_WORDS, "speaker", "id", "turn", "number", "index"})

_WANTED = "the columns value or text, and perhaps start_time, stop_time and speaker"
_SEEN_ROWS = 20
_HEAD_CHARS = 100_000
# No text has it between fields: a table of one column is not split at its commas.
_NO_DELIMITER = "\x1f"


class _Columns(NamedTuple):
    """The places of the columns that are read; None for one that the table does not have."""

    start: int | None
    end: int | None
    speaker: int | None
    words: int


def turns_format(line: str) -> Literal["tsv", "csv"] | None:
    """
    Return what a table is written as whose first line says that its rows are turns; None for other tables.

    It names start, end, speaker and words, in any order and among others; or speaker and words, and nothing
    else but times and numbers of the turns.
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

    Its first line names that column and one of speakers or times; or that column among others, and
    the next lines have as many fields; or it is that name alone, and no line has a comma outside of quotes.
    """
    rows, is_sound = _first_rows(text)
    columns = _columns_of(column_names(rows[0])) if rows else None
    if columns is None:
        return False
    if columns.count(None) < len(columns) - 1:
        return True
    return is_sound and all(len(row) == len(rows[0]) for row in rows)


def looks_tabular(text: str) -> bool:
    """Tell whether the first lines of *text* have the same number of fields, at least two, separated alike."""
    rows, _ = _first_rows(text)
    return len(rows) > 1 and {len(row) for row in rows} == {max(len(rows[0]), 2)}


def _first_rows(text: str) -> tuple[list[list[str]], bool]:
    """Return the first rows that are not blank, and whether no quoted field is broken there."""
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
        # Where the head was cut off, that may be in the middle of a field.
        return found, len(text) > _HEAD_CHARS
    is_cut = len(text) > _HEAD_CHARS and 1 < len(found) < _SEEN_ROWS
    return found[:-1] if is_cut else found, True


def read_table(text: str) -> list[TranscriptSegment]:
    """
    Return the rows of a table with tabs. Empty lines are passed over.

    One row is one line. A field in double quotes loses them, and has each pair of them
    inside as one; a single one is speech. Times are seconds (`12.5`) or clocks (`0:12.5`), or empty.

    Raises:
        TranscriptError: The first line names no column of words, a row has fewer or more
            fields than it, or a time is neither empty nor a number.
    """
    # Not as CSV: there, a quotation mark that speech begins with opens a field that swallows the rows behind.
    lines = (line for line in numbered_lines(text) if line.text.strip())
    head = next(lines, TextLine(1, ""))
    columns = _columns_of(_tab_names(head.text))
    if columns is None:
        raise TranscriptError(head.number, f"a head with {_WANTED}, with tabs between them")
    width = head.text.count("\t") + 1
    return [
        _segment(line.number, [_unquoted(field.strip()) for field in line.text.split("\t")], columns, width)
        for line in lines
    ]


def read_csv(text: str) -> list[TranscriptSegment]:
    """
    Return the rows of a table with commas, semicolons or bars, as RFC 4180 has it. Empty lines are passed over.

    Times are as in `read_table`.

    Raises:
        TranscriptError: The first line names no column of words, a row has fewer or more fields than it, a
            quoted field is broken, or a time is neither empty nor a number. Names the columns that were found.
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
            raise TranscriptError(head.line if head is not None else 1, f"a head with {_WANTED}{found}")
        for row in rows:
            yield _segment(row.line, row.texts, columns, len(names))
    except SourceDataError as error:
        raise TranscriptError(error.line or 1, f"sound CSV: {error.reason}") from None


def _csv_delimiter(text: str) -> str:
    delimiter = delimiter_of(text)
    first = next((line.text for line in lines_of([text], "") if line.text.strip()), "")
    return delimiter if delimiter in first else _NO_DELIMITER


def _columns_of(names: list[str]) -> _Columns | None:
    """Return the places of the columns called *names*; None if none of them has words."""
    start, end, speaker, words = (
        next((names.index(name) for name in wanted if name in names), None)
        for wanted in (_START, _END, _SPEAKER, _WORDS)
    )
    return None if words is None else _Columns(start, end, speaker, words)


def _tab_names(line: str) -> list[str]:
    return column_names([_unquoted(name.strip()) for name in line.removeprefix("\ufeff").split("\t")])


def _segment(line: int, fields: list[str], columns: _Columns, width: int) -> TranscriptSegment:
    if len(fields) != width:
        raise TranscriptError(line, f"{width} columns, as in the first line, not {len(fields)}")
    start, end, speaker, words = ("" if place is None else fields[place].strip() for place in columns)
    return TranscriptSegment(line, " ".join(speaker.split()) or None, _times(line, start, end), words)


def _times(line: int, start: str, end: str) -> Times:
    try:
        start_s, end_s = (written_seconds(time) if time else None for time in (start, end))
    except ValueError:
        raise TranscriptError(line, "times in seconds, such as 62.5, or as clocks, such as 1:02.5, or empty") from None
    return Times(start_s, end_s, (bool(start) and start_s is None) or (bool(end) and end_s is None))


def _unquoted(field: str) -> str:
    """Return *field* without the quotes that are around it; as it is where not each one inside is doubled."""
    inside = field[1:-1]
    if len(field) < 2 or field[0] != '"' or field[-1] != '"' or '"' in inside.replace('""', ""):
        return field
    return inside.replace('""', '"')
