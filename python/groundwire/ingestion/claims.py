"""
What is offered to memory: a claim, checked as far as that needs no reading.

What no database can keep is refused here. A claim with hidden characters is kept, and is for
people to look at.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from groundwire.ingestion.evidence import EvidenceObject, check_time
from groundwire.ingestion.tiers import known_source, known_type
from groundwire.memory.records import USER_ID_MAX_CHARS, check_label, check_text
from groundwire.sanitize import Hidden, hidden_characters, without_hidden

__all__ = ["MemoryClaim", "hidden_in"]


@dataclass(frozen=True, slots=True)
class MemoryClaim:
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


def hidden_in(claim: MemoryClaim) -> Hidden:
    """
    Return what the text of *claim* hides: its content, and the words, the speaker and the parents that it names.

    Metadata is not looked at: it is data of the application, and every page and report spells it out.
    """
    texts = (claim.content, claim.memory_type, claim.source, claim.quote, claim.speaker, *claim.parents)
    return hidden_characters(" ".join(text for text in texts if text))


def is_blank(text: str) -> bool:
    """Return whether *text* shows nothing."""
    # Most texts show something at once.
    return not text[:1].isalnum() and not without_hidden(text).strip()
