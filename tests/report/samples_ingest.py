"""Create claims of every tier, with hedges and citations of every kind, and their report."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from groundwire.ingestion import Citation, IngestionValidator, MemoryClaim, VerificationStatus
from groundwire.ingestion.gate import GateOutcome
from groundwire.ingestion.verification import REASONS, VerificationReason, VerificationResult
from groundwire.report.ingest import Handled, IngestReport, IngestSettings, Offer, build_ingest_report

SETTINGS = IngestSettings(
    compared_with="input",
    dedup_method="jaccard",
    threshold=0.92,
    scientific=False,
    verify_claim_relevance=True,
    auto_approve_ai_synthesis=True,
    network=False,
    writes=False,
    shadow=False,
)
HOSTILE = "<script>document.title = 'x'</script> `a` | \x1b[31m \u202e & 🙂"
CLAIMS = (
    "Per ADR-003 the <b>mill</b> & its weir stand in Bremen.",
    "Per ADR-404 the lock is closed, as commit a1b2c3d4e5 and #12 say.",
    "The gate may close, and the pump might too 🙂 about 3 times.",
    "I think the bridge is new; maybe it isn't.",
    "per adr-003 the <b>mill</b> & its weir stand in bremen",
    f"{HOSTILE} is what the sign says.",
    "水位传感器可能需要更换。\r\nThe second line\nhas no hedge.",
)
# The text of all citations, which mentions hostile passages too.
TEXT = f"The <b>mill</b> & its weir stand in Bremen. The mill is closed.\n\n{HOSTILE} is on the sign 7 times."
CODES = {
    "003": VerificationReason.ADR_FOUND,
    "404": VerificationReason.ADR_NOT_FOUND,
    "a1b2c3d4e5": VerificationReason.COMMIT_AMBIGUOUS,
}


class Verifier:
    """Returns the code that `CODES` has for each citation."""

    async def verify(self, citation: Citation) -> VerificationResult:
        code = CODES.get(citation.value, VerificationReason.NOT_CONFIGURED)
        status, words = REASONS[code]
        return VerificationResult(valid=status is VerificationStatus.VERIFIED, reason=words, status=status, code=code)

    async def verify_many(self, citations):
        return [await self.verify(citation) for citation in citations]

    async def read_many(self, citations):
        return [TEXT for _ in citations]


class Nothing:
    """A provider without memories."""

    async def candidates(self, *_):
        return []


def offers_of(claims=CLAIMS, **fields) -> list[Offer]:
    """Return *claims* as lines of a file."""
    fields = {"memory_type": "fact", "source": "ai_synthesis", "user_id": "anna", **fields}
    return [
        Offer(MemoryClaim(text, **fields), f"claims.txt:{line}", None, line)
        for line, text in enumerate(claims, start=1)
    ]


def validated(offers) -> list[Handled]:
    """Return a validator's results for *offers*."""
    validator = IngestionValidator(Nothing(), verifier=Verifier())
    names = [offer.name for offer in offers]
    # The validator runs in its own thread, because the browser of other tests has an event loop in this one.
    with ThreadPoolExecutor(1) as pool:
        work = validator.validate_many([offer.claim for offer in offers], names=names)
        results = pool.submit(asyncio.run, work).result()
    return [Handled(result, name) for result, name in zip(results, names, strict=True)]


def ingest_report(claims=CLAIMS, **fields) -> IngestReport:
    """Return the report on *claims*."""
    offers = offers_of(claims, **fields)
    return build_ingest_report(offers, validated(offers), SETTINGS)


def every_outcome() -> IngestReport:
    """Return a report with every possible outcome of a claim."""
    offers = offers_of([f"The mill number {number} stands alone." for number in range(len(GateOutcome) + 2)])
    outcomes = [*GateOutcome, GateOutcome.NEEDS_REVIEW, None]
    ids = {
        GateOutcome.STORED: ("mem-1", None),
        GateOutcome.SHADOW_STORED: ("mem-2", None),
        GateOutcome.QUEUED: (None, "q-1"),
    }
    handled = [
        each._replace(
            outcome=outcome, memory_id=ids.get(outcome, (None, None))[0], queue_id=ids.get(outcome, (None, None))[1]
        )
        for each, outcome in zip(validated(offers), outcomes, strict=True)
    ]
    handled[-2] = handled[-2]._replace(failure="QueueFull")
    return build_ingest_report(offers, handled, SETTINGS)
