"""The tables of quality: ranks counted by hand, and the command on a very small set."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import groundwire

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "benches" / "quality"
# The tested package, wherever it is installed.
ENVIRONMENT = {"PYTHONWARNINGS": "ignore", "PYTHONPATH": str(Path(groundwire.__file__).parents[1])}


@pytest.fixture(scope="module", autouse=True)
def scripts():
    """Put the folder of the command on the import path."""
    sys.path.append(str(SCRIPTS))
    yield
    sys.path.remove(str(SCRIPTS))


CASES = st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=2, max_size=12).filter(
    lambda cases: len({good for _, good in cases}) == 2
)


@given(CASES)
def test_the_area_is_the_share_of_pairs_in_order(cases):
    """It is the share of pairs of a good and a bad case in the right order; a tie counts half."""
    from groundwire.calibration.support import area_under_curve

    scores, are_good = np.array([float(score) for score, _ in cases]), np.array([good for _, good in cases])
    pairs = [(one, other) for one, good in cases if good for other, bad in cases if not bad]
    expected = sum((one > other) + (one == other) / 2 for one, other in pairs) / len(pairs)
    assert area_under_curve(scores, are_good) == pytest.approx(expected)


def test_a_score_gains_nothing_on_itself():
    """Both samples have the same cases."""
    from ranking import Area, Ranking, gain

    ranking = Ranking.of([True, False, True], [0, 0, 1])
    assert gain(ranking, [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]) == Area(0.0, 0.0, 0.0)


def test_groups_are_drawn_together():
    """Copies of a case within its group do not narrow the interval."""
    from ranking import Ranking, areas

    good, scores, groups = [True, False, True, False], [4.0, 3.0, 1.0, 2.0], [0, 1, 2, 3]
    once = areas(Ranking.of(good, groups), scores)
    many = areas(Ranking.of(good * 50, groups * 50), scores * 50)
    assert once == many
    assert (once.low, once.high) == (0.0, 1.0)


def test_a_threshold_is_measured_on_the_other_half():
    """A threshold is chosen on one half and measured on the other."""
    from ranking import Ranking, balanced_accuracy

    good = [True, False, True, False]
    assert balanced_accuracy(Ranking.of(good, [0, 0, 1, 1]), [2, 1, 2, 1]) == 1.0
    assert balanced_accuracy(Ranking.of(good, [0, 0, 1, 1]), [2, 1, 1, 2]) == 0.25


def test_containment_counts_whole_words_of_content():
    """Citations and common words do not count."""
    from plain import containment

    assert containment("The tower [2] is 330 metres tall.", ["A tower of 2 metres", "tall trees"]) == 3 / 4
    assert containment("It is so [1].", ["It is so"]) == 0.0


@pytest.fixture
def sets(tmp_path):
    """Return a folder with a few lines of each set."""
    page = "https://example.org/tower\n\nThe tower is 330 metres tall. It was completed in March 1889 after two years. "
    page += "Its lifts carry visitors to three levels every day. " * 8
    claims = [
        ("eq0001_x_0", "The tower is 330 metres tall [1].", f"[1] {page}", "Complete"),
        ("eq0001_x_1", "The tower was moved to Rome [1].", f"[1] {page}", "Incomplete"),
        ("eq0002_x_0", "It was completed in March 1889 [1].", f"[1] {page}", "Complete"),
        ("eq0002_x_1", "Nobody knows who painted it in green.", None, "Missing"),
        ("eq0003_x_0", "Not judged by anybody at all [1].", f"[1] {page}", "N/A"),
    ]
    rows = [
        {"id": name, "claim": claim, "evidence": [evidence] if evidence else [], "support": support}
        for name, claim, evidence, support in claims
    ]
    answers = [
        {
            "id": f"eq000{number}_x",
            "answer": " ".join(row["claim"] for row in rows if row["id"].startswith(f"eq000{number}")),
            "attribution": ["[1] https://example.org/tower"],
            "claim_ids": [row["id"] for row in rows if row["id"].startswith(f"eq000{number}")],
        }
        for number in (1, 2, 3)
    ]
    documents = [{"doc_id": name, "text": page} for name in ("d0", "d1")]
    summaries = [
        {"summary": text, "doc_id": name, "label": label}
        for name in ("d0", "d1")
        for text, label in (("The tower is 330 metres tall.", 1), ("The tower is 230 metres tall.", 0))
    ]
    for name, lines in (
        ("expertqa_claims", rows),
        ("expertqa_answers", answers),
        ("summedits", summaries),
        ("summedits_docs", documents),
    ):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return tmp_path


def test_the_command_puts_its_tables_into_a_page(sets):
    """The rows follow from the few lines, and the rest of the page stays."""
    page = sets / "page.md"
    begin, end = "<!-- table: python benches/quality/citations.py -->\n", "<!-- end of table -->\n"
    page.write_text(f"before\n{begin}old\n{end}after\n", encoding="utf-8")
    subprocess.run(
        [sys.executable, str(SCRIPTS / "citations.py"), "--sets", str(sets), "-o", str(page)],
        check=True,
        capture_output=True,
        env=ENVIRONMENT,
    )
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{begin}")
    assert text.endswith(f"{end}after\n")
    assert "old" not in text
    assert "| with a passage | 2 of 3 | 1.000" in text
    assert "precision 100.0 % (34.2–100.0; 2/2), recall 100.0 % (34.2–100.0; 2/2)" in text
    assert "330 metres" not in text


def test_a_page_without_markers_is_not_changed(sets):
    """The tables go only between the markers."""
    page = sets / "page.md"
    page.write_text("nothing here\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(SCRIPTS / "citations.py"), "--sets", str(sets), "-o", str(page)],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
    )
    assert (done.returncode, done.stderr) == (1, "the page has no place for the tables\n")
    assert page.read_text(encoding="utf-8") == "nothing here\n"
