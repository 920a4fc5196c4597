"""Only a decision record with a status known to be in force verifies a claim, in any layout (ruling C11)."""

import asyncio
import itertools
import os
import signal
import sys
import threading
from collections.abc import Callable
from io import BufferedReader

import pytest

from groundwire.files import FolderFile
from groundwire.ingestion import Citation, CitationType, CitationVerifier
from groundwire.ingestion.verification.adr import AdrVerifier
from groundwire.ingestion.verification.deadline import Deadline
from waits import eventually

ENDED = (
    *(
        "Superseded",
        "Superseded by ADR-5",
        "Superseded by [ADR-5](0005-b.md)",
        "Replaced by ADR-5",
        "Replaced",
        "Abandoned",
    ),
    *("Cancelled", "Canceled", "Retired", "Withdrawn", "Rejected", "Deprecated", "Obsolete", "Revoked", "Declined"),
    *(
        "Expired",
        "Accepted, then superseded by ADR-5",
        "Accepted 2020, deprecated 2023",
        "no longer accepted",
        "Inactive",
    ),
    *("No longer in force", "Rescinded", "Reverted", "Outdated", "Superceded"),
)
OPEN = (
    *(
        "Proposed",
        "Draft",
        "In review",
        "Under discussion",
        "Pending",
        "On hold",
        "WIP",
        "RFC",
        "Deferred",
        "Open",
        "TBD",
    ),
    *("Not yet accepted", "To be approved", "Pending approval", "Not approved", "Will be adopted if approved"),
    *("Accepted?", "should be accepted", "Awaiting approval, may be accepted"),
)
UNKNOWN = ("Purple", "???", "n/a", "42", "see below", "-", "Frozen by Bob", "待定", "неизвестно")
ABROAD_NOT_IN_FORCE = (
    "Abgelehnt",
    "Ersetzt durch ADR-5",
    "Veraltet",
    "Vorgeschlagen",
    "Remplacé par ADR-5",
    "Obsolète",
)
ABROAD_NOT_IN_FORCE += (
    "Rechazado",
    "Reemplazado por ADR-5",
    "Отклонено",
    "Заменено",
    "已废弃",
    "被 ADR-5 取代",
    "草稿",
    "未批准",
    "廃止",
)
IN_FORCE = (
    *(
        "Accepted",
        "Approved",
        "Active",
        "Adopted",
        "Implemented",
        "Decided",
        "Accepted, supersedes ADR-1",
        "accepted (2024-02-03)",
    ),
    *(
        "Accepted by the platform team",
        "In force",
        "Final",
        "Akzeptiert",
        "Genehmigt",
        "Accepté",
        "Aceptado",
        "Принято",
    ),
    *("已接受", "承認"),
)

LAYOUTS: dict[str, Callable[[str], str]] = {
    "front matter": lambda status: f"---\ntitle: A\nstatus: {status}\n---\n# A\n\nWe use B.\n",
    "front matter, quoted": lambda status: f'---\nstatus: "{status}"\n---\n# A\n',
    "front matter, list": lambda status: f"---\nstatus:\n  - {status}\ndate: 2024\n---\n# A\n",
    "front matter, block": lambda status: f"---\nstatus: >\n  {status}\n---\n# A\n",
    "front matter, dots": lambda status: f"---\nstatus: {status}\n...\n# A\n",
    "line": lambda status: f"# A\n\nStatus: {status}\n\nWe use B.\n",
    "line, full-width colon": lambda status: f"# A\n\nStatus：{status}\n",
    "line with a dash": lambda status: f"# A\n\nStatus - {status}\n",
    "line with a long dash": lambda status: f"# A\n\nStatus — {status}\n",
    "line with an arrow": lambda status: f"# A\n\nStatus → {status}\n",
    "capitals": lambda status: f"# A\n\nSTATUS : {status.upper()}\n",
    "star list": lambda status: f"# A\n\n* Status: {status}\n* Date: 2024\n",
    "dash list": lambda status: f"# A\n\n- **Status:** {status}\n- **Date:** 2024\n",
    "bold label": lambda status: f"# A\n\n**Status**: {status}\n",
    "bold all": lambda status: f"# A\n\n**Status: {status}**\n",
    "emphasis": lambda status: f"# A\n\nStatus: *{status}*\n",
    "code": lambda status: f"# A\n\nStatus: `{status}`\n",
    "quoted line": lambda status: f"# A\n\n> Status: {status}\n",
    "full stop": lambda status: f"# A\n\nStatus: {status}.\n",
    "trailing blanks": lambda status: f"# A\n\nStatus:   {status}   \t\n",
    "field of reStructuredText": lambda status: f"A\n=\n\n:Status: {status}\n:Date: 2024\n",
    "AsciiDoc attribute": lambda status: f"= A\n:status: {status}\n",
    "AsciiDoc definition": lambda status: f"= A\n\nStatus:: {status}\n",
    "HTML": lambda status: f"# A\n\n<b>Status:</b> <span>{status}</span>\n",
    "line after": lambda status: f"# A\n\nStatus:\n{status}\n\nWe use B.\n",
    "line after, bold": lambda status: f"# A\n\n**Status**:\n\n{status}\n",
    "line after, list": lambda status: f"# A\n\n- Status:\n  - {status}\n",
    "other label": lambda status: f"# A\n\nDecision status: {status}\n",
    "heading": lambda status: f"# A\n\n## Status\n\n{status}\n\n## Context\n\nNone.\n",
    "heading, next line": lambda status: f"# A\n## Status\n{status}\n## Context\n",
    "heading, numbered": lambda status: f"# A\n\n## 2. Status\n\n{status}\n",
    "heading, closed": lambda status: f"# A\n\n## Status ##\n\n{status}\n",
    "heading, bold": lambda status: f"# A\n\n## **Status**\n\n_{status}_\n",
    "heading with the status": lambda status: f"# A\n\n## Status: {status}\n\n## Context\n",
    "underlined heading": lambda status: f"A\n=\n\nStatus\n------\n\n{status}\n\nContext\n-------\n\nNone.\n",
    "AsciiDoc heading": lambda status: f"= A\n\n== Status\n\n{status}\n",
    "Windows": lambda status: f"\ufeff# A\r\n\r\n## Status\r\n\r\n{status}\r\n",
    "old Mac": lambda status: f"# A\r\r## Status\r\r{status}\r",
    "table row": lambda status: f"# A\n\n| Status | {status} |\n| Date | 2024 |\n",
    "table row, bold": lambda status: f"# A\n\n| **Status** | **{status}** |\n",
    "table row, later cell": lambda status: f"# A\n\n| Date | 2024 | Status | {status} |\n",
    "table column": lambda status: f"# A\n\n| Status | Date |\n|---|---|\n| {status} | 2024 |\n",
    "table column, later": lambda status: f"# A\n\n| Date | Status |\n| :-- | --: |\n| 2024 | {status} |\n",
    "struck through before": lambda status: f"# A\n\nStatus: ~~Accepted~~ {status}\n",
    "deleted before": lambda status: f"# A\n\nStatus: <del>Accepted</del> {status}\n",
    "in a comment before": lambda status: f"# A\n\n## Status\n\n<!-- Accepted | Approved -->\n{status}\n",
    "behind much text": lambda status: "# A\n\n" + "We use B.\n" * 500 + f"\nStatus: {status}\n",
}


def code_of(folder, text: str) -> str:
    """Return the code of a record with *text*."""
    (folder / "ADR-001-a.md").write_bytes(text.encode("utf-8"))
    return AdrVerifier([folder]).verify_ids(["1"])[0].code.value


def test_no_other_status_verifies(tmp_path, attack):
    """Ended, open and unknown statuses verify no claim in any layout."""
    for status in (*ENDED, *OPEN, *UNKNOWN, *ABROAD_NOT_IN_FORCE):
        for layout, write in LAYOUTS.items():
            with attack.attempt(f"{status}, {layout}"):
                assert code_of(tmp_path, write(status)) == "adr_not_in_force"


def test_statuses_in_force_verify(tmp_path, attack):
    """The rules do not simply refuse everything."""
    for status in IN_FORCE:
        for layout, write in LAYOUTS.items():
            with attack.attempt(f"{status}, {layout}"):
                assert code_of(tmp_path, write(status)) == "adr_found"


def test_a_status_beside_another(tmp_path, attack):
    """If a record has several statuses, all of them have to be in force, wherever they are."""
    for first, write_first in LAYOUTS.items():
        for status in ("Superseded by ADR-5", "Proposed", "Purple"):
            for second in ("line", "heading", "table row"):
                with attack.attempt(f"Accepted as {first}, {status} as {second}"):
                    text = f"{write_first('Accepted')}\n\n{LAYOUTS[second](status)}"
                    assert code_of(tmp_path, text) == "adr_not_in_force"


def test_lines_that_end_a_record(tmp_path, attack):
    """A note at the top, or the key of a successor, ends a record."""
    lines = (
        *("> Superseded by ADR-5", "**Deprecated**", "_Replaced by [ADR-5](0005-b.md)_", "superseded-by: ADR-5"),
        *(
            "Superseded by: ADR-5",
            "replaced_by: [ADR-5]",
            "| Superseded by | ADR-5 |",
            "Retired on 2024-01-01",
            "⚠️ Withdrawn",
        ),
    )
    for line in lines:
        for layout, write in LAYOUTS.items():
            if not layout.startswith(("front", "Ascii")):
                with attack.attempt(f"{line}, {layout}"):
                    assert code_of(tmp_path, f"{line}\n\n{write('Accepted')}") == "adr_not_in_force"


def test_a_struck_through_status_does_not_count(tmp_path, attack):
    """A struck-through status and a status in a comment do not count."""
    for old in ENDED:
        for mark in ("~~{}~~", "<del>{}</del>", "<s>{}</s>", "<!-- {} -->"):
            with attack.attempt(f"{old} as {mark}"):
                assert code_of(tmp_path, f"# A\n\nStatus: {mark.format(old)} Accepted\n") == "adr_found"


# These records take long to read, and each number has several files.
LONG = {
    "many statements": ("status: accepted\n" * 3_800, 1),
    "many files of one number": ("status: accepted\n" * 3_800, 16),
    "many sections": ("# Status\naccepted\n" * 3_400, 1),
    "one long section": ("# Status\n" + "accepted\n" * 7_000, 1),
    "many tables": ("|Status|Date|\n|-|-|\n|accepted|2024|\n\n" * 1_500, 1),
    "many mentions": ("the status is known\n" * 3_200, 1),
    "many notes": ("Superseded records are kept elsewhere\n" * 1_700, 1),
    "empty": ("", 1),
}
# The caller disconnects while this file is read.
_LAST_FILE = 3
ENDS = {"cancelled task": asyncio.CancelledError, "Ctrl-C": KeyboardInterrupt}


class Watched(Deadline):
    """A deadline that counts how often the work checks it after it expired: each check is one step of work."""

    def __init__(self, *times: float) -> None:
        super().__init__(*times)
        Watched.newest, self.late_steps = self, 0

    def left_s(self) -> float:
        left = super().left_s()
        self.late_steps += not left
        return left


class Reading:
    """Reads files as usual and counts them; holds the last one until the caller has disconnected."""

    def __init__(self) -> None:
        self.files, self.at_last = 0, threading.Event()
        self._open = FolderFile.open

    def __call__(self, file: FolderFile) -> BufferedReader:
        self.files += 1
        if self.files == _LAST_FILE:
            self.at_last.set()
            eventually(super(Watched, Watched.newest).left_s, 0.0)
        return self._open(file)


async def verify(verifier: CitationVerifier, citations: list[Citation], stop: str, reading: Reading) -> set[str]:
    """Verify *citations*, and disconnect in the middle; return the codes. A time-out needs no help."""
    waiting = asyncio.create_task(verifier.verify_many(citations))
    while stop != "time-out" and not reading.at_last.is_set():
        await asyncio.sleep(0.001)
    if stop == "Ctrl-C":
        os.kill(os.getpid(), signal.SIGINT)
    elif stop == "cancelled task":
        waiting.cancel()
    return {each.code.value for each in await waiting}


def working() -> int:
    """Return the number of threads that verify something."""
    return sum(thread.name == "groundwire-verify" for thread in threading.enumerate())


@pytest.mark.skipif(sys.platform == "win32", reason="this system has no SIGINT")
@pytest.mark.parametrize("stop", ["time-out", *ENDS])
def test_nothing_is_read_for_a_disconnected_caller(tmp_path, attack, monkeypatch, stop):
    """With hundreds of long records, the work ends at its next step and reads no other file."""
    monkeypatch.setattr("groundwire.ingestion.verification.deadline.Deadline", Watched)
    timeout_s = 0.5 if stop == "time-out" else 3_600
    for name, (text, files) in LONG.items():
        numbers = range(600 // files)
        folder = tmp_path / name
        folder.mkdir()
        for number, file in itertools.product(numbers, range(files)):
            (folder / f"ADR-{number}-{file}.md").write_text(text, encoding="utf-8")
        citations = [Citation(CitationType.ADR, str(number), 0, 1) for number in numbers]
        verifier = CitationVerifier(adr_dirs=[folder], timeout_s=timeout_s)
        reading = Reading()
        with monkeypatch.context() as patch, attack.attempt(f"{name}, {stop}"):
            patch.setattr(FolderFile, "open", lambda file, reading=reading: reading(file))
            if stop == "time-out":
                assert asyncio.run(verify(verifier, citations, stop, reading)) == {"timed_out"}
            else:
                with pytest.raises(ENDS[stop]):
                    asyncio.run(verify(verifier, citations, stop, reading))
            eventually(working, 0)
            assert reading.files <= _LAST_FILE
            assert Watched.newest.late_steps == 1
