"""
Why there is no judgement: stable codes, and what they mean.

`FAILURES` says in words what each code means; the table in docs/judge.md is made of
it. A failure carries its code and nothing of the question, the answer or the sources.
"""

from enum import StrEnum

__all__ = ["FAILURES", "TRANSIENT", "FailureCode", "JudgeError"]


class FailureCode(StrEnum):
    """Why there is no judgement."""

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


FAILURES: dict[FailureCode, str] = {
    FailureCode.TIMEOUT: "the time was over before there was a judgement",
    FailureCode.UNREACHABLE: "no connection to the server, or it was broken off",
    FailureCode.RATE_LIMITED: "the server has too much to do, or the quota is used up (429)",
    FailureCode.SERVER_ERROR: "the server failed (5xx)",
    FailureCode.UNAUTHORIZED: "the server does not accept the key (401, 403)",
    FailureCode.NOT_FOUND: "the server does not know this model, or has no such address (404)",
    FailureCode.REJECTED: "the server does not accept the request (another 4xx)",
    FailureCode.TOO_LONG: "what would be sent is too long, for us or for the model",
    FailureCode.REFUSED: "the model, or a filter of the server, refused",
    FailureCode.TRUNCATED: "what the model wrote is cut off",
    FailureCode.EMPTY: "the model wrote nothing",
    FailureCode.NOT_JSON: "what the model wrote holds no JSON object, a broken one, or more than one",
    FailureCode.WRONG_SCHEMA: "the model's object lacks a field, has another, or a value is out of its range",
    FailureCode.PROMPT_ECHO: "the model gave back what it was asked with",
    FailureCode.BAD_RESPONSE: "the server's response is no chat completion, or far too long",
    FailureCode.BAD_PROMPT: "a prompt template failed on this input",
    FailureCode.BAD_JUDGE: "a judge raised, or returned something else than a judgement",
}

TRANSIENT = frozenset(
    {FailureCode.TIMEOUT, FailureCode.UNREACHABLE, FailureCode.RATE_LIMITED, FailureCode.SERVER_ERROR}
)
"""What may be over a moment later, so that it is tried again."""


class JudgeError(Exception):
    """
    There is no judgement. Raised inside this package alone; callers see the code in the judgement.

    Attributes:
        code: Why.
        retry_after_s: How long the server asks to wait, None if it does not say.
    """

    def __init__(self, code: FailureCode, *, retry_after_s: float | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.retry_after_s = retry_after_s
