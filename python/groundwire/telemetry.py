"""
Emits all log events, and writes Prometheus' text format.

An event is a record of the standard library's logging: its message is the
event's name, its fields are attributes of the record (`extra`). The loggers are
`groundwire.evidence`, `groundwire.citations`, `groundwire.judge`,
`groundwire.ingestion`, `groundwire.review` and `groundwire.server`.

Fields are only counts, lengths, hashes, closed sets and labels. Types enforce this:
a `TextHash` comes from a hasher and a `Label` from `as_label`, and a type checker
accepts no other str.

Each event has one function, which takes its fields and does nothing else. Hashing
takes time, so callers check `wants` first.
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
    # Importing `typing` would take a third of this module's import time.
    Label = TextHash = str

__all__ = [
    "CITATIONS_LOGGER_NAME",
    "INGESTION_LOGGER_NAME",
    "JUDGE_LOGGER_NAME",
    "LOGGER_NAME",
    "REVIEW_LOGGER_NAME",
    "SERVER_LOGGER_NAME",
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
    "service_request_failed",
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
SERVER_LOGGER_NAME = "groundwire.server"
TEXT_HASH_HEX_DIGITS = 12
"""Number of hexadecimal digits (48 bits) of the hash that replaces a text in a log event."""

_logger = logging.getLogger(LOGGER_NAME)
_citations_logger = logging.getLogger(CITATIONS_LOGGER_NAME)
_judge_logger = logging.getLogger(JUDGE_LOGGER_NAME)
_ingestion_logger = logging.getLogger(INGESTION_LOGGER_NAME)
_review_logger = logging.getLogger(REVIEW_LOGGER_NAME)
_server_logger = logging.getLogger(SERVER_LOGGER_NAME)

WARNING = logging.WARNING
INFO = logging.INFO


def wants(level: int) -> bool:
    """Tell whether an event of *level* would reach a handler."""
    return _logger.isEnabledFor(level)


def text_hasher(key: bytes | None = None) -> "Hasher":
    """
    Return the function that hashes a text for a log field.

    The hash is the first 12 hexadecimal digits of SHA-256 of the text in UTF-8,
    or of HMAC-SHA-256 with a *key*, because a short quote can be guessed and tried
    against a plain hash (ruling A15). Lone surrogates are hashed as the three bytes
    of generalised UTF-8.
    """
    if key is None:
        from hashlib import sha256

        return lambda text: TextHash(sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:TEXT_HASH_HEX_DIGITS])
    return _keyed_hasher(key)


def _keyed_hasher(key: bytes) -> "Hasher":
    import hmac

    # Copying the keyed state saves hashing the two blocks of the key for each text.
    keyed = hmac.new(key, digestmod="sha256")

    def hash_text(text: str) -> TextHash:
        state = keyed.copy()
        state.update(text.encode("utf-8", "surrogatepass"))
        return TextHash(state.hexdigest()[:TEXT_HASH_HEX_DIGITS])

    return hash_text


def as_label(name: str, hash_text: "Hasher") -> Label:
    """Return *name* if it is a label, otherwise `withheld-` and its hash."""
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
    """Log the counts of a transcript with rejected quotes."""
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
    """Warn that the text of rejected quotes was written to a file (ruling A16)."""
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
    Log the risk of one answer, as a warning if the answer was accepted despite its risk (ruling B13).

    The counts are numbers of distinct ids and of claims.
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
    """Warn about a failed judgement, with its reason and the number of requests sent."""
    _judge_logger.warning("judge_failed", extra={"code": code, "calls": calls})


def judge_cache_entry_ignored(*, fault: "CacheFault") -> None:
    """Warn that a file of the cache of judgements could not be used or written."""
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
    Log the decision on a claim submitted to memory, as a warning if the review queue failed.

    An unknown type or source is None, because its name may be private text. The hash uses the store's key and equals
    the hash in its audit log.
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
    """Log an unexpected exception in a request to the review page."""
    _review_logger.error("review_request_failed", extra={"route": route, "error_type": error_type})


def service_request_failed(*, route: Label, error_type: Label) -> None:
    """Log an unexpected exception in a request to the HTTP service."""
    _server_logger.error("service_request_failed", extra={"route": route, "error_type": error_type})


def prometheus_text(metrics: "Iterable[tuple[str, str, str, Mapping[str, str]]]") -> str:
    """
    Return *metrics* in Prometheus' text format, version 0.0.4 (Prometheus documentation, "Exposition formats").

    Args:
        metrics: For each metric, its name without the prefix `groundwire_`; "counter", "gauge" or "summary"; a
            description on one line without backslashes; and its samples: the values by the text after the
            name, which is labels or the suffix of a summary.
    """
    lines = []
    for name, kind, words, samples in metrics:
        lines += [f"# HELP groundwire_{name} {words}", f"# TYPE groundwire_{name} {kind}"]
        lines += [f"groundwire_{name}{suffix} {value}" for suffix, value in samples.items()]
    return "".join(f"{line}\n" for line in lines)


@contextmanager
def quiet_http() -> "Iterator[None]":
    """
    Prevent the HTTP libraries from logging requests and responses in this context.

    They log addresses, which may be text of a claim or contain a password, and response headers, which may repeat a
    key.
    """
    token = _QUIET.set(True)
    try:
        yield
    finally:
        _QUIET.reset(token)


for _name in ("httpx2", *(f"httpcore2.{part}" for part in ("connection", "http11", "http2", "proxy", "socks"))):
    logging.getLogger(_name).addFilter(lambda _: not _QUIET.get())
