"""Decision records in real folders: numbers, inactive records, and files outside (ruling C11)."""

import asyncio
import os
from pathlib import Path

import pytest

from groundwire.files import FolderFile
from groundwire.ingestion.citation_detector import Citation, CitationType
from groundwire.ingestion.verification import adr
from groundwire.ingestion.verification.adr import AdrVerifier, is_active_decision
from groundwire.ingestion.verification.deadline import Deadline, DeadlineExpiredError
from groundwire.ingestion.verification.protocol import VerificationStatus


def look_up(folders, *ids: str) -> list[str]:
    """Return the codes of *ids* in *folders*."""
    return [each.code.value for each in AdrVerifier(folders).verify_ids(ids)]


def write(folder: Path, name: str, text: str = "# A decision\n\nStatus: Accepted\n") -> Path:
    """Write a file into *folder*."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "name",
    [
        "ADR-003-storage.md",
        "ADR-3.md",
        "adr-0003-storage.md",
        "adr_3_storage.md",
        "ADR 003 storage.markdown",
        "0003-storage.md",
        "003_storage.rst",
        "3.storage.adoc",
        "adr003.txt",
        "ADR-003-2024-01-15.md",
    ],
)
def test_numbers_are_compared_as_integers(tmp_path, name):
    """Ruling C11: leading zeros do not count, in file names and in claims."""
    write(tmp_path, name)
    assert look_up([tmp_path], "3", "003", "0003", "30", "4") == ["adr_found"] * 3 + ["adr_not_found"] * 2


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("2024-01-15-storage.md", id="a-date"),
        pytest.param("notes-on-ADR-2024.md", id="about-a-record"),
        pytest.param("ADR-2024-storage.md.orig", id="another-ending"),
        pytest.param("ADR-2024-storage.png", id="a-picture"),
        pytest.param("ADR-2024storage.md", id="no-end-of-the-number"),
        pytest.param("ADR-20240000000000000.md", id="a-number-without-end"),
    ],
)
def test_other_files_are_no_records(tmp_path, name):
    """A file's name has to begin with the number."""
    write(tmp_path, name)
    assert look_up([tmp_path], "2024") == ["adr_not_found"]


def test_results_have_status_and_the_printed_words(tmp_path):
    """The words are the specification's, with the three statuses of ruling C4."""
    write(tmp_path, "ADR-001-a.md")
    write(tmp_path, "ADR-002-b.md", "Status: Superseded by ADR-001")
    there, missing, old = AdrVerifier([tmp_path]).verify_ids(["1", "999", "2"])
    assert (there.valid, there.status, there.reason) == (True, VerificationStatus.VERIFIED, "ADR file exists")
    assert (missing.valid, missing.status, missing.reason) == (False, VerificationStatus.REFUTED, "ADR not found")
    assert (old.valid, old.status) == (False, VerificationStatus.UNKNOWN)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("---\nstatus: superseded by ADR-0005\n---\n# A", id="head"),
        pytest.param('---\nstatus: "Deprecated"\n---\n', id="head-quoted"),
        pytest.param("---\ntitle: A\nsuperseded-by: ADR-0005\n---\n", id="head-successor"),
        pytest.param("---\nsuperseded_by: [ADR-0005]\n---\n", id="head-successors"),
        pytest.param("---\nsupersededBy: ADR-0005\n---\n", id="head-in-camel-case"),
        pytest.param("Status\tSuperseded\n", id="tab"),
        pytest.param("# A\n\nStatus: Superseded\n", id="line"),
        pytest.param("# A\n\n**Status:** Deprecated\n", id="bold"),
        pytest.param("# A\n\n* Status: ~~accepted~~ superseded by [ADR-5](0005-b.md)\n", id="list"),
        pytest.param("| Status | Superseded |\n", id="table"),
        pytest.param("STATUS : DEPRECATED", id="capitals"),
        pytest.param("# A\n\n## Status\n\nSuperseded by [5. B](0005-b.md)\n\n## Context\n", id="section"),
        pytest.param("# A\n\n## Status\n\nAccepted 2020\n\nDeprecated 2023\n", id="section-with-history"),
        pytest.param("# A\n\n## 2. Status\n\nrejected\n", id="numbered-section"),
        pytest.param("A\n=\n\nStatus\n------\n\nSuperseded\n", id="underlined-section"),
        pytest.param("= A\n\n== Status\n\nWithdrawn\n", id="asciidoc"),
        pytest.param("\ufeff# A\r\n\r\n## Status\r\n\r\nSuperseded\r\n", id="windows"),
        pytest.param("# A\n\nStatus: Proposed\n", id="proposed"),
        pytest.param("# A\n\nStatus: Replaced by ADR-5\n", id="replaced"),
        pytest.param("# A\n\nStatus: Abandoned\n", id="abandoned"),
        pytest.param("# A\n\nStatus: Cancelled\n", id="cancelled"),
        pytest.param("# A\n\nStatus: Canceled\n", id="canceled"),
        pytest.param("# A\n\nStatus:\nSuperseded\n", id="line-after"),
        pytest.param("# A\n\n## Status\n\nRetired\n", id="section-retired"),
        pytest.param("| Date | Status |\n|---|---|\n| 2024 | Superseded |\n", id="table-column"),
        pytest.param("> Superseded by ADR-5\n\n# A\n", id="note-at-the-top"),
        pytest.param("# A\n\nStatus: not yet accepted\n", id="not-yet"),
        pytest.param("# A\n\nStatus: to be approved\n", id="to-be"),
        pytest.param("# A\n\nStatus: Purple\n", id="unknown-approves-nothing"),
        pytest.param("# A\n\nStatus:\n\n## Context\n", id="no-status-behind-the-label"),
        pytest.param("# A\n\nStatus: Accepted\n\n## Status\n\nRejected\n", id="two-statements"),
        pytest.param("---\nstatus: draft\n---\n# A", id="draft"),
        pytest.param("# A\n\n## Status\n\nUnder review by the platform team\n", id="under-review"),
    ],
)
def test_an_inactive_record_leads_to_review(tmp_path, text):
    """Ruling C11: superseded and deprecated records lead to review."""
    write(tmp_path, "ADR-001-a.md", text)
    assert look_up([tmp_path], "1") == ["adr_not_in_force"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("---\nstatus: accepted\n---\n", id="head"),
        pytest.param("# A\n\n## Status\n\nProposed 2024-01-02\n\nAccepted 2024-02-03\n", id="proposed-before"),
        pytest.param("# A\n\nStatus: Accepted\n\nWe keep a draft of each invoice.\n", id="draft-elsewhere"),
        pytest.param("---\nstatus: accepted\nsuperseded-by: none\n---\n", id="no-successor"),
        pytest.param("---\nsuperseded_by:\nsupersedes: ADR-0001\n---\n", id="empty-successor"),
        pytest.param("---\nsupersededBy: null\nstatus: accepted\n---\n", id="no-successor-in-camel-case"),
        pytest.param("# A\n\n## Status\n\nAccepted, supersedes ADR-0001\n\n## Context\n", id="supersedes-another"),
        pytest.param("# A\n\n## Status\n\nAccepted\n\n## Context\n\nThe old tool is deprecated.\n", id="elsewhere"),
        pytest.param("# Deprecated tools are removed\n\nStatus: Accepted\n", id="in-the-title"),
        pytest.param("# A\n\nStatus: ~~Superseded~~ Accepted\n", id="struck-through"),
        pytest.param("# A\n\n## Status\n\n<!-- Proposed | Rejected -->\nAccepted\n", id="choices-in-a-comment"),
        pytest.param("| Date | Status |\n|---|---|\n| 2024 | Accepted |\n", id="table-column"),
        pytest.param("# A\n\n## Status\n\nAccepted\n\n## Considered\n\n### Rejected\n\nB\n", id="rejected-options"),
        pytest.param("", id="empty"),
        pytest.param("no status at all, and superseded by nothing", id="no-status"),
    ],
)
def test_an_active_record_is_verified(tmp_path, text):
    """A superseded or mentioned record is another record."""
    write(tmp_path, "ADR-001-a.md", text)
    assert look_up([tmp_path], "1") == ["adr_found"]


def test_of_several_files_with_one_number_all_have_to_hold(tmp_path):
    """It is unknown which one is meant."""
    first, second = tmp_path / "a", tmp_path / "b"
    for folder in (first, second):
        folder.mkdir()
        write(folder, "ADR-001-a.md")
        write(folder, "ADR-002-b.md")
    write(second, "ADR-002-b.md", "Status: Superseded")
    assert look_up([first, second], "1", "2") == ["adr_found", "adr_not_in_force"]
    assert look_up([first], "1", "2") == ["adr_found", "adr_found"]


def test_too_many_files_of_one_number_are_not_read(tmp_path):
    """The work for one citation is limited."""
    for number in range(adr.MAX_FILES_PER_NUMBER + 1):
        write(tmp_path, f"ADR-001-{number}.md")
    assert look_up([tmp_path], "1") == ["adr_unreadable"]
    (tmp_path / "ADR-001-0.md").unlink()
    assert look_up([tmp_path], "1") == ["adr_found"]


def test_a_missing_folder_refutes_nothing(tmp_path):
    """Its records are unknown; those of another folder are verified."""
    write(tmp_path, "ADR-001-a.md")
    file = write(tmp_path, "no-folder")
    assert look_up([tmp_path, tmp_path / "missing"], "1", "2") == ["adr_found", "adr_unreadable"]
    assert look_up([file], "1") == ["adr_unreadable"]


def test_folders_inside_are_not_searched(tmp_path):
    """They contain templates and archives."""
    (tmp_path / "archive").mkdir()
    write(tmp_path / "archive", "ADR-001-a.md")
    assert look_up([tmp_path], "1") == ["adr_not_found"]


def test_a_link_out_of_the_folder_verifies_nothing(tmp_path):
    """Otherwise anybody who can write links could verify, or read, any file of the machine."""
    folder, outside = tmp_path / "adrs", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    secret = write(outside, "secret.md")
    (folder / "ADR-001-a.md").symlink_to(secret)
    (folder / "ADR-002-b.md").symlink_to("../outside/secret.md")
    (folder / "ADR-003-c.md").symlink_to("missing.md")
    (folder / "ADR-004-d.md").symlink_to("ADR-004-d.md")
    (folder / "ADR-005-e.md").symlink_to(write(folder, "ADR-006-f.md"))
    codes = look_up([folder], "1", "2", "3", "4", "5", "6")
    assert codes == ["adr_unreadable"] * 4 + ["adr_found"] * 2


def test_a_configured_folder_may_be_a_link(tmp_path):
    """The configuration is trusted."""
    folder = tmp_path / "real"
    folder.mkdir()
    write(folder, "ADR-001-a.md")
    (tmp_path / "link").symlink_to(folder)
    assert look_up([tmp_path / "link"], "1") == ["adr_found"]


def test_a_pipe_is_not_read(tmp_path):
    """A pipe without a writer does not block."""
    (tmp_path / "ADR-001-a.md").mkdir()
    os.mkfifo(tmp_path / "ADR-002-b.md")
    assert look_up([tmp_path], "1", "2") == ["adr_unreadable"] * 2


@pytest.mark.parametrize("value", ["../1", "1/../../x", "*", "1\n", "１", "-1", "", "1" * 10, "\x00"])
def test_an_id_that_is_no_number_is_not_searched(tmp_path, value):
    """A number is neither a path nor a pattern."""
    write(tmp_path, "ADR-001-a.md")
    assert look_up([tmp_path], value) == ["not_an_id"]


def test_only_the_head_of_a_file_is_read(tmp_path):
    """A record of a gigabyte costs no more than one of 64 KiB."""
    with (tmp_path / "ADR-001-a.md").open("wb") as file:
        file.truncate(1 << 30)
    assert look_up([tmp_path], "1") == ["adr_found"]


def test_an_endless_folder_refutes_nothing(tmp_path, monkeypatch):
    """The unread part may contain the record."""
    monkeypatch.setattr(adr, "MAX_ENTRIES", 3)
    for number in range(1, 6):
        write(tmp_path, f"ADR-{number}.md")
    assert look_up([tmp_path], "99") == ["adr_unreadable"]


class Counted(Deadline):
    """A deadline that expires after a number of checks."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.left = times

    def left_s(self) -> float:
        """Count one check."""
        self.left -= 1
        return float(max(0, self.left))


def test_a_deadline_ends_the_work_inside_a_record(tmp_path):
    """It is checked at each of 3,800 lines with statements, and again at each if all are valid."""
    text = "status: accepted\n" * 3_800
    write(tmp_path, "ADR-001-a.md", text)
    with pytest.raises(DeadlineExpiredError):
        AdrVerifier([tmp_path]).verify_ids(["1"], Counted(100))
    for times in (1, 100, 3_801, 7_600):
        with pytest.raises(DeadlineExpiredError):
            is_active_decision(text, Counted(times))
    assert is_active_decision(text, Counted(7_601))


def test_a_deadline_ends_the_work_between_files_and_names(tmp_path, monkeypatch):
    """It is checked for each file of a number, and for each name of the folder; later files are not read."""
    for number in range(10):
        write(tmp_path, f"ADR-001-{number}.md", "")
    names = []
    read = FolderFile.open
    monkeypatch.setattr(FolderFile, "open", lambda file: names.append(file.name) or read(file))
    # One folder with ten names, one number with ten files.
    assert AdrVerifier([tmp_path]).verify_ids(["1"], Counted(23))[0].code == "adr_found"
    assert len(names) == 10
    for times, expected in ((1, 0), (8, 0), (13, 0), (14, 1), (20, 7)):
        names.clear()
        with pytest.raises(DeadlineExpiredError):
            AdrVerifier([tmp_path]).verify_ids(["1"], Counted(times))
        assert len(names) == expected


def test_hostile_heads_take_linear_time():
    """64 KiB of any text on which the patterns could backtrack."""
    for piece in ("status ", "status:", "* ", "|", "# ", "superseded ", "\n", "status\n---\n", "_*_*"):
        assert isinstance(is_active_decision(piece * (65_536 // len(piece))), bool)


def test_one_record_at_a_time(tmp_path):
    """It follows the protocol of verifiers."""
    write(tmp_path, "ADR-001-a.md")
    verifier = AdrVerifier([str(tmp_path)])
    assert asyncio.run(verifier.verify(Citation(CitationType.ADR, "001", 0, 7))).valid
