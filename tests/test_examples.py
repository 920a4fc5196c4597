"""The sample in examples/ has enough variety, and agrees with the documentation."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from groundwire.report import QuoteEntry, TranscriptFile, build_report

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
TEXT = (EXAMPLES / "interview.txt").read_text(encoding="utf-8")
EXTRACTION = json.loads((EXAMPLES / "extraction.json").read_text(encoding="utf-8"))


def test_the_transcript_has_enough_variety():
    """It has enough turns, tags, curly quotes and unusual white space to show normalisation."""
    assert 60 <= len(re.findall(r"^[A-Z]\w+: ", TEXT, re.M)) <= 100
    assert {"’", "“", "\xa0", "\t"} <= set(TEXT)
    assert "<laughter>" in TEXT


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("substring", {"exact": 4, "normalized": 9, "absent": 8, "blank": 1}),
        ("fuzzy", {"exact": 4, "normalized": 9, "fuzzy": 5, "absent": 3, "blank": 1}),
    ],
)
def test_sample_shows_every_verdict(mode, expected):
    """Each verdict has its expected number of quotes."""
    quotes = [QuoteEntry(quote, domain) for domain, quotes in EXTRACTION.items() for quote in quotes]
    report = build_report([TranscriptFile("interview.txt", TEXT)], quotes, mode=mode)
    assert Counter(result.status for result in report.quotes) == expected


def make_repository(folder, **environment):
    """Run the script of the sample with *environment*."""
    script = EXAMPLES / "memory" / "make_repository.py"
    command = [sys.executable, str(script), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})


def test_repository_is_the_same_whoever_makes_it(tmp_path):
    """The commit ids that the sample cites do not depend on settings, names or clocks."""
    settings = tmp_path / "settings"
    settings.write_text("[core]\n\tautocrlf = true\n[init]\n\tdefaultObjectFormat = sha256\n", encoding="utf-8")
    mine = {"GIT_CONFIG_GLOBAL": str(settings), "GIT_AUTHOR_NAME": "Somebody", "GIT_DEFAULT_HASH": "sha256"}
    folder = tmp_path / "new" / "repository"
    assert make_repository(folder, **mine).returncode == 0
    before = sorted(path.name for path in folder.parent.iterdir())
    assert make_repository(folder).returncode == 0
    assert sorted(path.name for path in folder.parent.iterdir()) == before == ["repository"]
    log = subprocess.run(
        ["git", "-C", str(folder), "log", "--format=%h %s"], capture_output=True, text=True, check=True
    )
    assert "Fix the sign of levels below chart datum" in log.stdout
    cited = re.search(r"Commit ([0-9a-f]{8}) fixed", (EXAMPLES / "memory" / "claims.jsonl").read_text(encoding="utf-8"))
    assert cited[1][:7] in log.stdout


def test_another_folder_is_left_alone(tmp_path):
    """An existing folder with other content stays unchanged."""
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    done = make_repository(tmp_path)
    assert done.returncode == 2
    assert "error: no repository in" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
