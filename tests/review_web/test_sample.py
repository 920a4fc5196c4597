"""The sample queue is worth looking at."""

import asyncio
import subprocess
import sys
from pathlib import Path

from groundwire.review import ReviewQueue

SCRIPT = Path(__file__).resolve().parents[2] / "examples" / "review_queue.py"


def test_the_sample_has_ten_claims_and_every_mark(tmp_path):
    """Of three people: hedges, citations in all three states, a conflict, and plain doubt."""
    database = str(tmp_path / "review.db")
    subprocess.run([sys.executable, str(SCRIPT), database], check=True, capture_output=True)
    with ReviewQueue(store=database, reviewers=("rita",)) as queue:
        waiting = asyncio.run(queue.find("rita"))
    assert len(waiting) >= 10
    assert len({one.user_id for one in waiting}) == 3
    assert {cited.status for one in waiting for cited in one.citations} == {"verified", "refuted", "unknown"}
    assert any(one.conflicting_memory_id for one in waiting)
    assert any(one.hedges for one in waiting)
    assert any(one.checks_failed == ("ungrounded",) for one in waiting)
