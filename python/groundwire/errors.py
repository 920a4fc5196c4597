"""
Defines the exceptions of groundwire, and the failure codes of language models.

Each message states the expected and the actual value. No exception carries text of a quote, a transcript or a
model's output, neither in its message nor in its arguments, because exceptions end up in logs (ruling A15).
"""

from enum import StrEnum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

__all__ = [
    "LLM_FAILURES",
    "AlreadyDecided",
    "BulkError",
    "BulkStopped",
    "CallbackFailed",
    "DedupCheckError",
    "DocumentError",
    "EvidenceGroundingError",
    "EvidenceSchemaError",
    "GroundwireError",
    "HHEMError",
    "HHEMMissingError",
    "HiddenCharacters",
    "LLMError",
    "LLMFailureCode",
    "MemoryExistsError",
    "MemoryNotFoundError",
    "MemoryRefusedError",
    "MemoryStoreError",
    "ModelError",
    "ModelOutputError",
    "NotAllowed",
    "NotFound",
    "PersonaError",
    "QueueFull",
    "SourceDataError",
    "TranscriptError",
]


class GroundwireError(Exception):
    """The base class of all exceptions of groundwire."""


class EvidenceGroundingError(GroundwireError, ValueError):
    """A model returned evidence, and the transcript contains none of it."""


class EvidenceSchemaError(GroundwireError, ValueError):
    """The evidence does not map domains to lists of str (ruling A13)."""


class MemoryStoreError(GroundwireError):
    """
    The database of a memory store failed; the operation had no effect.

    Attributes:
        failure: Stable code, a `groundwire.memory.StoreFailure`.
        reason: Reason in words, without stored content.
    """

    def __init__(self, failure: str, reason: str) -> None:
        # Both are passed on as arguments, so that the exception can be pickled.
        super().__init__(failure, reason)
        self.failure = failure
        self.reason = reason

    def __str__(self) -> str:
        return self.reason


class MemoryNotFoundError(GroundwireError, LookupError):
    """This user has no such memory. The message does not reveal whether another user has it."""


class MemoryRefusedError(GroundwireError):
    """
    A gate refused what an agent wants to remember; nothing was written.

    Attributes:
        outcomes: The outcome planned for each text of the call, in order: `stored`, `queued`, `needs_review` or
            `rejected`, as in `groundwire.ingestion.GateOutcome`. The last two are the reason.
        codes: The code of the rule that decided on each, or the class of the exception that the queue raised.
    """

    def __init__(self, outcomes: tuple[str, ...], codes: tuple[str, ...]) -> None:
        super().__init__(outcomes, codes)
        self.outcomes = outcomes
        self.codes = codes

    def __str__(self) -> str:
        from groundwire.labels import plural

        pairs = zip(self.outcomes, self.codes, strict=True)
        refused = [code for outcome, code in pairs if outcome in ("needs_review", "rejected")]
        total = plural(len(self.codes), "memory", "memories")
        return f"{len(refused)} of {total} refused ({', '.join(sorted(set(refused)))}); nothing was written"


class MemoryExistsError(GroundwireError, ValueError):
    """The id belongs or belonged to a memory. Ids are never reused, because the audit refers to them."""


class DedupCheckError(GroundwireError):
    """
    The check for duplicates failed, so the claim must not be approved.

    Attributes:
        code: The cause: "no_provider", "provider_failed", "bad_record", "no_embedder"
            or "embedder_failed".
    """

    def __init__(self, code: str, detail: str) -> None:
        # Both are passed on as arguments, so that the exception can be pickled.
        super().__init__(code, detail)
        self.code = code
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


# The specification defines the names of the review queue's errors, from here to `CallbackFailed`.
class QueueFull(GroundwireError):
    """
    The review queue is full; nothing was added or removed.

    Attributes:
        limit: Maximum number of waiting claims.
        of_user: Whether the limit is for one user, not for the whole queue.
    """

    def __init__(self, limit: int, of_user: bool) -> None:
        # Both are passed on as arguments, so that the exception can be pickled.
        super().__init__(limit, of_user)
        self.limit = limit
        self.of_user = of_user

    def __str__(self) -> str:
        from groundwire.labels import plural

        whose = "of this user" if self.of_user else "of all users"
        waiting = plural(self.limit, f"claim {whose} waits", f"claims {whose} wait")
        return f"{waiting} for review already; decide some of them first"


class NotFound(GroundwireError, LookupError):
    """This person can see no such claim. The message does not reveal whether another user has it."""


class NotAllowed(GroundwireError):
    """This person may see the claim, but another person must decide."""


class HiddenCharacters(GroundwireError):
    """
    The claim has hidden characters that its approval does not confirm; nothing was changed.

    Attributes:
        count: Number of hidden characters.
        kinds: Kinds of hidden characters, such as `U+202E`, each once.
    """

    def __init__(self, count: int, kinds: tuple[str, ...]) -> None:
        # Both are passed on as arguments, so that the exception can be pickled.
        super().__init__(count, kinds)
        self.count = count
        self.kinds = kinds

    def __str__(self) -> str:
        from groundwire.labels import plural

        found = plural(self.count, "hidden character")
        return f"the claim has {found}: look at it, and confirm {'it' if self.count == 1 else 'them'} to approve it"


class AlreadyDecided(GroundwireError):
    """
    The claim was already decided or is being decided; nothing was changed.

    Attributes:
        state: State of the claim, "processing" during another decision: a
            `groundwire.review.QueueState`.
        time: Time of the last change of state.
        reviewer: The reviewer; None if the claim expired or the name was erased.
        memory_id: Id of the stored memory, if there is one.
    """

    def __init__(self, state: str, time: "datetime", reviewer: str | None, memory_id: str | None = None) -> None:
        # All are passed on as arguments, so that the exception can be pickled.
        super().__init__(state, time, reviewer, memory_id)
        self.state = state
        self.time = time
        self.reviewer = reviewer
        self.memory_id = memory_id

    def __str__(self) -> str:
        return f"the claim is {self.state} since {self.time.isoformat(timespec='seconds')}"


class CallbackFailed(GroundwireError):
    """
    The callback did not store an approved claim; the claim waits again.

    Attributes:
        code: The cause: "timed_out", "bad_id", "no_callback" or "raised".
        error_type: Class of the exception that the callback raised, without its message.
    """

    def __init__(self, code: str, error_type: str | None = None) -> None:
        # Both are passed on as arguments, so that the exception can be pickled.
        super().__init__(code, error_type)
        self.code = code
        self.error_type = error_type

    def __str__(self) -> str:
        return f"the claim could not be stored: {self.code}{f' {self.error_type}' if self.error_type else ''}"


class ModelError(GroundwireError):
    """
    A required model is missing, or returns no scores.

    Attributes:
        model: The model: "hhem", "judge", or its name.
        reason: Reason in words, without the model's input.
    """

    def __init__(self, model: str, reason: str) -> None:
        # Both are passed on as arguments, so that the exception can be pickled.
        super().__init__(model, reason)
        self.model = model
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.model}: {self.reason}"


class HHEMError(ModelError):
    """
    HHEM cannot compute a consistency, because its files or its output are wrong.

    The message names files, tensors and numbers, and contains no claim or context.
    """

    def __init__(self, reason: str) -> None:
        super().__init__("hhem", reason)
        # The arguments for unpickling.
        self.args = (reason,)


class HHEMMissingError(HHEMError):
    """The model or its runtime is not installed; the message says how to install it."""


class LLMFailureCode(StrEnum):
    """Reasons why a model gave no usable answer."""

    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    UNAUTHORIZED = "unauthorized"
    NOT_FOUND = "not_found"
    REJECTED = "rejected"
    TOO_LONG = "too_long"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    EMPTY = "empty"
    NOT_JSON = "not_json"
    WRONG_SCHEMA = "wrong_schema"
    PROMPT_ECHO = "prompt_echo"
    BAD_RESPONSE = "bad_response"
    BAD_PROMPT = "bad_prompt"
    BAD_JUDGE = "bad_judge"


LLM_FAILURES: dict[str, str] = {
    LLMFailureCode.TIMEOUT: "the deadline passed before there was a judgement",
    LLMFailureCode.UNREACHABLE: "no connection to the server, or the connection broke",
    LLMFailureCode.RATE_LIMITED: "the server is too busy, or the quota is used up (429)",
    LLMFailureCode.SERVER_ERROR: "the server failed (5xx)",
    LLMFailureCode.UNAUTHORIZED: "the server does not accept the key (401, 403)",
    LLMFailureCode.NOT_FOUND: "the server does not know this model, or has no such address (404)",
    LLMFailureCode.REJECTED: "the server does not accept the request (another 4xx)",
    LLMFailureCode.TOO_LONG: "the texts are too long for `max_chars` or for the model",
    LLMFailureCode.REFUSED: "the model or a filter of the server refused to answer",
    LLMFailureCode.TRUNCATED: "the model's output is cut off",
    LLMFailureCode.EMPTY: "the model wrote nothing",
    LLMFailureCode.NOT_JSON: "the model's output holds no JSON object, a broken one, or more than one",
    LLMFailureCode.WRONG_SCHEMA: "the model's object lacks a field, has another, or a value is out of its range",
    LLMFailureCode.PROMPT_ECHO: "the model repeated its prompt",
    LLMFailureCode.BAD_RESPONSE: "the server's response is no chat completion, or far too long",
    LLMFailureCode.BAD_PROMPT: "a prompt template failed on this input",
    LLMFailureCode.BAD_JUDGE: "a judge raised an exception, or returned something other than a judgement",
}
"""The meaning of each code; docs/reference/codes.md prints this table."""


class LLMError(GroundwireError):
    """
    A model gave no usable answer. Judge and embedder translate it; callers see the code.

    Attributes:
        code: The reason. The exception holds nothing of the texts or of the server's response.
    """

    def __init__(self, code: LLMFailureCode) -> None:
        super().__init__(code)
        self.code = code


class ModelOutputError(GroundwireError, ValueError):
    """
    A model's output holds no JSON object, a broken one, or more than one.

    Attributes:
        reason: Reason in words, without the output.
        line: Line of the error, from 1.
        column: Column of the error in code points, from 1.
        truncated: Whether the output is cut off inside the object or before it.
    """

    def __init__(self, reason: str, line: int, column: int, truncated: bool = False) -> None:
        # All four are passed on as arguments, so that the exception can be pickled.
        super().__init__(reason, line, column, truncated)
        self.reason = reason
        self.line = line
        self.column = column
        self.truncated = truncated

    def __str__(self) -> str:
        return f"{self.reason} (line {self.line}, column {self.column})"


class BulkError(GroundwireError, ValueError):
    """
    Files of rows cannot be grounded, because of the input, an option or the output.

    Finished partitions are kept, and the same call resumes the run.

    Attributes:
        reason: Reason in words, which may name files and columns but contains no values.
        hint: Suggested remedy, or None.
    """

    def __init__(self, reason: str, hint: str | None = None) -> None:
        # Both are passed on as arguments, so that the exception can be pickled.
        super().__init__(reason, hint)
        self.reason = reason
        self.hint = hint

    def __str__(self) -> str:
        return self.reason


class BulkStopped(GroundwireError):
    """
    The caller stopped a run; the same call resumes it.

    Attributes:
        partitions: The number of finished partitions.
        rows: The number of rows in them.
    """

    def __init__(self, partitions: int, rows: int) -> None:
        # Both are passed on as arguments, so that the exception can be pickled.
        super().__init__(partitions, rows)
        self.partitions = partitions
        self.rows = rows

    def __str__(self) -> str:
        return (
            f"stopped with {self.rows:,} rows in {self.partitions:,} finished partitions; the same call resumes the run"
        )


class PersonaError(GroundwireError, ValueError):
    """
    A persona cannot be read: broken JSON, not an object, cyclic, or nested too deeply.

    Attributes:
        reason: Reason in words, without the persona's content; fields are named only
            if they are labels.
        line: Line of the error in JSON, from 1; None for a persona that is not text.
        column: Column of the error in code points, from 1; None likewise.
    """

    def __init__(self, reason: str, line: int | None = None, column: int | None = None) -> None:
        # All three are passed on as arguments, so that the exception can be pickled.
        super().__init__(reason, line, column)
        self.reason = reason
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return self.reason if self.line is None else f"{self.reason} (line {self.line}, column {self.column})"


class SourceDataError(GroundwireError, ValueError):
    """
    Research data cannot be read: malformed CSV or JSON, another encoding, or a value that is too long.

    Attributes:
        source: Name of the source, safe to show.
        reason: Reason in words, without the data.
        line: Line of the error, from 1; None without a single line.
        column: Column of the error in code points, from 1; None for a whole line.
        hint: Suggested remedy, or None.
    """

    def __init__(
        self,
        source: str,
        reason: str,
        line: int | None = None,
        column: int | None = None,
        hint: str | None = None,
    ) -> None:
        # All are passed on as arguments, so that the exception can be pickled.
        super().__init__(source, reason, line, column, hint)
        self.source = source
        self.reason = reason
        self.line = line
        self.column = column
        self.hint = hint

    def __str__(self) -> str:
        place = "" if self.line is None else f", line {self.line}"
        place += "" if self.column is None else f", column {self.column}"
        return f"{self.source}{place}: {self.reason}"


class DocumentError(GroundwireError, ValueError):
    """
    A document cannot be read: its format, damage, a password, or a limit.

    Attributes:
        name: The document's name; None if it has none.
        code: A stable code, such as "encrypted", "damaged" or "unknown_format".
        reason: What the document is, as the end of "this is"; it holds nothing of the text.
        hint: What may help.
    """

    def __init__(self, name: str | None, code: str, reason: str, hint: str | None = None) -> None:
        # All are arguments, so that the exception can be pickled.
        super().__init__(name, code, reason, hint)
        self.name = name
        self.code = code
        self.reason = reason
        self.hint = hint

    def __str__(self) -> str:
        shown = "the document" if self.name is None else f"`{self.name}`"
        return f"{shown} is {self.reason}{f': {self.hint}' if self.hint else ''}"


class TranscriptError(GroundwireError, ValueError):
    """
    A transcript is not in the expected format.

    Attributes:
        line: Line of the error, from 1.
        expected: Description of the expected content, without text of the transcript.
    """

    def __init__(self, line: int, expected: str) -> None:
        # Both are passed on as arguments, so that the exception can be pickled.
        super().__init__(line, expected)
        self.line = line
        self.expected = expected

    def __str__(self) -> str:
        return f"line {self.line}: expected {self.expected}"
