"""groundwire.evidence against groundwire.reference: the same verdicts, counts and events (ruling R0)."""

import logging
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import evidence, reference
from log_fields import fields_of
from oracles.texts import extractions, texts

thresholds = st.sampled_from([0.0, 0.5, 0.7, 0.85, 0.9, 1.0])


@given(texts)
def test_normalisation_is_the_references(text):
    """Rulings A4 and A5: character for character, on code points that both know."""
    assert evidence.normalize_for_quote_match(text) == reference.normalize_for_quote_match(text)


def test_every_known_character_is_normalised_as_by_the_reference():
    """Rulings A4 and A5: over the whole code space, alone and between letters."""
    known = [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) != "Cn"]
    texts_of_known = [text for character in known for text in (character, f"a{character}B")]
    wrong = [
        ascii(text)
        for text in texts_of_known
        if evidence.normalize_for_quote_match(text) != reference.normalize_for_quote_match(text)
    ]
    assert wrong == []


@given(extractions())
def test_substring_verdicts_are_the_references(extraction):
    """Ruling R0: the literal function returns what the specification's code returns, in substring mode."""
    assert evidence.validate_evidence_grounding(*extraction) == reference.validate_evidence_grounding(*extraction)


@given(extractions(), thresholds)
def test_fuzzy_verdicts_are_the_references(extraction, threshold):
    """Rulings R0 and A8: the same in fuzzy mode, at any threshold."""
    options = {"mode": "fuzzy", "fuzzy_threshold": threshold}
    assert evidence.validate_evidence_grounding(*extraction, **options) == reference.validate_evidence_grounding(
        *extraction, **options
    )


@given(st.lists(st.text("ab ", max_size=9), max_size=4), st.text("ab ", max_size=12), thresholds)
def test_fuzzy_verdicts_of_short_texts_are_the_references(quotes, transcript, threshold):
    """Ruling A8: few letters make ties, swaps and windows at the ends common."""
    options = {"mode": "fuzzy", "fuzzy_threshold": threshold}
    assert evidence.validate_evidence_grounding({"d": quotes}, transcript, **options) == (
        reference.validate_evidence_grounding({"d": quotes}, transcript, **options)
    )


class Collector(logging.Handler):
    """Collects the message and the fields of each record."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[tuple[str, str, dict[str, object]]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.events.append((record.levelname, record.getMessage(), fields_of(record)))


@pytest.fixture(scope="module")
def collectors():
    """Return the records of the loggers of groundwire.evidence and groundwire.reference."""
    pairs = [(logging.getLogger(name), Collector()) for name in ("groundwire.evidence", "groundwire.reference")]
    for logger, collector in pairs:
        logger.addHandler(collector)
        logger.setLevel(logging.INFO)
        logger.propagate = False
    yield [collector.events for _, collector in pairs]
    for logger, collector in pairs:
        logger.removeHandler(collector)
        logger.setLevel(logging.NOTSET)
        logger.propagate = True


@given(extraction=extractions(), mode=st.sampled_from(["substring", "fuzzy"]))
def test_events_are_the_references(collectors, extraction, mode):
    """Ruling A15: the same events in the same order with the same hashes and lengths."""
    for events in collectors:
        events.clear()
    evidence.validate_evidence_grounding(*extraction, mode=mode)
    reference.validate_evidence_grounding(*extraction, mode=mode)
    assert collectors[0] == collectors[1]
