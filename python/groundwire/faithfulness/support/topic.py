"""What a claim is about."""

from collections.abc import Set
from functools import cached_property

from groundwire.faithfulness.claims import ClaimKind, PersonaClaim
from groundwire.faithfulness.sources.units import MAX_UNIT_CHARS
from groundwire.faithfulness.support.cues import read_cue
from groundwire.language import Term, read_terms

__all__ = ["TEXTS", "Topic"]

TEXTS = frozenset({ClaimKind.ATTRIBUTE, ClaimKind.ITEM, ClaimKind.STATEMENT})
"""Claims that are compared word by word; of the others only the value counts."""

_ENDS = (".", "!", "。", "！")


class Topic:
    """
    What a claim is about.

    Args:
        claim: The claim.
        own_names: The person's names in small letters, which those who speak do not say of themselves.

    Attributes:
        claim, own_names: These.
        text: The claim's value; of more than 2,000 characters the first.
        cue: The words of its field.
    """

    def __init__(self, claim: PersonaClaim, own_names: Set[str] = frozenset()) -> None:
        self.claim = claim
        self.own_names = own_names
        self.text = claim.value[:MAX_UNIT_CHARS]
        self.cue = read_cue(claim.cue)

    @property
    def is_text(self) -> bool:
        """Whether it is compared word by word."""
        return self.claim.kind in TEXTS

    @cached_property
    def is_sentence(self) -> bool:
        """Whether it is a sentence, and no phrase: it has a full stop, or begins with a pronoun."""
        if self.claim.kind is ClaimKind.STATEMENT or self.text.rstrip().endswith(_ENDS):
            return True
        return any(term.kind == "pronoun" for term in self._terms[:1])

    @cached_property
    def said(self) -> str:
        """The value without the person's names: `leads a team of five`. As it is where nothing else is in it."""
        if not self.own_names:
            return self.text
        kept, done = "", 0
        for term in self._terms:
            if term.form in self.own_names:
                kept, done = kept + self.text[done : term.start], term.end
        kept = (kept + self.text[done:]).strip()
        return kept if any(map(str.isalnum, kept)) else self.text

    @cached_property
    def stems(self) -> frozenset[int]:
        """The stems of its words of content and names, without the person's names."""
        terms = self._terms if self.said == self.text else read_terms(self.said)
        return frozenset(term.stem for term in terms if term.kind in ("content", "name"))

    @cached_property
    def _terms(self) -> list[Term]:
        return read_terms(self.text)
