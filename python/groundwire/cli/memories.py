"""The memory that claims are offered to, as the options of `groundwire ingest` say; or none."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.cli.problems import CommandError
from groundwire.cli.stores import new_or_known_store
from groundwire.errors import MemoryNotFoundError, NotFound

if TYPE_CHECKING:
    from groundwire.cli.lookups import Lookups
    from groundwire.ingestion import EvidenceObject, GroundedIngestionConfig, IngestionValidator
    from groundwire.ingestion.conversation import Conversation
    from groundwire.memory import MemoryRecord, MemoryStore
    from groundwire.report.ingest import Handled, Offer
    from groundwire.review import ReviewQueue

__all__ = ["Memories", "memories", "take_without_store"]


class _Nothing:
    """A provider without a memory: claims are compared with each other."""

    async def candidates(
        self,
        content: str,  # noqa: ARG002
        user_id: str,  # noqa: ARG002
        memory_type: str | None = None,  # noqa: ARG002
    ) -> "Sequence[MemoryRecord]":
        return ()

    async def candidates_many(
        self,
        contents: Sequence[str],  # noqa: ARG002
        user_id: str,  # noqa: ARG002
        memory_type: str | None = None,  # noqa: ARG002
    ) -> "Sequence[MemoryRecord]":
        return ()


class Memories:
    """
    A store and the queue in it, and how claims come into them.

    Args:
        store: The store.
        queue: What waits for review there.
        writes: Whether anything is written to them.
    """

    def __init__(self, store: "MemoryStore", queue: "ReviewQueue", *, writes: bool) -> None:
        self._store = store
        self._queue = queue
        self.writes = writes

    def recall(self, memory_id: str, user_id: str) -> "EvidenceObject":
        """
        Return the evidence of a memory.

        Raises:
            MemoryNotFoundError: The user has no such memory.
        """
        from groundwire.ingestion import Confidence, EvidenceObject
        from groundwire.memory import MemoryStatus

        found = self._store.get(memory_id, user_id)
        # What waits for review again is trusted by nobody.
        confidence = Confidence(found.confidence) if found.status is MemoryStatus.ACTIVE else Confidence.LOW
        return EvidenceObject(
            found.content,
            found.capture_time,
            confidence,
            validity_horizon=found.validity_horizon,
            parents=found.parents,
        )

    async def take(
        self,
        offers: "Sequence[Offer]",
        config: "GroundedIngestionConfig",
        lookups: "Lookups",
        conversation: "Conversation | None" = None,
        *,
        shadow: bool,
    ) -> "list[Handled]":
        """
        Decide about claims, and do it if anything is to be written.

        Raises:
            MemoryStoreError: The store cannot be read, or not be written to; nothing was stored.
        """
        from uuid import uuid4

        from groundwire.ingestion import IngestionGate, IngestionValidator
        from groundwire.report.ingest import Handled

        validator = IngestionValidator(self._store, config=config, verifier=lookups, pending=self._queue)
        if not self.writes:
            handled = await _decide(offers, validator, conversation)
        else:
            # Made here, so that a claim of this input can be told from a memory by what it is called.
            names = [f"mem-{uuid4().hex}" for _ in offers]
            gate = IngestionGate(validator, self._store, self._queue, shadow=shadow, new_id=iter(names).__next__)
            submissions = await gate.submit_many([offer.claim for offer in offers], conversation=conversation)
            handled = [
                Handled(each.result, each.queue_id or name, each.outcome, each.memory_id, each.queue_id, each.failure)
                for each, name in zip(submissions, names, strict=True)
            ]
        here = {each.called for each in handled}
        return [
            each._replace(other_text=await self._text_of(other, offer.claim.user_id))
            if (other := each.result.conflicting_memory_id) is not None and other not in here
            else each
            for each, offer in zip(handled, offers, strict=True)
        ]

    async def _text_of(self, id_: str, user_id: str) -> str | None:
        """Return what a memory or a claim in the queue says; None if it is not there any more."""
        try:
            return self._store.get(id_, user_id).content
        except MemoryNotFoundError:
            pass
        try:
            return (await self._queue.get_by_id(id_, user_id)).content
        except NotFound:
            return None


async def take_without_store(
    offers: "Sequence[Offer]",
    config: "GroundedIngestionConfig",
    lookups: "Lookups",
    conversation: "Conversation | None" = None,
) -> "list[Handled]":
    """Decide about claims that are compared with each other alone."""
    from groundwire.ingestion import IngestionValidator

    return await _decide(offers, IngestionValidator(_Nothing(), config=config, verifier=lookups), conversation)


async def _decide(
    offers: "Sequence[Offer]", validator: "IngestionValidator", conversation: "Conversation | None"
) -> "list[Handled]":
    from groundwire.report.ingest import Handled

    names = [offer.name for offer in offers]
    results = await validator.validate_many([offer.claim for offer in offers], names=names, conversation=conversation)
    return [Handled(result, name) for result, name in zip(results, names, strict=True)]


@contextmanager
def memories(db: str | None, *, dry_run: bool) -> "Iterator[Memories | None]":
    """
    Give the memory at *db*, and close it in the end; None without one.

    A dry run makes no file that is not there.

    Raises:
        CommandError: *db* is no place for one, or PostgreSQL is not installed.
        MemoryStoreError: The database cannot be opened.
    """
    if db is None or (dry_run and _is_missing_file(db)):
        yield None
        return
    from groundwire.review import ReviewQueue

    try:
        store = new_or_known_store(db)
    except CommandError as error:
        raise CommandError(f"--db: {error}", hint=error.hint) from None
    with store, ReviewQueue(store=store) as queue:
        yield Memories(store, queue, writes=not dry_run)


def _is_missing_file(db: str) -> bool:
    file = db.removeprefix("sqlite:///")
    return "://" not in file and not Path(file).exists()
