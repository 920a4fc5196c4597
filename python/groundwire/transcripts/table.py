"""Tables with tabs: a head with start_time, stop_time, speaker and value, then one row for each utterance."""

from groundwire.errors import TranscriptError
from groundwire.transcripts.lines import Line, numbered_lines
from groundwire.transcripts.times import Times, written_seconds
from groundwire.transcripts.turns import Segment

__all__ = ["has_table_head", "read_table"]

_START = frozenset({"start_time", "start"})
_END = frozenset({"stop_time", "end_time", "stop", "end"})
_SPEAKER = frozenset({"speaker"})
_WORDS = frozenset({"value", "text"})
_HEAD = "a head with the columns start_time, stop_time, speaker and value, with tabs between them"


def has_table_head(line: str) -> bool:
    """Tell whether *line* names the four columns, in any order and among others."""
    return _columns(line) is not None


def read_table(text: str) -> list[Segment]:
    """
    Return the rows of *text*. Empty lines are passed over.

    Columns are separated by tabs, one row is one line. A field in double quotes
    loses them, and has each pair of them inside as one; a single one is speech.
    Times are seconds (`12.5`) or clocks (`0:12.5`), or empty.

    Raises:
        TranscriptError: The first line names other columns, a row has fewer or more
            than it, or a time is neither empty nor a number.
    """
    # Not the csv module: to it, a quotation mark that speech begins with opens a field that swallows the rows behind.
    lines = (line for line in numbered_lines(text) if line.text.strip())
    head = next(lines, Line(1, ""))
    columns = _columns(head.text)
    if columns is None:
        raise TranscriptError(head.number, _HEAD)
    width = head.text.count("\t") + 1
    return [_row(line, columns, width) for line in lines]


def _columns(line: str) -> tuple[int, int, int, int] | None:
    """Return the places of start, end, speaker and words."""
    if len(line) > 1000:
        return None
    names = [_unquoted(name.strip()).strip().lower() for name in line.removeprefix("\ufeff").split("\t")]
    places = [next((place for place, name in enumerate(names) if name in wanted), None) for wanted in _ALL]
    start, end, speaker, words = places
    return None if start is None or end is None or speaker is None or words is None else (start, end, speaker, words)


_ALL = (_START, _END, _SPEAKER, _WORDS)


def _row(line: Line, columns: tuple[int, int, int, int], width: int) -> Segment:
    fields = line.text.split("\t")
    if len(fields) != width:
        raise TranscriptError(line.number, f"{width} columns, as in the first line, not {len(fields)}")
    start, end, speaker, words = (_unquoted(fields[place].strip()).strip() for place in columns)
    return Segment(line.number, " ".join(speaker.split()) or None, _times(line.number, start, end), words)


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
