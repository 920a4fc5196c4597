"""Log events: fields, hashes, labels, and rendering with structlog."""

import hashlib
import hmac
import io
import json
import logging

import pytest
import structlog

from groundwire import telemetry
from groundwire.evidence import EvidenceGroundingStats
from groundwire.evidence.grounding import log_rejected
from log_fields import fields_of

QUOTE = "I feel hopeless"
TRANSCRIPT = "I've been feeling okay lately"
STATS = EvidenceGroundingStats(2, 1, 1, {"PHQ8_Sleep": 0, "PHQ8_Depressed": 1})


def sha(text: str) -> str:
    """The first 12 digits of SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def log_one(**options) -> None:
    """Log one rejected quote."""
    log_rejected([("PHQ8_Depressed", QUOTE)], STATS, TRANSCRIPT, mode="substring", **options)


def test_events_carry_exactly_the_printed_fields(caplog):
    """Names, levels and fields of both events are those of the specification."""
    caplog.set_level(logging.INFO, logger=telemetry.LOGGER_NAME)
    log_one()
    assert [(record.getMessage(), record.levelname, fields_of(record)) for record in caplog.records] == [
        (
            "evidence_quote_rejected",
            "WARNING",
            {
                "domain": "PHQ8_Depressed",
                "quote_hash": sha(QUOTE),
                "quote_len": 15,
                "transcript_hash": sha(TRANSCRIPT),
                "transcript_len": 29,
                "mode": "substring",
            },
        ),
        (
            "evidence_grounding_complete",
            "INFO",
            {
                "extracted_count": 2,
                "validated_count": 1,
                "rejected_count": 1,
                "rejected_by_domain": {"PHQ8_Sleep": 0, "PHQ8_Depressed": 1},
                "transcript_hash": sha(TRANSCRIPT),
            },
        ),
    ]


def test_with_a_key_the_hashes_are_hmac(caplog):
    """Ruling A15: HMAC-SHA-256 of quote and transcript, 12 digits, when there is a key."""
    log_one(hash_key=b"key")
    expected = hmac.new(b"key", QUOTE.encode(), "sha256").hexdigest()[:12]
    assert [record.quote_hash for record in caplog.records] == [expected]


@pytest.mark.parametrize("key", [None, b"key"])
def test_lone_surrogates_are_hashed(key):
    """Ruling A15: surrogatepass; two lone surrogates have two hashes."""
    hash_text = telemetry.text_hasher(key)
    assert len({hash_text("\ud800"), hash_text("\udfff"), hash_text("")}) == 3


@pytest.mark.parametrize("name", ["PHQ8_Sleep", "sleep", "mood.low", "a/b:c-d", "_", "x" * 64])
def test_a_label_is_shown(name):
    """A name is logged unchanged."""
    assert telemetry.as_label(name, telemetry.text_hasher()) == name


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("", id="empty"),
        pytest.param(QUOTE, id="a-sentence"),
        pytest.param("我感到绝望", id="a-sentence-without-blanks"),
        pytest.param("x" * 65, id="too-long"),
        pytest.param("PHQ8_Sleep\n", id="line-break"),
        pytest.param("-x", id="starts-with-a-dash"),
        pytest.param("\ud800", id="surrogate"),
    ],
)
def test_other_names_are_hashed(name):
    """Ruling A15: a domain that may be text is not logged."""
    hash_text = telemetry.text_hasher()
    assert telemetry.as_label(name, hash_text) == f"withheld-{hash_text(name)}"


@pytest.mark.parametrize(("level", "events"), [("INFO", 2), ("WARNING", 1), ("ERROR", 0)])
def test_nothing_is_hashed_below_the_level_of_the_logger(monkeypatch, caplog, level, events):
    """Each event respects the logger's level, and without a listener no hash is computed."""
    hashers = []
    monkeypatch.setattr(telemetry, "text_hasher", lambda key: hashers.append(key) or (lambda _text: "0" * 12))
    caplog.set_level(level, logger=telemetry.LOGGER_NAME)
    log_one()
    assert (len(caplog.records), len(hashers)) == (events, min(events, 1))


def test_the_transcript_is_hashed_once(monkeypatch):
    """The long text is hashed once for any number of rejected quotes."""
    hashed = []
    monkeypatch.setattr(telemetry, "text_hasher", lambda _key: lambda text: hashed.append(text) or "0" * 12)
    log_rejected([("PHQ8_Depressed", QUOTE)] * 3, STATS, TRANSCRIPT, mode="fuzzy")
    assert hashed.count(TRANSCRIPT) == 1


def test_events_come_through_structlog():
    """A structlog formatter with ExtraAdder renders the event with its fields as JSON."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_log_level, structlog.stdlib.ExtraAdder()],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    logger = logging.getLogger(telemetry.LOGGER_NAME)
    logger.addHandler(handler)
    try:
        log_one()
    finally:
        logger.removeHandler(handler)
    assert json.loads(stream.getvalue()) == {
        "event": "evidence_quote_rejected",
        "level": "warning",
        "domain": "PHQ8_Depressed",
        "quote_hash": sha(QUOTE),
        "quote_len": 15,
        "transcript_hash": sha(TRANSCRIPT),
        "transcript_len": 29,
        "mode": "substring",
    }
