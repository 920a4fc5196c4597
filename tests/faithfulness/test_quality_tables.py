"""The tables of quality for personas: edits by rule, and the command on a very small set."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import groundwire
from groundwire.faithfulness import ClaimStatus, FaithfulnessValidator

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "benches" / "quality"
# The tested package, wherever it is installed.
ENVIRONMENT = {"PYTHONWARNINGS": "ignore", "PYTHONPATH": str(Path(groundwire.__file__).parents[1])}
INTERVIEW = """\
Interviewer: Where do you live?
Ada: I live in Ghent with two old dogs. I don't drive a car to work. We bought three sofas for the garden.
Interviewer: And work?
Ada: I was working as a nurse in Antwerp for six years. It was fine.
"""


@pytest.fixture(scope="module", autouse=True)
def scripts():
    """Put the folder of the command on the import path."""
    sys.path.append(str(SCRIPTS))
    yield
    sys.path.remove(str(SCRIPTS))


@pytest.fixture
def sets(tmp_path) -> Path:
    """Return a set with one item of each kind."""
    page = "The tower is 330 metres tall. It was built in Ghent in 1889. Nobody lives there."
    summaries = [
        {"summary": text, "doc_id": name, "label": label, "domain": "news"}
        for name in ("d0", "d1", "d2", "d3")
        for text, label in (("The tower is 330 metres tall.", 1), ("The tower is 230 metres tall.", 0))
    ]
    claims = [
        {"id": f"eq{number}_0", "claim": text, "support": support, "evidence": [f"[1] https://example.org\n\n{page}"]}
        for number in range(1, 7)
        for text, support in (("The tower is 330 metres tall.", "Complete"), ("It stands in Bruges.", "Incomplete"))
    ]
    documents = [{"doc_id": name, "text": page} for name in ("d0", "d1", "d2", "d3")]
    for name, rows in (("summedits", summaries), ("summedits_docs", documents), ("expertqa_claims", claims)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    from personas import OTHER_FACTS

    interview = {"scratch": {**OTHER_FACTS, "first_name": "Ada", "age": 41}, "source": INTERVIEW.splitlines()}
    (tmp_path / "interview_with_facts.json").write_text(json.dumps(interview), encoding="utf-8")
    return tmp_path


def test_edits_are_made_by_rule(sets):
    """Each claim is in the third person; an edit changes one thing, always in the same way."""
    from planted import Edit, planted_claims, read_interview

    interview = read_interview(sets)
    planted = planted_claims(interview)
    assert planted == planted_claims(interview)
    untouched = [each.text for each in planted if each.edit is Edit.NONE]
    assert untouched == [
        "He lives in Ghent with two old dogs.",
        "He does not drive a car to work.",
        "They bought three sofas for the garden.",
        "He was working as a nurse in Antwerp for six years.",
    ]
    counts = Counter(each.edit for each in planted)
    assert counts[Edit.INVENTED] == 20
    assert min(counts[edit] for edit in Edit) >= 2
    assert all(each.text not in untouched for each in planted if each.edit is not Edit.NONE)


def test_the_command_puts_its_tables_into_a_page(sets):
    """The rows follow from the few lines, and the rest of the page stays."""
    page = sets / "page.md"
    begin, end = "<!-- table: python benches/quality/faithfulness.py -->\n", "<!-- end of table -->\n"
    page.write_text(f"before\n{begin}old\n{end}after\n", encoding="utf-8")
    subprocess.run(
        [sys.executable, str(SCRIPTS / "faithfulness.py"), "--sets", str(sets), "-o", str(page)],
        check=True,
        capture_output=True,
        env=ENVIRONMENT,
    )
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{begin}")
    assert text.endswith(f"{end}after\n")
    assert "old\n" not in text
    assert "| untouched | 100.0 %" in text
    assert "| all layers | 0.40 | 1.000 | 1.000 |" in text
    assert "| all layers | 1.000" in text
    assert "330 metres" not in text


def test_a_page_without_markers_is_not_changed(sets):
    """The tables go only between the markers."""
    page = sets / "page.md"
    page.write_text("nothing here\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(SCRIPTS / "faithfulness.py"), "--sets", str(sets), "-o", str(page)],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
    )
    assert (done.returncode, done.stderr) == (1, "the page has no place for the tables\n")
    assert page.read_text(encoding="utf-8") == "nothing here\n"


def test_edits_of_a_real_interview(shared_data):
    """A minimum share of each kind has to be found, and few unchanged claims may be rejected."""
    folder = shared_data / "sets"
    if not (folder / "interview_with_facts.json").is_file():
        pytest.skip(f"no interview in {folder}")
    from planted import Edit, planted_claims, read_interview

    interview = read_interview(folder)
    planted = planted_claims(interview)
    result = FaithfulnessValidator(policies={"first_name": "synthetic"}).validate(
        persona={"first_name": interview.speaker, "facts": [each.text for each in planted]},
        source_data=interview.text,
    )
    statuses = {each.details.path: each.status for each in result.claim_details}
    found: dict[Edit, list[bool]] = {}
    for place, each in enumerate(planted):
        found.setdefault(each.edit, []).append(statuses[f"facts[{place}]"] is not ClaimStatus.SUPPORTED)
    assert sum(found[Edit.NONE]) <= 0.05 * len(found[Edit.NONE])
    for edit, least in ((Edit.NUMBER, 0.95), (Edit.NEGATION, 0.9), (Edit.NAME, 0.9), (Edit.INVENTED, 0.95)):
        assert sum(found[edit]) >= least * len(found[edit]), edit
