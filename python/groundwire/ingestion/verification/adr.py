"""
Finds decision records, and reads from their status whether they are in force (ruling C11).

Numbers are compared as integers: `ADR-3` is `ADR-003-storage.md` and `0003-storage.md`. Only regular files in a
configured folder count; a symbolic link that leads out of it does not.

A record states its status in the front matter, in a line `Status: Accepted`, in a table, under a heading "Status", or
in a line that begins with `Superseded by`. The statement may be on the line after its label. Struck-through text and
comments do not count.

A record is in force if each of its statements has a word of a decision in force (accepted, approved and the like),
without a negation before it and without a word of an ended decision (superseded, rejected, abandoned and the like). Any
other statement, including an empty one, is unknown, and an unknown status approves nothing. A record without a status
is in force, because the specification only requires the file.

The text is read line by line, in time linear in its length.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import accumulate
from pathlib import Path

from groundwire import Patterns
from groundwire.files import FolderFile, list_folder
from groundwire.ingestion.citation_detector import Citation
from groundwire.ingestion.verification.deadline import Deadline, run_in_thread
from groundwire.ingestion.verification.protocol import VerificationReason, VerificationResult, make_result
from groundwire.language import word_list

__all__ = ["MAX_ENTRIES", "MAX_FILES_PER_NUMBER", "AdrVerifier", "is_active_decision"]

_FILE_NAME = re.compile(
    r"(?:adr[-_ ]?)?(?![0-9]{4}-[0-9]{2}-[0-9]{2})([0-9]{1,9})(?:[-_. ].*)?\.(?:md|markdown|rst|adoc|txt)",
    re.IGNORECASE | re.DOTALL,
)
_ID = re.compile(r"[0-9]{1,9}")
# The head of a record, which states whether the record is superseded.
_READ_BYTES = 64 * 1024

MAX_FILES_PER_NUMBER = 16
"""A number with more files counts as unreadable."""

MAX_ENTRIES = 100_000
"""A folder with more entries counts as unreadable: an entry that is not listed may be the record."""

_LANGUAGES = ("en", "de", "fr", "es", "ru")
# In Chinese and Japanese, which have no blanks between words, a negation is the character before the word.
_UNSPACED = ("zh", "ja")
# A negation at most this number of words before a status reverses it.
_NEGATION_WINDOW_WORDS = 4
# The maximum length of the part of a line that has a label.
_MAX_LABEL_CHARS = 80
# The maximum number of words after a label without punctuation: `Status is accepted`.
_MAX_STATUS_WORDS = 3
_OPEN = ("?", "？")
_LABEL_ENDS = (":", "：", "=", "|", "→", " - ", " – ", " — ")
# Values that are equivalent to a missing key.
_EMPTY = frozenset({"", "-", "–", "—", "~", "[]"})
# Markup around a label, a status or a heading: lists, quotations, tables, emphasis and headings.
_MARKS = " \t>*_+|-–—`~#=.!\"'“”‘’()[]{}:：→\\/•✅❌⛔🟢🔴🟡⚠\ufe0f\u00a0\u200b\ufeff"
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*+")
_STRUCK = re.compile(r"(?<!~)~~(?!~)[^~\n]*~~(?!~)|<(?:del|s|strike)>[^<\n]*</(?:del|s|strike)>", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>")
# Only the beginning of a section states the status.
_SECTION_LINES = 200


class AdrVerifier:
    """
    Finds decision records in folders, without subfolders.

    Reads the first 64 KiB of at most 16 files for each number, in linear time. A number with more files is unreadable.
    A timeout or a cancelled task also ends the reading, between two files or inside one.

    Args:
        folders: The folders of the records.
    """

    def __init__(self, folders: Iterable[str | Path]) -> None:
        self._folders = tuple(Path(folder) for folder in folders)

    async def verify(self, citation: Citation) -> VerificationResult:
        """Verify one record."""
        return (await self.verify_many([citation]))[0]

    async def verify_many(self, citations: Sequence[Citation]) -> list[VerificationResult]:
        """Verify records with one listing of the folders, beside the event loop."""
        return await run_in_thread(partial(self.verify_ids, [citation.value for citation in citations]))

    async def read(self, citation: Citation) -> str | None:
        """Return the beginning of the record; None if it cannot be read."""
        return await run_in_thread(partial(self._read, citation.value))

    def _read(self, each: str, deadline: Deadline) -> str | None:
        if not _ID.fullmatch(each):
            return None
        index, _ = _index(self._folders, deadline)
        heads = [_head_of(file) for file in deadline.each(index.get(int(each), []))]
        # With several files for one number, the cited one is ambiguous.
        return heads[0] if len(heads) == 1 else None

    def verify_ids(self, ids: Sequence[str], deadline: Deadline | None = None) -> list[VerificationResult]:
        """
        Return one result for each number, in order. If a number has several files, all must be in force.

        Raises:
            DeadlineExpiredError: *deadline* expired before all were read.
        """
        deadline = deadline or Deadline()
        index, is_whole = _index(self._folders, deadline)
        codes: dict[str, VerificationReason] = {}
        for each in deadline.each({*ids}):
            if not _ID.fullmatch(each):
                codes[each] = VerificationReason.NOT_AN_ID
            elif files := index.get(int(each)):
                codes[each] = _of_all(files, deadline)
            else:
                missing = VerificationReason.ADR_NOT_FOUND if is_whole else VerificationReason.ADR_UNREADABLE
                codes[each] = missing
        return [make_result(codes[each]) for each in ids]


def _index(folders: Iterable[Path], deadline: Deadline) -> tuple[dict[int, list[FolderFile | None]], bool]:
    """
    Return the files of each number, and whether all folders could be read.

    A file that has the name of a record but is not read (a link out of the folder, a pipe) is None.
    """
    index: dict[int, list[FolderFile | None]] = {}
    is_whole = True
    for folder in deadline.each(folders):
        try:
            listing = list_folder(folder, recursive=False, most=MAX_ENTRIES)
        except (OSError, RuntimeError, ValueError):
            is_whole = False
            continue
        found: list[tuple[str, FolderFile | None]] = [(file.name, file) for file in listing.files]
        for name, file in deadline.each(found + [(name, None) for name, _ in listing.skipped]):
            if match := _FILE_NAME.fullmatch(name):
                index.setdefault(int(match[1]), []).append(file)
        is_whole = is_whole and all(name != "." for name, _ in listing.skipped)
    return index, is_whole


def _read(file: FolderFile | None, deadline: Deadline) -> VerificationReason:
    """Return whether one file exists, is no longer in force, or cannot be read."""
    head = _head_of(file)
    if head is None:
        return VerificationReason.ADR_UNREADABLE
    return VerificationReason.ADR_FOUND if is_active_decision(head, deadline) else VerificationReason.ADR_NOT_IN_FORCE


def _head_of(file: FolderFile | None) -> str | None:
    """Return the beginning of *file*; None if it cannot be read."""
    try:
        return None if file is None else _head(file)
    except OSError:
        return None


def _head(file: FolderFile) -> str:
    """Return the beginning of a file."""
    with file.open() as opened:
        return opened.read(_READ_BYTES).decode("utf-8-sig", errors="replace")


def _of_all(files: Sequence[FolderFile | None], deadline: Deadline) -> VerificationReason:
    """
    Return `adr_found` if all of *files* are in force, else the reason for one of them. Too many files are not read.
    """
    if len(files) > MAX_FILES_PER_NUMBER:
        return VerificationReason.ADR_UNREADABLE
    codes = (_read(file, deadline) for file in deadline.each(files))
    return next((code for code in codes if code is not VerificationReason.ADR_FOUND), VerificationReason.ADR_FOUND)


@cache
def _list(name: str) -> frozenset[str]:
    """Return a word list of the section `decisions`, for the languages with blanks between words."""
    found = frozenset[str]().union(*(word_list(language, "decisions", name) for language in _LANGUAGES))
    return found if name == "labels" else frozenset(word for word in found if " " not in word)


@cache
def _parts(name: str) -> frozenset[str]:
    """Return the phrases of a list of the section `decisions`, and its words in the other languages."""
    spaced = (word for language in _LANGUAGES for word in word_list(language, "decisions", name) if " " in word)
    return frozenset(spaced).union(*(word_list(language, "decisions", name) for language in _UNSPACED))


@cache
def _labels() -> frozenset[str]:
    return _list("labels") | _parts("labels")


@cache
def _statement_patterns() -> Patterns:
    """
    Return the patterns of lines that may begin a statement: the last words of labels, and words of ended decisions.
    """
    return Patterns(sorted({label.split()[-1] for label in _labels()} | _list("ended")))


def is_active_decision(text: str, deadline: Deadline | None = None) -> bool:
    """
    Return whether *text*, the head of a record, states that the record is in force, or states no status.

    Raises:
        DeadlineExpiredError: *deadline* expired before all lines were read.
    """
    deadline = deadline or Deadline()
    lines = _visible_lines(text)
    numbers = _statement_lines(lines)
    if not all(map(_holds, _statements(lines, deadline.each(numbers)))):
        return False
    return not any(_is_ended(lines[number]) for number in deadline.each(numbers))


def _visible_lines(text: str) -> list[str]:
    """Return the lines of *text* without comments, tags, struck-through text and the end of its front matter."""
    pieces, place = [], 0
    while (start := text.find("<!--", place)) >= 0 and (end := text.find("-->", start)) >= 0:
        pieces.append(text[place:start])
        place = end + 3
    text = "".join([*pieces, text[place:]])
    if "~~" in text or "<" in text:
        text = _TAG.sub(" ", _STRUCK.sub(" ", text))
    lines = text.splitlines()
    if lines and lines[0].strip("\ufeff \t") == "---":
        end = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")), 0)
        # Keys may be in camel case: `supersededBy`.
        lines[:end] = [_CAMEL.sub(" ", line) for line in lines[:end]]
        # After the last line of the front matter, it would look like the underline of a heading.
        lines[end] = ""
    return lines


def _statement_lines(lines: Sequence[str]) -> list[int]:
    """Return the numbers of the lines that may begin a statement."""
    lowered = "\n".join(lines).lower()
    found = _statement_patterns().find_all(lowered)
    if not found:
        return []
    ends = list(accumulate(len(line) + 1 for line in lowered.split("\n")))
    return sorted({bisect_right(ends, start) for _, start, _ in found})


def _statements(lines: Sequence[str], numbers: Iterable[int]) -> Iterator[str]:
    """Yield each statement of a status: after its label, on the next line, in a table, or under a heading."""
    for number in numbers:
        line = lines[number]
        heading = _heading(lines, number)
        if heading is not None:
            label, _, behind = _label(heading)
            if label in _labels():
                yield "\n".join([behind, *_section(lines, number + 1)])
        elif line.count("|") > 1:
            yield from _table_statements(lines, number)
        else:
            label, end, behind = _label(line)
            if end and label in _labels():
                yield behind if behind.strip(_MARKS) else _next_statement(lines, number + 1)


def _table_statements(lines: Sequence[str], number: int) -> Iterator[str]:
    """Yield the statements of the table row *number*: next to a label, or below it if the row is the header."""
    cells = _cells(lines[number])
    columns = [column for column, cell in enumerate(cells) if _bare(cell) in _labels()]
    if not columns:
        return
    if number + 1 < len(lines) and "-" in lines[number + 1] and not lines[number + 1].strip("|-: \t+"):
        for row in map(_cells, _rows(lines, number + 2)):
            yield from (row[column] if column < len(row) else "" for column in columns)
    else:
        yield from (cells[column + 1] if column + 1 < len(cells) else "" for column in columns)


def _rows(lines: Sequence[str], start: int) -> Iterator[str]:
    for number in range(start, min(len(lines), start + _SECTION_LINES)):
        if "|" not in lines[number]:
            return
        yield lines[number]


def _cells(line: str) -> list[str]:
    return line.strip().strip("|").split("|")


def _heading(lines: Sequence[str], number: int) -> str | None:
    """Return the words of the heading in line *number*; None if it is not a heading."""
    line = lines[number].strip()
    for mark in "#=":
        bare = line.lstrip(mark)
        if 0 < len(line) - len(bare) <= 6 and bare[:1].isspace():
            return bare.strip()
    is_text = line and not line.startswith(("|", ">")) and not _is_rule(line)
    return line if is_text and number + 1 < len(lines) and _is_rule(lines[number + 1]) else None


def _is_rule(line: str) -> bool:
    """Return whether *line* is a row of one character that underlines a heading."""
    line = line.strip()
    return len(line) >= 3 and line[0] in "-=~^" and line == line[0] * len(line)


def _section(lines: Sequence[str], start: int) -> Iterator[str]:
    """Yield the lines from *start* to the next heading."""
    for number in range(start, min(len(lines), start + _SECTION_LINES)):
        if _heading(lines, number) is not None:
            return
        if not _is_rule(lines[number]):
            yield lines[number]


def _label(line: str) -> tuple[str, str, str]:
    """Return the text before the first mark that ends a label, the mark, and the text behind it."""
    line = line.lstrip(_MARKS)
    place, end = min(((place, end) for end in _LABEL_ENDS if (place := line.find(end)) >= 0), default=(len(line), ""))
    first, rest = [*line.split(None, 1), "", ""][:2]
    if (
        _bare(first) in _labels()
        and len(rest.split(None, _MAX_STATUS_WORDS)) <= _MAX_STATUS_WORDS
        and _bare(line[:place]) not in _labels()
    ):
        # `Status Superseded`, `Status is accepted`.
        return _bare(first), " ", rest
    return _bare(line[:place]), end, line[place + len(end) :]


def _bare(label: str) -> str:
    """Return *label* in lower case, without marks and without the number of its section."""
    words = label[:_MAX_LABEL_CHARS].strip(_MARKS).replace("_", " ").replace("-", " ").lower().split()
    while words and words[0].replace(".", "").rstrip(")").isdecimal():
        del words[0]
    return " ".join(words).strip(_MARKS)


def _next_statement(lines: Sequence[str], start: int) -> str:
    """Return the first line with words from *start*, unless it is a heading or has its own label."""
    for number in range(start, min(len(lines), start + _SECTION_LINES)):
        if lines[number].strip(_MARKS):
            label, end, _ = _label(lines[number])
            is_other = _heading(lines, number) is not None or (end in (":", "：", "|") and not _has_status_word(label))
            return "" if is_other else lines[number]
    return ""


def _has_status_word(text: str) -> bool:
    return not (_list("ended") | _list("in_force")).isdisjoint(_words(text))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("’", "'"))


def _holds(statement: str) -> bool:
    """Return whether a statement has a word of a decision in force, and nothing against it."""
    words = _words(statement)
    joined = " ".join(words)
    is_ended = not _list("ended").isdisjoint(words) or any(part in joined for part in _parts("ended"))
    if is_ended or any(part in statement for part in (*_parts("turning"), *_OPEN)) or _is_turned(words):
        return False
    return not _list("in_force").isdisjoint(words) or any(part in joined for part in _parts("in_force"))


def _is_turned(words: Sequence[str]) -> bool:
    """Return whether a negation shortly precedes a word of a decision in force."""
    return any(
        word in _list("turning") and not _list("in_force").isdisjoint(words[place : place + _NEGATION_WINDOW_WORDS])
        for place, word in enumerate(words)
    )


def _is_ended(line: str) -> bool:
    """Return whether *line* alone ends the record: `superseded-by: ADR-5`, `Superseded by ADR-5`."""
    label, end, behind = _label(line)
    verb, _, by = label.partition(" ")
    if end and by == "by" and verb in word_list("en", "decisions", "succeeded"):
        value = behind.strip(" \t*_|\"'.").lower()
        return value not in _EMPTY and value not in word_list("en", "decisions", "nothing")
    words = _words(line[:_MAX_LABEL_CHARS])[:2]
    is_heading = line.lstrip().startswith(("#", "="))
    return (
        not is_heading
        and words[:1] != []
        and words[0] in _list("ended")
        and (len(words) < 2 or words[1] in word_list("en", "decisions", "behind_ended"))
    )
