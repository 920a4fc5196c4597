"""
The exceptions of groundwire.

Each says what was got and what was wanted. None carries text of a quote, a
transcript or a model's output, neither in its message nor in its arguments: an
exception ends in logs that the text must not reach (ruling A15).
"""

__all__ = [
    "EvidenceGroundingError",
    "EvidenceSchemaError",
    "GroundwireError",
    "MemoryExistsError",
    "MemoryNotFoundError",
    "MemoryStoreError",
    "ModelOutputError",
    "PersonaError",
    "SourceDataError",
    "TranscriptError",
]


class GroundwireError(Exception):
    """The base of every exception that is groundwire's own."""


class EvidenceGroundingError(GroundwireError, ValueError):
    """A model gave evidence and none of it stands in the transcript."""


class EvidenceSchemaError(GroundwireError, ValueError):
    """The evidence is not a mapping of domain to list of str (ruling A13)."""


class MemoryStoreError(GroundwireError):
    """
    The database of a memory store cannot do what was asked; nothing of it was done.

    Attributes:
        failure: Why, as a stable code: a `groundwire.memory.StoreFailure`.
        reason: Why, in words that hold nothing of what is stored.
    """

    def __init__(self, failure: str, reason: str) -> None:
        # Both are arguments, so that the exception can be pickled.
        super().__init__(failure, reason)
        self.failure = failure
        self.reason = reason

    def __str__(self) -> str:
        return self.reason


class MemoryNotFoundError(GroundwireError, LookupError):
    """No such memory of this user: nobody is told whether somebody else has it."""


class MemoryExistsError(GroundwireError, ValueError):
    """There is or was a memory with this id; an id is used once, for the audit goes by it."""


class ModelOutputError(GroundwireError, ValueError):
    """
    A model's output holds no JSON object, a broken one, or more than one.

    Attributes:
        reason: What is wrong, in words that hold nothing of the output.
        line: The line of the place, from 1.
        column: The column of the place in code points, from 1.
    """

    def __init__(self, reason: str, line: int, column: int) -> None:
        # All three are arguments, so that the exception can be pickled.
        super().__init__(reason, line, column)
        self.reason = reason
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return f"{self.reason} (line {self.line}, column {self.column})"


class PersonaError(GroundwireError, ValueError):
    """
    A persona is not what one can be read from: broken JSON, no object, cyclic, too deep.

    Attributes:
        reason: What is wrong, in words that hold nothing of the persona; fields are
            named as far as they look like names.
        line: The line of the place in JSON, from 1; None for a persona that is no text.
        column: The column in code points, from 1; None likewise.
    """

    def __init__(self, reason: str, line: int | None = None, column: int | None = None) -> None:
        # All three are arguments, so that the exception can be pickled.
        super().__init__(reason, line, column)
        self.reason = reason
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return self.reason if self.line is None else f"{self.reason} (line {self.line}, column {self.column})"


class SourceDataError(GroundwireError, ValueError):
    """
    Research data cannot be read: broken CSV or JSON, another encoding, too much in one piece.

    Attributes:
        source: The source's name as it may be shown.
        reason: What is wrong, in words that hold nothing of the data.
        line: The line of the place, from 1; None where there is no one place.
        column: The column in code points, from 1; None where the whole line is meant.
    """

    def __init__(self, source: str, reason: str, line: int | None = None, column: int | None = None) -> None:
        # All four are arguments, so that the exception can be pickled.
        super().__init__(source, reason, line, column)
        self.source = source
        self.reason = reason
        self.line = line
        self.column = column

    def __str__(self) -> str:
        place = "" if self.line is None else f", line {self.line}"
        place += "" if self.column is None else f", column {self.column}"
        return f"{self.source}{place}: {self.reason}"


class TranscriptError(GroundwireError, ValueError):
    """
    A transcript is not in the format that it is read as.

    Attributes:
        line: The line of the place, from 1.
        expected: What should stand there, in words that hold nothing of the transcript.
    """

    def __init__(self, line: int, expected: str) -> None:
        # Both are arguments, so that the exception can be pickled.
        super().__init__(line, expected)
        self.line = line
        self.expected = expected

    def __str__(self) -> str:
        return f"line {self.line}: expected {self.expected}"
