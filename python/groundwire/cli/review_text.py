"""Claims of the review queue as text for people, and as JSON."""

import json
from dataclasses import asdict
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING

from groundwire.report.text import aligned
from groundwire.sanitize import one_line, sanitize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from groundwire.review import ClaimConflict, ClaimExcerpt, PendingMemory, QueueState

__all__ = ["claim_json", "claim_text", "list_json", "list_text"]

_WIDTH = 80
_SIGNS = {"same": "  ", "removed": "- ", "added": "+ "}


def list_text(
    page: "Sequence[ClaimExcerpt]", counts: "Mapping[QueueState, int]", *, is_full: bool, only_of: str | None
) -> str:
    """Return one line for each claim, between counts and the way to the next page, or to others' than *only_of*'s."""
    from groundwire.review import COUNT_MAX

    told = [f"{count}{'+' if count == COUNT_MAX else ''} {state}" for state, count in counts.items()]
    rows: list[tuple[str, ...]] = [
        (
            one.queue_id,
            f"{one.submitted_at:%Y-%m-%d %H:%M}",
            one_line(one.user_id, limit=24),
            one.memory_type,
            one.source,
            one_line(one.excerpt, limit=_WIDTH),
        )
        for one in page
    ]
    lines = [", ".join(told) or "nothing that you may see", *aligned(rows)]
    if is_full:
        lines.append(f"more may follow: --after {page[-1].place}")
    if only_of is not None and not any(counts.values()):
        lines.append(
            f"only claims of {one_line(only_of)} are looked for: --as NAME for another's, --reviewer for everybody's"
        )
    return "".join(f"{line}\n" for line in lines)


def list_json(page: "Sequence[ClaimExcerpt]", counts: "Mapping[QueueState, int]", *, is_full: bool) -> str:
    """Return the same as JSON, with the beginnings of long claims; `next` is what `--after` takes, or null."""
    said = {
        "counts": {str(state): count for state, count in counts.items()},
        "claims": [asdict(one) for one in page],
        "next": page[-1].place if is_full else None,
    }
    return _json(said)


def claim_text(pending: "PendingMemory", conflict: "ClaimConflict | None") -> str:
    """Return a claim and what is known of it, a line each."""
    rows: list[tuple[str, ...]] = [(name, one_line(value)) for name, value in _facts(pending) if value]
    lines = [sanitize(pending.content), "", *aligned(rows)]
    if conflict is not None:
        lines += ["", f"compared with {conflict.memory_id}:"]
        lines += [f"{_SIGNS[part.kind]}{one_line(part.words)}" for part in conflict.parts]
    return "".join(f"{line}\n" for line in lines)


def claim_json(pending: "PendingMemory", conflict: "ClaimConflict | None") -> str:
    """Return the same as JSON."""
    told = None if conflict is None else {**conflict._asdict(), "parts": [part._asdict() for part in conflict.parts]}
    return _json({**asdict(pending), "conflict": told})


def _facts(pending: "PendingMemory") -> "Iterator[tuple[str, str]]":
    """Yield what is told of a claim, with its name."""
    yield "id", pending.queue_id
    yield "state", pending.state
    yield "user", pending.user_id
    yield "type", pending.memory_type
    yield "source", pending.source
    yield "submitted", f"{pending.submitted_at:%Y-%m-%d %H:%M:%S} UTC"
    yield "expires", "" if pending.expires_at is None else f"{pending.expires_at:%Y-%m-%d %H:%M:%S} UTC"
    yield "why", pending.reason
    for name, checks in (("passed", pending.checks_passed), ("failed", pending.checks_failed)):
        yield from ((name, check) for check in checks)
    for cue in pending.hedges:
        yield "hedge", f"{cue.text} ({cue.category})"
    for cited in pending.citations:
        yield "cites", f"{cited.name}: {cited.status}, {cited.reason}"
    yield "confidence", pending.evidence.confidence.value
    yield from (("derived from", parent) for parent in pending.evidence.parents)
    yield "assigned to", pending.assigned_to or ""
    yield "said before", pending.original_content or ""
    yield "failure", pending.failure or ""
    yield "decided", "" if pending.decided_at is None else f"{pending.decided_at:%Y-%m-%d %H:%M:%S} UTC"
    yield "by", pending.reviewer or ""
    yield "reason", pending.decision_reason or ""
    yield "memory", pending.memory_id or ""


def _json(said: object) -> str:
    return f"{json.dumps(said, indent=2, ensure_ascii=False, default=_plain)}\n"


def _plain(value: object) -> object:
    """What JSON has no form for."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    raise TypeError(f"{type(value).__name__} has no form in JSON")
