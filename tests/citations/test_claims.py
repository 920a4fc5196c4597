"""Claims: which sentences they are, and which citations belong to them."""

import pytest
from hypothesis import given, settings

from .answers_made import ids_in_use, markdown_answers, plain_answers
from groundwire import _engine
from oracles.answers import read_answer_naive


def native(answer, ids):
    """What the engine reads, as plain values."""
    read = _engine.read_answer(answer, ids)
    statuses = [
        [
            (name, "valid" if name in marker.valid_ids else "invalid" if name in marker.invalid_ids else "ignored")
            for name in marker.ids
        ]
        for marker in read.markers
    ]
    return {
        "markers": [(m.start, m.end, m.form, items, m.status) for m, items in zip(read.markers, statuses, strict=True)],
        "sentences": list(read.sentences),
        "claims": [(c.start, c.end, c.weight, list(c.markers), c.is_long) for c in read.claims],
    }


def naive(answer, ids):
    """The same by the rules in plain Python."""
    read = read_answer_naive(answer, ids)
    return {
        "markers": [(m.start, m.end, m.form, m.items, m.status) for m in read.markers],
        "sentences": read.sentences,
        "claims": [(c.start, c.end, c.weight, c.markers, c.weight > 50) for c in read.claims],
    }


@settings(max_examples=600)
@given(markdown_answers, ids_in_use)
def test_markdown_is_read_as_by_the_rules_in_plain_python(answer, ids):
    """Markers, sentences and claims of answers with all kinds of Markdown."""
    assert native(answer, ids) == naive(answer, ids)


@settings(max_examples=600)
@given(plain_answers, ids_in_use)
def test_plain_text_is_read_as_by_the_rules_in_plain_python(answer, ids):
    """The same where the engine takes no parser."""
    assert native(answer, ids) == naive(answer, ids)
