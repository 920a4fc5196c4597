"""The memory that claims are offered to, as the options of `groundwire ingest` say; or none."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.cli.problems import CommandError
from groundwire.errors import MemoryNotFoundError

if TYPE_CHECKING:
    from groundwire.ingestion import Claim, EvidenceObject, IngestionValidator
    from groundwire.memory import MemoryRecord, MemoryStore
    from groundwire.report.ingest import Handled, Offer

__all__ = ["Memories", "memories"]


class Memories:
    """
    A store, or nothing, and how claims come into it.

    Args:
        store: The store; None for nothing.
        writes: Whether anything is written to it.
    """

    def __init__(self, store: "MemoryStore | None", *, writes: bool) -> None:
        self.store = store
        self.writes = writes and store is not None

    async def candidates(self, content: str, user_id: str, memory_type: str | None = None) -> "Sequence[MemoryRecord]":
        """See `MemoryProvider`: all memories of a user, and none where there is no store."""
        return () if self.store is None else await self.store.candidates(content, user_id, memory_type)

    async def candidates_many(self, contents: Sequence[str], user_id: str) -> "Sequence[MemoryRecord]":
        """Return the same for all of *contents* at once."""
        return await self.candidates(contents[0], user_id)

    def recall(self, memory_id: str, user_id: str) -> "EvidenceObject":
        """
        Return the evidence of a memory.

        Raises:
            MemoryNotFoundError: The user has no such memory.
        """
        from groundwire.ingestion import Confidence, EvidenceObject

        if self.store is None:
            raise MemoryNotFoundError("there is no such memory")
        found = self.store.get(memory_id, user_id)
        return EvidenceObject(found.content, found.capture_time, Confidence(found.confidence), parents=found.parents)

    def text_of(self, memory_id: str, user_id: str) -> str | None:
        """Return what a memory says; None if it is not there."""
        if self.store is None:
            return None
        try:
            return self.store.get(memory_id, user_id).content
        except MemoryNotFoundError:
            return None

    async def take(
        self, offers: "Sequence[Offer]", validator: "IngestionValidator", *, shadow: bool
    ) -> "list[Handled]":
        """
        Let *validator* decide about claims, and do it if anything is to be written.

        Raises:
            MemoryStoreError: The store cannot be read, or not be written to; nothing was stored.
        """
        from groundwire.report.ingest import Handled

        claims = [offer.claim for offer in offers]
        if self.store is None or not self.writes:
            names = [offer.name for offer in offers]
            results = await validator.validate_many(claims, names=names)
            return [Handled(result, name) for result, name in zip(results, names, strict=True)]
        return await _submit(claims, validator, self.store, shadow=shadow)


async def _submit(
    claims: "Sequence[Claim]", validator: "IngestionValidator", store: "MemoryStore", *, shadow: bool
) -> "list[Handled]":
    from uuid import uuid4

    from groundwire.ingestion import IngestionGate
    from groundwire.report.ingest import Handled

    # Made here, so that a claim of this input can be told from a memory by what it is called.
    names = [f"mem-{uuid4().hex}" for _ in claims]
    gate = IngestionGate(validator, store, shadow=shadow, new_id=iter(names).__next__)
    return [
        Handled(each.result, name, each.outcome, each.memory_id, each.queue_id, each.failure)
        for each, name in zip(await gate.submit_many(claims), names, strict=True)
    ]


@contextmanager
def memories(db: str | None, *, dry_run: bool) -> Iterator[Memories]:
    """
    Give the memory at *db*, and close it in the end; an empty one for None.

    A dry run makes no file that is not there.

    Raises:
        CommandError: *db* is no place for one, or PostgreSQL is not installed.
        MemoryStoreError: The database cannot be opened.
    """
    is_missing_file = db is not None and "://" not in db and db != ":memory:" and not Path(db).exists()
    if db is None or (dry_run and is_missing_file):
        yield Memories(None, writes=False)
        return
    from groundwire.memory import MemoryStore

    try:
        store = MemoryStore(db)
    except (ValueError, ImportError) as error:
        raise CommandError(f"--db: {error}") from None
    with store:
        yield Memories(store, writes=not dry_run)
