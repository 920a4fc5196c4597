"""Labelled quotes from real documents: every label, in both modes."""

import json
from collections import defaultdict
from pathlib import Path

import pytest

import groundwire
from groundwire.evidence import validate_evidence_grounding


@pytest.fixture(scope="module")
def quotes_by_document(shared_data: Path) -> dict[str, list[dict]]:
    """Return the rows of quotes.jsonl by the document in which they are searched."""
    rows = defaultdict(list)
    with (shared_data / "quotes.jsonl").open(encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            rows[row["doc"]].append(row)
    return dict(rows)


@pytest.mark.parametrize(("mode", "label"), [("substring", "substring"), ("fuzzy", "fuzzy_085")])
def test_every_label_is_met(shared_data, quotes_by_document, mode, label):
    """Ruling R0: the verdict on every labelled quote is the specification's, for every document."""
    wrong = []
    checked = 0
    for document, rows in quotes_by_document.items():
        source = groundwire.Source((shared_data / "corpora" / document).read_bytes().decode("utf-8"))
        labelled = [row for row in rows if row["label"][label] is not None]
        # Each quote has its own domain, whose list shows whether it was grounded.
        evidence = {row["id"]: [row["quote"]] for row in labelled}
        validated, _ = validate_evidence_grounding(evidence, source, mode=mode, log_rejections=False)
        wrong += [row["id"] for row in labelled if bool(validated[row["id"]]) != row["label"][label]]
        checked += len(labelled)
    assert wrong == []
    assert checked > 1000
