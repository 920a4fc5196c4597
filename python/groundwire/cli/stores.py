"""Opens the databases of memories and of the review queue, and submits the claims of `ingest`."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from groundwire.cli.app import CommandError
from groundwire.cli.inputs import read_bytes
from groundwire.errors import MemoryNotFoundError, NotFound

if TYPE_CHECKING:
    from groundwire.cli.factories import ProgressVerifier
    from groundwire.ingestion import EvidenceObject, GroundedIngestionConfig, IngestionValidator
    from groundwire.ingestion.conversation import Conversation
    from groundwire.memory import Anchor, MemoryRecord, MemoryStore
    from groundwire.report.ingest import Handled, Offer
    from groundwire.review import ReviewQueue

_SQLITE = "sqlite:///"

KEY_VARIABLE = "GROUNDWIRE_HASH_KEY"
"""The variable with the key. An option would show it to other users of the machine."""

KEY_FILE_VARIABLE = "GROUNDWIRE_HASH_KEY_FILE"
"""The variable with the file of the key; a line end after the key is ignored."""


def open_store(database: str) -> "MemoryStore":
    """
    Return the store at *database*, which must exist, so that a mistyped name creates nothing.

    Raises:
        CommandError: It does not exist, has another key, or needs a PostgreSQL driver that is not installed.
        MemoryStoreError: It cannot be opened.
    """
    if _is_missing_file(database):
        raise CommandError(f"no database `{database}`")
    return open_or_create_store(database)


def open_or_create_store(database: str) -> "MemoryStore":
    """Return the store at *database*, and create it if it does not exist; raises as `open_store`."""
    from groundwire.memory import MemoryStore

    try:
        return MemoryStore(database, hash_key=_hash_key())
    except ImportError as error:
        raise CommandError(str(error)) from None
    except ValueError as error:
        hint = (
            f"set {KEY_VARIABLE} to the key, or {KEY_FILE_VARIABLE} to its file" if "hash_key" in str(error) else None
        )
        raise CommandError(str(error), hint=hint) from None


def read_anchor(file: str) -> "Anchor | None":
    """
    Return the anchor in *file*; None if there is no such file.

    Raises:
        CommandError: The file cannot be read, or is not an anchor. It is not changed.
    """
    from groundwire.memory import Anchor

    if not os.path.lexists(file):
        return None
    try:
        return Anchor.read(read_bytes(file).decode())
    except ValueError:
        pass
    raise CommandError(f"--anchor: `{file}` is damaged, or is not an anchor", hint="the file was not changed")


def _hash_key() -> bytes | None:
    """Return the key from the environment or from the file that it names; None without either."""
    key, file = os.environ.get(KEY_VARIABLE), os.environ.get(KEY_FILE_VARIABLE)
    if key is not None and file is not None:
        raise CommandError(f"{KEY_VARIABLE} and {KEY_FILE_VARIABLE} are both set; unset one of them")
    if file is not None:
        return read_bytes(file).removesuffix(b"\n").removesuffix(b"\r")
    return None if key is None else os.fsencode(key)


class _EmptyMemory:
    """A provider without memories, so that claims are compared only with each other."""

    async def candidates(
        self,
        content: str,
        user_id: str,
        memory_type: str | None = None,
    ) -> "Sequence[MemoryRecord]":
        return ()

    async def candidates_many(
        self,
        contents: Sequence[str],
        user_id: str,
        memory_type: str | None = None,
    ) -> "Sequence[MemoryRecord]":
        return ()


class MemoryTarget:
    """
    A store and its review queue, as the target of claims.

    Args:
        store: The store.
        queue: The review queue in it.
        writes: Whether claims are written to them.
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
        # A memory that is back in review is not trusted.
        confidence = Confidence(found.confidence) if found.status is MemoryStatus.ACTIVE else Confidence.LOW
        return EvidenceObject(
            found.content,
            found.capture_time,
            confidence,
            validity_horizon=found.validity_horizon,
            parents=found.parents,
        )

    async def submit(
        self,
        offers: "Sequence[Offer]",
        config: "GroundedIngestionConfig",
        verifier: "ProgressVerifier",
        conversation: "Conversation | None" = None,
        *,
        shadow: bool,
    ) -> "list[Handled]":
        """
        Decide on claims, and write the decisions if the target writes.

        Raises:
            MemoryStoreError: The store cannot be read or written; nothing was stored.
        """
        from uuid import uuid4

        from groundwire.ingestion import IngestionGate, IngestionValidator
        from groundwire.report.ingest import Handled

        validator = IngestionValidator(self._store, config=config, verifier=verifier, pending=self._queue)
        if not self.writes:
            handled = await _decide(offers, validator, conversation)
        else:
            # Create ids here, so that results can refer to other claims of the same input.
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
        """Return the text of a memory or of a claim in the queue; None if it no longer exists."""
        try:
            return self._store.get(id_, user_id).content
        except MemoryNotFoundError:
            pass
        try:
            return (await self._queue.get_by_id(id_, user_id)).content
        except NotFound:
            return None


async def assess_without_store(
    offers: "Sequence[Offer]",
    config: "GroundedIngestionConfig",
    verifier: "ProgressVerifier",
    conversation: "Conversation | None" = None,
) -> "list[Handled]":
    """Decide on claims that are compared only with each other."""
    from groundwire.ingestion import IngestionValidator

    return await _decide(offers, IngestionValidator(_EmptyMemory(), config=config, verifier=verifier), conversation)


async def _decide(
    offers: "Sequence[Offer]", validator: "IngestionValidator", conversation: "Conversation | None"
) -> "list[Handled]":
    from groundwire.report.ingest import Handled

    names = [offer.name for offer in offers]
    results = await validator.validate_many([offer.claim for offer in offers], names=names, conversation=conversation)
    return [Handled(result, name) for result, name in zip(results, names, strict=True)]


@contextmanager
def open_memory_target(database: str | None, *, dry_run: bool) -> "Iterator[MemoryTarget | None]":
    """
    Yield the memory at *database*, and close it at the end; None without a database.

    A dry run creates no file.

    Raises:
        CommandError: *database* cannot be a store, or the PostgreSQL driver is not installed.
        MemoryStoreError: The database cannot be opened.
    """
    if database is None or (dry_run and _is_missing_file(database)):
        yield None
        return
    from groundwire.review import ReviewQueue

    try:
        store = open_or_create_store(database)
    except CommandError as error:
        raise CommandError(f"--database: {error}", hint=error.hint) from None
    with store, ReviewQueue(store=store) as queue:
        yield MemoryTarget(store, queue, writes=not dry_run)


def _is_missing_file(database: str) -> bool:
    file = unquote(database.removeprefix(_SQLITE)) if database.startswith(_SQLITE) else database
    return "://" not in file and not Path(file).exists()
