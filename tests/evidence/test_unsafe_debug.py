"""The debug file of rejected quotes: off by default, private to its owner, with a warning (ruling A16)."""

import json
import logging
import os
import stat

import pytest

from groundwire.evidence import EvidenceGroundingError, EvidenceSettings, FailureRecorder, ground_extraction
from log_fields import fields_of

pytestmark = pytest.mark.usefixtures("bare_environment")

TRANSCRIPT = "I can't sleep at night."
EVIDENCE = {"PHQ8_Sleep": ["sleep", "zyxwhale \ud800\n"], "PHQ8_Tired": ["zyxwhale"]}
LINES = [
    {"participant_id": 300, "domain": "PHQ8_Sleep", "quote": "zyxwhale \ud800\n"},
    {"participant_id": 300, "domain": "PHQ8_Tired", "quote": "zyxwhale"},
]


def ground(path, evidence=None, **options):
    """Ground with the debug file on."""
    settings = EvidenceSettings(evidence_quote_unsafe_debug_path=path, **options)
    return ground_extraction(evidence or EVIDENCE, TRANSCRIPT, settings=settings, participant_id=300)


def mode_of(path) -> int:
    """Return the permission bits of a file."""
    return stat.S_IMODE(path.stat().st_mode)


def test_by_default_no_file_is_written(bare_environment):
    """Ruling A16: the default settings write no file."""
    ground_extraction(EVIDENCE, TRANSCRIPT, settings=EvidenceSettings())
    assert list(bare_environment.iterdir()) == []


def test_rejected_quotes_are_lines_of_the_file(tmp_path):
    """Ruling A16: participant, domain and text of each rejected quote, appended."""
    path = tmp_path / "rejected.jsonl"
    ground(path)
    ground(path)
    assert [json.loads(line) for line in path.read_bytes().splitlines()] == LINES * 2


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_the_file_is_made_for_its_owner_alone(tmp_path, umask):
    """Ruling A16: mode 0600, whatever the umask."""
    before = os.umask(umask)
    try:
        ground(tmp_path / "rejected.jsonl")
    finally:
        os.umask(before)
    assert mode_of(tmp_path / "rejected.jsonl") == 0o600


def test_a_file_that_others_may_read_is_narrowed(tmp_path):
    """Ruling A16: an existing file loses its wider mode before text is written."""
    path = tmp_path / "rejected.jsonl"
    path.touch(mode=0o644)
    path.chmod(0o664)
    ground(path)
    assert mode_of(path) == 0o600


def test_a_link_is_refused(tmp_path):
    """Ruling A16: the text does not follow a link."""
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(PermissionError, match="link"):
        ground(tmp_path / "link")
    assert not (tmp_path / "elsewhere").exists()


def test_a_path_that_is_no_file_is_refused():
    """Ruling A16: text is written to regular files only."""
    with pytest.raises(PermissionError, match="not a regular file"):
        ground("/dev/null")


def test_another_users_file_is_refused(tmp_path, monkeypatch):
    """Ruling A16: a file of another user is not written."""
    path = tmp_path / "rejected.jsonl"
    path.touch()
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)
    with pytest.raises(PermissionError, match="another user"):
        ground(path)
    assert path.read_bytes() == b""


@pytest.mark.parametrize("log_rejections", [True, False])
def test_each_writing_is_a_warning_without_text(tmp_path, caplog, log_rejections):
    """Ruling A16: the warning comes even if rejections are not logged."""
    ground(tmp_path / "rejected.jsonl", evidence_quote_log_rejections=log_rejections)
    warning = caplog.records[-1]
    assert (warning.levelno, warning.msg) == (logging.WARNING, "evidence_unsafe_debug_written")
    assert fields_of(warning) == {"quote_count": 2, "setting": "evidence_quote_unsafe_debug_path"}


def test_nothing_rejected_writes_nothing(tmp_path, caplog):
    """Without a rejected quote there is neither file nor warning."""
    ground(tmp_path / "rejected.jsonl", {"a": ["sleep"]})
    assert (list(tmp_path.iterdir()), caplog.records) == ([], [])


def test_strict_mode_writes_before_it_raises(tmp_path):
    """Ruling A16: the file shows the quotes of the failure."""
    with pytest.raises(EvidenceGroundingError):
        ground(tmp_path / "rejected.jsonl", {"a": ["zyxwhale"]}, evidence_quote_fail_on_all_rejected=True)
    assert (tmp_path / "rejected.jsonl").read_bytes().count(b"\n") == 1


def test_a_refused_file_does_not_lose_the_failure_event():
    """Rulings A14 and A16: the event is recorded before the file is written."""
    failures = FailureRecorder()
    settings = EvidenceSettings(evidence_quote_unsafe_debug_path="/dev/null")
    with pytest.raises(PermissionError):
        ground_extraction({"a": ["zyxwhale"]}, TRANSCRIPT, settings=settings, failures=failures)
    assert len(failures.events) == 1
