"""Line numbers: from an offset in a text to the line and column people see."""

import re
from bisect import bisect_right

# Only what editors count as a line end; str.splitlines() would also break at
# form feeds and U+2028 and number the lines differently.
_LINE_END = re.compile(r"\r\n|\r|\n")


class Lines:
    """
    The lines of one text, found once.

    `starts` holds the offset of each line's first code point. A line end at
    the very end of the text opens no further line; an empty text has no lines.
    """

    __slots__ = ("starts",)

    def __init__(self, text: str) -> None:
        starts = [0, *(end.end() for end in _LINE_END.finditer(text))]
        if starts[-1] == len(text):
            starts.pop()
        self.starts: tuple[int, ...] = tuple(starts)

    def __len__(self) -> int:
        return len(self.starts)

    def locate(self, offset: int) -> tuple[int, int]:
        """Return line and column of the code point at *offset*, both from 1."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1
