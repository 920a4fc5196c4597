"""
Make a review queue to try the page with: claims of an assistant, as the gate sends them to people.

    python examples/review_queue.py review.db
    groundwire review token review.db --user rita --reviewer
    groundwire review serve review.db
"""

import asyncio
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from groundwire.ingestion import CitationVerifier, IngestionGate, IngestionValidator, MemoryClaim
from groundwire.memory import MemoryStore, StoredMemory
from groundwire.review import ReviewQueue

KNOWN = {
    "sessions": ("anna", "decision", "Sessions of the web shop are kept in Redis and end after 30 minutes"),
    "editor": ("ben", "preference", "The user prefers tabs over spaces in all Python projects of the data team"),
}

# What the decision records say, by their numbers.
RECORDS = {
    3: "The API accepts OAuth2 tokens. Access tokens expire after 15 minutes.",
    11: "Invoices are kept for ten years.",
}

# Who said it, of which type it is, where it comes from, and what it says.
CLAIMS = (
    ("anna", "fact", "ai_synthesis", "Per ADR-003 the API accepts OAuth2 tokens, and it may also accept API keys"),
    ("anna", "decision", "ai_synthesis", "Sessions of the web shop are not kept in Redis and end after 45 minutes"),
    ("anna", "fact", "ai_synthesis", "The payment service retries a failed charge three times, as ADR-007 says"),
    ("anna", "fact", "ai_synthesis", "Per ADR-003, access tokens expire after 60 minutes"),
    ("anna", "fact", "ai_synthesis", "Deployments on Fridays are frozen from 14:00 on"),
    ("ben", "preference", "ai_synthesis", "The user likes short answers with an example better than long ones"),
    ("ben", "fact", "ai_synthesis", "The nightly export usually takes about 40 minutes, see https://status.example.com/export"),
    ("ben", "fact", "ai_synthesis", "Commit 4f2a91c moved the report to the new warehouse"),
    ("ben", "fact", "ai_synthesis", "The search index seems to be rebuilt every Sunday (#1204)"),
    ("chiara", "fact", "ai_synthesis", "The French site was translated by the agency in Lyon"),
    ("chiara", "decision", "ai_synthesis", "Invoices are kept for ten years, as ADR-011 and perhaps the law require"),
    ("chiara", "fact", "ai_synthesis", "测试环境每天早上六点重置，数据通常不会保留"),
    ("chiara", "fact", "ai_synthesis", "Support answers within four hours on working days"),
)  # fmt: skip


async def fill(store: MemoryStore, queue: ReviewQueue, records: Path) -> None:
    """Store what is known, and offer the claims to the gate."""
    for memory_id, (user_id, memory_type, content) in KNOWN.items():
        memory = StoredMemory(
            id=memory_id, user_id=user_id, content=content, memory_type=memory_type, source="user",
            capture_time=datetime.now(UTC), confidence="high",
        )  # fmt: skip
        store.add(memory, time=datetime.now(UTC))
    verifier = CitationVerifier(adr_dirs=(records,))
    gate = IngestionGate(IngestionValidator(store, verifier=verifier), store, queue)
    for user_id, memory_type, source, content in CLAIMS:
        submitted = await gate.submit(MemoryClaim(content, memory_type, source, user_id))
        print(submitted.outcome, submitted.result.reason, sep=": ")


def main(database: str) -> None:
    """Make the queue in a database that is not there yet."""
    with tempfile.TemporaryDirectory() as folder, MemoryStore(database) as store, ReviewQueue(store=store) as queue:
        for number, decision in RECORDS.items():
            record = Path(folder) / f"{number:04}-record.md"
            text = f"# {number}. A record\n\n## Status\n\nAccepted\n\n## Decision\n\n{decision}\n"
            record.write_text(text, encoding="utf-8")
        asyncio.run(fill(store, queue, Path(folder)))


if __name__ == "__main__":
    main(*sys.argv[1:])
