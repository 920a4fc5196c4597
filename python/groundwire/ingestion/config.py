"""How strictly claims are validated."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from groundwire.ingestion.hedges.lexicon import LANGUAGES, check_languages
from groundwire.labels import show
from groundwire.thresholds import DUPLICATE_THRESHOLD

if TYPE_CHECKING:
    from groundwire.embedding.protocol import Embedder
    from groundwire.judge.protocol import Judge

__all__ = ["DEDUP_METHODS", "DedupMethod", "GroundedIngestionConfig"]

DedupMethod = Literal["jaccard", "minhash", "vector"]
DEDUP_METHODS: tuple[DedupMethod, ...] = ("jaccard", "minhash", "vector")


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundedIngestionConfig:
    """
    How strictly claims are validated; the defaults are the document's.

    Attributes:
        dedup_method: How similar memories are found: "jaccard" by words, exactly;
            "minhash" by words, for long texts; "vector" by meaning.
        dedup_threshold: From which similarity on a memory is a duplicate, above 0.0 and
            up to 1.0 (ruling C1: the threshold itself is one).
        verify_claim_relevance: Compare a claim with the passages of what it cites (rulings C18,
            C19): *judge* decides if there is one, else the words of both. False: a citation
            only has to exist, and results list `citation_not_compared`.
        auto_approve_ai_synthesis: Whether a model's own claim can be approved by a verified
            citation. False: people see all of them.
        embedder: What "vector" compares texts with. Without one that check fails, and
            claims go to review.
        judge: Whom *verify_claim_relevance* asks.
        lexicons: The languages whose hedges are known.
        scientific: Whether the words of research prose are hedges too (ruling C6).
        max_claim_chars: Longer claims go to review and are not read: hedges, citations and
            copies in them are looked for in time that grows with the length.
        check_timeout_s: How long each answer may take, in seconds: the provider's, the
            verifier's for the citations of one claim, the judge's. None in time is a failed check.

    Raises:
        ValueError: There is no such method or lexicon, or the threshold is out of its range.
        TypeError: A value is of another type.
    """

    dedup_method: DedupMethod = "jaccard"
    dedup_threshold: float = DUPLICATE_THRESHOLD
    verify_claim_relevance: bool = True
    auto_approve_ai_synthesis: bool = True
    embedder: "Embedder | None" = None
    judge: "Judge | None" = None
    lexicons: Sequence[str] = LANGUAGES
    scientific: bool = False
    max_claim_chars: int = 20_000
    check_timeout_s: float = 60.0

    def __post_init__(self) -> None:
        if self.dedup_method not in DEDUP_METHODS:
            given = show(self.dedup_method) if isinstance(self.dedup_method, str) else type(self.dedup_method).__name__
            raise ValueError(f"dedup_method must be one of {', '.join(DEDUP_METHODS)}; got {given}")
        for name in ("dedup_threshold", "max_claim_chars", "check_timeout_s"):
            _check_number(getattr(self, name), name, whole=name == "max_claim_chars")
        if not 0.0 < self.dedup_threshold <= 1.0:
            raise ValueError(f"dedup_threshold must be above 0 and at most 1, got {self.dedup_threshold}")
        if not self.max_claim_chars > 0 or not self.check_timeout_s > 0:
            given = f"{self.max_claim_chars} and {self.check_timeout_s}"
            raise ValueError(f"max_claim_chars and check_timeout_s must be above 0, got {given}")
        for name in ("verify_claim_relevance", "auto_approve_ai_synthesis", "scientific"):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name} must be a bool, got {type(getattr(self, name)).__name__}")
        object.__setattr__(self, "lexicons", check_languages(self.lexicons))


def _check_number(value: object, name: str, *, whole: bool) -> None:
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
        raise TypeError(f"{name} must be {'an int' if whole else 'a number'}, got {type(value).__name__}")
