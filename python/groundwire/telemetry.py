"""
The one emitter of log events, and the one writer of Prometheus' text format.

An event is a record of the standard library's logging: its message is the
event's name, its fields are attributes of the record (`extra`). The loggers are
`groundwire.evidence`, `groundwire.citations`, `groundwire.judge`,
`groundwire.ingestion` and `groundwire.review`.

Only counts, lengths, hashes, closed sets and labels are fields, and the types
hold to that: a `TextHash` comes from a hasher and a `Label` from `as_label`,
and a type checker lets no other str in.

Each event is emitted by one function that takes its fields and does nothing
else. Hashing costs time, so callers ask `wants` first.
"""

import logging
from contextlib import contextmanager
from contextvars import ContextVar

from groundwire.labels import is_label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from enum import Enum, StrEnum
    from typing import Literal, NewType

    Label = NewType("Label", str)
    TextHash = NewType("TextHash", str)
    Hasher = Callable[[str], TextHash]
    ValidationMode = Literal["substring", "fuzzy"]
    CacheFault = Literal["damaged", "unreadable", "unwritable"]
else:
    # `typing` would be a third of what importing this module costs.
    Label = TextHash = str

__all__ = [
    "CITATIONS_LOGGER_NAME",
    "INGESTION_LOGGER_NAME",
    "JUDGE_LOGGER_NAME",
    "LOGGER_NAME",
    "REVIEW_LOGGER_NAME",
    "TEXT_HASH_HEX_DIGITS",
    "Label",
    "TextHash",
    "as_label",
    "claim_decided",
    "grounding_complete",
    "judge_cache_entry_ignored",
    "judge_failed",
    "prometheus_text",
    "quiet_http",
    "quote_rejected",
    "review_request_failed",
    "risk_assessed",
    "text_hasher",
    "unsafe_debug_written",
    "wants",
]

_QUIET: ContextVar[bool] = ContextVar("_QUIET", default=False)

LOGGER_NAME = "groundwire.evidence"
CITATIONS_LOGGER_NAME = "groundwire.citations"
JUDGE_LOGGER_NAME = "groundwire.judge"
INGESTION_LOGGER_NAME = "groundwire.ingestion"
REVIEW_LOGGER_NAME = "groundwire.review"
TEXT_HASH_HEX_DIGITS = 12
"""Hexadecimal digits (48 bits) of the hash that a log event shows in place of a text."""

_logger = logging.getLogger(LOGGER_NAME)
_citations_logger = logging.getLogger(CITATIONS_LOGGER_NAME)
_judge_logger = logging.getLogger(JUDGE_LOGGER_NAME)
_ingestion_logger = logging.getLogger(INGESTION_LOGGER_NAME)
_review_logger = logging.getLogger(REVIEW_LOGGER_NAME)

WARNING = logging.WARNING
INFO = logging.INFO


def wants(level: int) -> bool:
    """Tell whether an event of *level* would reach a handler."""
    return _logger.isEnabledFor(level)


def text_hasher(key: bytes | None = None) -> "Hasher":
    """
    Return the function that hashes a text for a log field.

    The hash is the first 12 hexadecimal digits of SHA-256 of the text in UTF-8,
    or of HMAC-SHA-256 if there is a *key*: the words of a short quote can be
    guessed and tried against a bare hash (ruling A15). Lone surrogates are
    hashed as the three bytes that UTF-8 would give them.
    """
    if key is None:
        from hashlib import sha256

        return lambda text: TextHash(sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:TEXT_HASH_HEX_DIGITS])
    return _keyed_hasher(key)


def _keyed_hasher(key: bytes) -> "Hasher":
    import hmac

    # A copy of the keyed state spares each text the two blocks that the key takes.
    keyed = hmac.new(key, digestmod="sha256")

    def hash_text(text: str) -> TextHash:
        state = keyed.copy()
        state.update(text.encode("utf-8", "surrogatepass"))
        return TextHash(state.hexdigest()[:TEXT_HASH_HEX_DIGITS])

    return hash_text


def as_label(name: str, hash_text: "Hasher") -> Label:
    """Return *name* if it is a label, else `withheld-` and the hash of it."""
    return Label(name if is_label(name) else f"withheld-{hash_text(name)}")


def quote_rejected(
    *,
    domain: Label,
    quote_hash: TextHash,
    quote_len: int,
    transcript_hash: TextHash,
    transcript_len: int,
    mode: "ValidationMode",
) -> None:
    """Warn that a quote is not in its transcript; lengths are in code points."""
    _logger.warning(
        "evidence_quote_rejected",
        extra={
            "domain": domain,
            "quote_hash": quote_hash,
            "quote_len": quote_len,
            "transcript_hash": transcript_hash,
            "transcript_len": transcript_len,
            "mode": mode,
        },
    )


def grounding_complete(
    *,
    extracted_count: int,
    validated_count: int,
    rejected_count: int,
    rejected_by_domain: "dict[Label, int]",
    transcript_hash: TextHash,
) -> None:
    """Tell the counts of one transcript that had quotes rejected."""
    _logger.info(
        "evidence_grounding_complete",
        extra={
            "extracted_count": extracted_count,
            "validated_count": validated_count,
            "rejected_count": rejected_count,
            "rejected_by_domain": rejected_by_domain,
            "transcript_hash": transcript_hash,
        },
    )


def unsafe_debug_written(*, quote_count: int) -> None:
    """Warn that the text of rejected quotes went to a file (ruling A16)."""
    _logger.warning(
        "evidence_unsafe_debug_written",
        extra={"quote_count": quote_count, "setting": "evidence_quote_unsafe_debug_path"},
    )


def risk_assessed(
    *,
    policy: "StrEnum",
    score: float,
    level: "StrEnum",
    action: "StrEnum",
    forced: bool,
    judge_status: "StrEnum",
    reasons: "Sequence[StrEnum]",
    total_claims: int,
    valid_count: int,
    invalid_count: int,
    uncited_count: int,
) -> None:
    """
    Tell the risk of one answer; a warning if it was accepted in spite of it (ruling B13).

    The counts are those of distinct ids, and of claims.
    """
    severity = WARNING if forced else INFO
    if not _citations_logger.isEnabledFor(severity):
        return
    _citations_logger.log(
        severity,
        "citation_risk_assessed",
        extra={
            "policy": policy.value,
            "risk_score": score,
            "risk_level": level.value,
            "action": action.value,
            "forced": forced,
            "judge_status": judge_status.value,
            "reasons": [reason.value for reason in reasons],
            "total_claims": total_claims,
            "valid_citation_count": valid_count,
            "invalid_citation_count": invalid_count,
            "uncited_count": uncited_count,
        },
    )


def judge_failed(*, code: Label, calls: int) -> None:
    """Warn that there is no judgement, and why; *calls* requests were sent."""
    _judge_logger.warning("judge_failed", extra={"code": code, "calls": calls})


def judge_cache_entry_ignored(*, fault: "CacheFault") -> None:
    """Warn that a file of the cache of judgements is not used, or not written."""
    _judge_logger.warning("judge_cache_entry_ignored", extra={"fault": fault})


def claim_decided(
    *,
    outcome: "StrEnum",
    tier: "Enum",
    code: "StrEnum | None",
    checks_failed: "Sequence[Label]",
    content_hash: TextHash,
    content_len: int,
    memory_type: "StrEnum | None",
    source: "StrEnum | None",
    citation_count: int,
    verified_count: int,
    failure: "Label | None",
) -> None:
    """
    Tell what became of a claim that was offered to memory; a warning if the queue for review failed.

    An unknown type or source is None: its name may be a text of the user's. The hash is the
    one by which the store's audit knows the text; its key is the store's.
    """
    _ingestion_logger.log(
        INFO if failure is None else WARNING,
        "claim_decided",
        extra={
            "outcome": outcome.value,
            "tier": tier.value,
            "code": None if code is None else code.value,
            "checks_failed": list(checks_failed),
            "content_hash": content_hash,
            "content_len": content_len,
            "memory_type": "unknown" if memory_type is None else memory_type.value,
            "claim_source": "unknown" if source is None else source.value,
            "citation_count": citation_count,
            "verified_citation_count": verified_count,
            "failure": failure,
        },
    )


def review_request_failed(*, route: Label, error_type: Label) -> None:
    """Tell that a request to the review page ended in an exception that nobody expected."""
    _review_logger.error("review_request_failed", extra={"route": route, "error_type": error_type})


def prometheus_text(metrics: "Iterable[tuple[str, str, str, Mapping[str, str]]]") -> str:
    """
    Return *metrics* in Prometheus' text format, version 0.0.4 (Prometheus documentation, "Exposition formats").

    Args:
        metrics: Of each its name without the prefix `groundwire_`; "counter", "gauge" or "summary"; what it
            counts, in one line without backslashes; and its samples: the value by what follows the name,
            which is labels, or the suffix of a summary.
    """
    lines = []
    for name, kind, words, samples in metrics:
        lines += [f"# HELP groundwire_{name} {words}", f"# TYPE groundwire_{name} {kind}"]
        lines += [f"groundwire_{name}{suffix} {value}" for suffix, value in samples.items()]
    return "".join(f"{line}\n" for line in lines)


@contextmanager
def quiet_http() -> "Iterator[None]":
    """
    Keep the HTTP libraries from writing to their logs what this context asks of a server, and what is answered.

    They log addresses, which are text of a claim or hold a password, and headers of responses, which may repeat a key.
    """
    token = _QUIET.set(True)
    try:
        yield
    finally:
        _QUIET.reset(token)


for _name in ("httpx2", *(f"httpcore2.{part}" for part in ("connection", "http11", "http2", "proxy", "socks"))):
    logging.getLogger(_name).addFilter(lambda _: not _QUIET.get())
