"""
What is offered to memory: a claim, checked as far as that needs no reading.

What no database can keep is refused here. What may be kept and is hard to see, such as
characters that turn the direction of writing, is for people to look at.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from groundwire.ingestion.evidence import EvidenceObject, check_time
from groundwire.ingestion.tiers import known_source, known_type
from groundwire.memory.records import USER_ID_MAX_CHARS, check_label, check_text

__all__ = ["Claim", "hidden_characters"]

_VARIATIONS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
# Controls, marks and overrides of direction, fillers, tags: none of them is seen, wherever it stands. What joins or
# parts letters, and what chooses a form of one, belongs to many scripts and to emoji: not to Latin letters, nor twice.
_HIDDEN = re.compile(
    "[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b"
    "\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"
    "|(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])"
    f"|(?<=[A-Za-z])[{_VARIATIONS}]|(?<=[{_VARIATIONS}])[{_VARIATIONS}]"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """
    What somebody would have remembered.

    Attributes:
        content: The claim itself.
        memory_type: What kind of claim it is: a `MemoryType`, or its plain str. Any other str is
            an unknown type: only a person can approve the claim (ruling C20).
        source: Where it comes from: a `MemorySource`, or its plain str. Any other str is an
            unknown source, in the same way.
        user_id: Whose memory it would be, up to 256 characters.
        parents: The evidence of each memory that it was derived from, by its id.
        validity_horizon: From when on it is out of date; None for never.
        metadata: Whatever else is to be kept with it.
        capture_time: When it was captured; None for now.
        quote: What somebody said in the conversation that the claim is drawn from, word for
            word. It is checked against the conversation that the validator is given (ruling C21).
        turn: Where that was said: the number of a turn, from 1, or the id of a message.
        speaker: Who said it.

    Raises:
        ValueError: A text is empty or blank, or holds what no database keeps (NUL, a lone
            surrogate); a time has no zone.
        TypeError: A value is of another type. No error holds text of the claim.
    """

    content: str = field(repr=False)
    memory_type: str = field(repr=False)
    source: str = field(repr=False)
    user_id: str = field(repr=False)
    parents: Mapping[str, EvidenceObject] = field(default_factory=dict, repr=False, kw_only=True)
    validity_horizon: datetime | None = field(default=None, kw_only=True)
    metadata: Mapping[str, Any] = field(default_factory=dict, repr=False, kw_only=True)
    capture_time: datetime | None = field(default=None, kw_only=True)
    quote: str | None = field(default=None, repr=False, kw_only=True)
    turn: int | str | None = field(default=None, repr=False, kw_only=True)
    speaker: str | None = field(default=None, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        check_text(self.content, "content")
        if is_blank(self.content):
            raise ValueError("content is blank")
        for name, known in (("memory_type", known_type), ("source", known_source)):
            given = getattr(self, name)
            # No name at all is one that nobody knows.
            check_text(given or "-" if isinstance(given, str) else given, name)
            object.__setattr__(self, name, known(given) or given)
        check_text(self.user_id, "user_id", max_chars=USER_ID_MAX_CHARS)
        for name in ("quote", "speaker"):
            if getattr(self, name) is not None:
                check_text(getattr(self, name), name)
        if isinstance(self.turn, bool) or not isinstance(self.turn, int | str | None):
            raise TypeError(f"turn must be an int or a str, got {type(self.turn).__name__}")
        if self.quote is None and (self.turn is not None or self.speaker is not None):
            raise ValueError("turn and speaker belong to a quote, which is not given")
        for name in ("parents", "metadata"):
            if not isinstance(getattr(self, name), Mapping):
                raise TypeError(f"{name} must be a mapping, got {type(getattr(self, name)).__name__}")
        for parent, evidence in self.parents.items():
            check_label(parent, "the id of a parent")
            if not isinstance(evidence, EvidenceObject):
                raise TypeError(f"a parent must be an EvidenceObject, got {type(evidence).__name__}")
        for name in ("validity_horizon", "capture_time"):
            if getattr(self, name) is not None:
                check_time(getattr(self, name), name)


def hidden_characters(text: str) -> tuple[str, ...]:
    """Return which characters of *text* are not seen and may change what is, as `U+202E`; each once, in order."""
    if text.isascii() and text.isprintable():
        return ()
    return tuple(dict.fromkeys(f"U+{ord(found[0]):04X}" for found in _HIDDEN.finditer(text)))


def is_blank(text: str) -> bool:
    """Tell whether *text* shows nothing."""
    # Most texts show something at once.
    return not text[:1].isalnum() and (text.isspace() or not _HIDDEN.sub("", text).strip())
