"""What the gate reads from the store before it decides, and writes to it afterwards."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from groundwire.errors import MemoryNotFoundError
from groundwire.ingestion.claims import MemoryClaim
from groundwire.ingestion.evidence import Confidence, EvidenceObject, ValidationResult
from groundwire.labels import is_label
from groundwire.memory.records import MemoryStatus, StoredMemory

if TYPE_CHECKING:
    from groundwire.memory import MemoryStore

__all__ = ["GateDecision", "find_same", "keep", "label_of", "with_stored_parents"]


@dataclass(slots=True)
class GateDecision:
    """
    A claim that is decided about.

    Attributes:
        claim: The claim.
        memory_id: What it would be called.
        parents: Those of its parents that are active memories of its user.
        result: The decision.
        is_stored: Whether it is a memory now.
    """

    claim: MemoryClaim
    memory_id: str
    parents: tuple[str, ...]
    result: ValidationResult
    is_stored: bool = False


def label_of(name: str) -> str:
    """Return a source or type as store and queue can keep it: `unknown` for what is no label."""
    return str(name) if is_label(name) else "unknown"


def find_same(store: "MemoryStore", claim: MemoryClaim) -> str | None:
    """Return the id of the memory that *claim* is, word for word, also of one in review."""
    found = store.find(claim.user_id, content=claim.content, status=None, limit=1)
    return found[0].id if found else None


def with_stored_parents(store: "MemoryStore", claim: MemoryClaim) -> tuple[MemoryClaim, tuple[str, ...]]:
    """Return *claim* with its parents trusted no more than *store* trusts them, and which of them are active."""
    known: dict[str, StoredMemory] = {}
    for parent in claim.parents:
        try:
            memory = store.get(parent, claim.user_id)
        except MemoryNotFoundError:
            continue
        if memory.status is MemoryStatus.ACTIVE:
            known[parent] = memory
    parents = {name: _least(given, known.get(name)) for name, given in claim.parents.items()}
    return replace(claim, parents=parents), tuple(known)


def keep(store: "MemoryStore", offer: GateDecision, *, time: datetime, metadata: Mapping[str, Any]) -> None:
    """Store the claim of *offer*, with *metadata* beside its own."""
    claim, evidence = offer.claim, offer.result.evidence
    memory = StoredMemory(
        id=offer.memory_id,
        content=claim.content,
        memory_type=label_of(claim.memory_type),
        user_id=claim.user_id,
        source=label_of(claim.source),
        capture_time=evidence.capture_time,
        confidence=evidence.confidence,
        source_ids=offer.result.source_ids,
        validity_horizon=evidence.validity_horizon,
        metadata={**evidence.metadata, **metadata},
        parents=offer.parents,
    )
    store.add(memory, time=time)
    offer.is_stored = True


def _least(given: EvidenceObject, stored: StoredMemory | None) -> EvidenceObject:
    """Return what is known of a parent: it is trusted as far as both say, and not at all where the store has none."""
    if stored is None:
        return replace(given, confidence=Confidence.LOW)
    horizons = [each for each in (given.validity_horizon, stored.validity_horizon) if each is not None]
    confidence = min(given.confidence, Confidence(stored.confidence), key=lambda each: each.rank)
    return replace(given, confidence=confidence, validity_horizon=min(horizons, default=None))
