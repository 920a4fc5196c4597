"""When a model gives back what it was asked with, instead of an answer of its own."""

import re
from collections.abc import Iterable, Sequence

from groundwire.judge.failures import FailureCode, JudgeError
from groundwire.judge.templates import Message

__all__ = ["refuse_copied_object", "refuse_echo"]

# So many characters of the instructions in a row are no coincidence.
_ECHO_CHARS = 80
_FENCE_KEY = re.compile(r"^</?[a-z-]+-([0-9a-f]{32})>$", re.MULTILINE)


def refuse_echo(written: str, messages: Sequence[Message]) -> None:
    """
    Refuse what has a fence of *messages* in it, or the beginning of one of them.

    Raises:
        JudgeError: PROMPT_ECHO.
    """
    contents = [message["content"] for message in messages]
    keys = {key for content in contents for key in _FENCE_KEY.findall(content)}
    beginnings = {content[:_ECHO_CHARS] for content in contents if len(content) >= _ECHO_CHARS}
    if any(part in written for part in keys | beginnings):
        raise JudgeError(FailureCode.PROMPT_ECHO)


def refuse_copied_object(written: str, texts: Iterable[str]) -> None:
    """
    Refuse a judgement that stands, white space apart, in one of the *texts* that are judged.

    Raises:
        JudgeError: PROMPT_ECHO.
    """
    squeezed = _squeezed(written)
    if any(squeezed in _squeezed(text) for text in texts):
        raise JudgeError(FailureCode.PROMPT_ECHO)


def _squeezed(text: str) -> str:
    return "".join(text.split())
