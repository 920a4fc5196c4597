"""`groundwire check` with PDFs: images of their pages in the HTML report, and annotated copies."""

import os
import re
import stat

import pytest

pytest.importorskip("pypdf")
pytest.importorskip("pypdfium2")

import pypdf

from documents.pdfs import lines_at, make_pdf

STUDY = make_pdf(
    lines_at(50, 700, ["We asked everybody in town how they", "sleep at night."]),
    lines_at(50, 700, ["Nobody knew why."]),
)
LETTER = make_pdf(lines_at(50, 700, ["He rings every Sunday."]))
QUOTES = [
    {"quote": "how they sleep at night", "domain": "Sleep", "id": "a1"},
    {"quote": "Nobody knew how."},
    {"quote": "He rings every Sunday."},
    {"quote": "We have never been to the sea, not once in our lives"},
]


@pytest.fixture
def folder(write, tmp_path):
    """Two PDFs, a text, and quotes of them."""
    (tmp_path / "study.pdf").write_bytes(STUDY)
    (tmp_path / "letter.pdf").write_bytes(LETTER)
    (tmp_path / "talk.txt").write_text("Anna: I never sleep.\n", encoding="utf-8")
    write("quotes.json", QUOTES)
    return tmp_path


def notes(path):
    """Return page, subject and text of each note of a PDF."""
    return [
        (number, each.get_object()["/Subj"], each.get_object()["/Contents"])
        for number, page in enumerate(pypdf.PdfReader(path).pages, start=1)
        for each in page.get("/Annots", [])
    ]


def test_a_report_has_images_of_pages(run, folder):
    """Of each page with a verdict; the text of the report says which."""
    code, _, errors = run("check", "study.pdf", "letter.pdf", "talk.txt", "-q", "quotes.json", "-o", "out.html")
    html = (folder / "out.html").read_text(encoding="utf-8")
    assert (code, errors) == (1, "")
    assert html.count('<img src="data:image/png;base64,') == 3
    assert "2 of 2 pages shown: those with a verdict." in html
    assert 'class="on-page" href="#t1-p1-q1">page 1</a>' in html


@pytest.mark.parametrize(
    ("limit", "images", "said"),
    [
        (("--page-images", "1"), 1, "1 more page with a verdict left out"),
        (("--page-images", "0"), 0, ""),
        (("--page-images-mib", "1"), 3, ""),
    ],
)
def test_images_have_limits(run, folder, limit, images, said):
    """What they leave out is said."""
    run("check", "study.pdf", "letter.pdf", "-q", "quotes.json", "-o", "out.html", *limit)
    html = (folder / "out.html").read_text(encoding="utf-8")
    assert html.count("<img ") == images
    assert said in html


@pytest.mark.usefixtures("folder")
def test_limits_are_whole_numbers(run):
    """A wrong value is one clear line."""
    code, _, errors = run("check", "study.pdf", "-q", "quotes.json", "--page-images", "-1")
    assert (code, errors) == (2, "error: --page-images must be at least 0, got -1\n")


def test_the_same_input_gives_the_same_report(run, folder):
    """To the byte, images included; and so does a copy with notes."""
    found = []
    for _ in range(2):
        run("check", "study.pdf", "-q", "quotes.json", "-o", "out.html", "--annotate", "copy.pdf")
        found.append(((folder / "out.html").read_bytes(), (folder / "copy.pdf").read_bytes()))
    assert found[0] == found[1]


def test_a_copy_has_a_note_for_each_found_quote(run, folder):
    """Status, domain, id and reasons; an absent quote has none, and the original stays."""
    code, _, errors = run("check", "study.pdf", "-q", "quotes.json", "--annotate", "copy.pdf")
    assert (code, errors) == (1, "")
    assert (folder / "study.pdf").read_bytes() == STUDY
    assert (folder / "copy.pdf").read_bytes().startswith(STUDY)
    first, second = notes(folder / "copy.pdf")
    assert first[:2] == (1, "quote 1")
    assert first[2].split("\n")[:3] == ["quote 1: normalized, accepted", "domain: Sleep", "id: a1"]
    assert second[:2] == (2, "quote 2")
    assert second[2].startswith("quote 2: altered, not accepted\n")


@pytest.mark.skipif(os.name == "nt", reason="modes are those of POSIX")
def test_a_copy_is_private(run, folder):
    """As a report is, because it quotes private text."""
    run("check", "study.pdf", "-q", "quotes.json", "--annotate", "copy.pdf")
    assert stat.S_IMODE((folder / "copy.pdf").stat().st_mode) == 0o600


def test_copies_of_several_pdfs_go_to_a_folder(run, folder):
    """Each keeps its name, texts have none."""
    (folder / "out").mkdir()
    run("check", "study.pdf", "letter.pdf", "talk.txt", "-q", "quotes.json", "--annotate", "out")
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["letter.pdf", "study.pdf"]
    assert [subject for _, subject, _ in notes(folder / "out/letter.pdf")] == ["quote 3"]


@pytest.mark.parametrize(
    ("sources", "target", "message"),
    [
        (["study.pdf", "letter.pdf"], "copy.pdf", "error: --annotate `copy.pdf` is one file for 2 PDFs"),
        (["talk.txt"], "copy.pdf", "error: --annotate requires a PDF among the sources"),
        (["study.pdf"], "study.pdf", "error: cannot write `study.pdf`: it is one of the inputs"),
        (["study.pdf"], ".", "error: cannot write `study.pdf`: it is one of the inputs"),
        (["study.pdf"], "no/copy.pdf", "error: cannot write `no/copy.pdf`: there is no directory `no`"),
        (["study.pdf", "more/study.pdf"], "out", "error: --annotate: 2 sources are called `study.pdf`"),
    ],
)
def test_copies_that_cannot_be_written(run, folder, sources, target, message):
    """One line says why, and no input is lost."""
    for name in ("out", "more"):
        (folder / name).mkdir()
    (folder / "more/study.pdf").write_bytes(LETTER)
    code, output, errors = run("check", *sources, "-q", "quotes.json", "--annotate", target)
    assert (code, output) == (2, "")
    assert errors.startswith(message)
    assert (folder / "study.pdf").read_bytes() == STUDY


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("target", ["copy.pdf", "./copy.pdf", "-"])
def test_a_copy_has_a_file_of_its_own(run, target):
    """It would replace the report."""
    result = run("check", "study.pdf", "-q", "quotes.json", "-o", "copy.pdf", "--annotate", target)
    assert result == (2, "", "error: --annotate must name a separate file\n")


def test_a_pdf_from_standard_input_needs_a_file(run, folder):
    """It has no name to keep in a folder."""
    (folder / "out").mkdir()
    code, _, errors = run("check", "-", "-q", "quotes.json", "--annotate", "out", stdin=STUDY)
    assert (code, errors) == (2, "error: --annotate needs a file, not a folder, for a PDF from standard input\n")
    run("check", "-", "-q", "quotes.json", "--annotate", "copy.pdf", stdin=STUDY)
    assert len(notes(folder / "copy.pdf")) == 2


@pytest.mark.usefixtures("folder")
def test_an_encrypted_pdf_is_not_annotated(run, tmp_path):
    """The report is there all the same."""
    writer = pypdf.PdfWriter(clone_from=tmp_path / "study.pdf")
    writer.encrypt(user_password="", owner_password="secret", algorithm="RC4-128")
    writer.write(tmp_path / "locked.pdf")
    code, output, errors = run("check", "locked.pdf", "-q", "quotes.json", "--annotate", "copy.pdf")
    assert code == 2
    assert output.startswith("#1")
    assert errors == (
        "error: `locked.pdf` is an encrypted PDF, to which notes cannot be added\n"
        "hint: save a copy without encryption first\n"
    )
    assert not (tmp_path / "copy.pdf").exists()


@pytest.mark.usefixtures("folder")
def test_the_report_of_a_terminal_has_the_page_of_a_nearest_passage(run):
    """So that a person finds it in the PDF."""
    _, output, _ = run("check", "study.pdf", "-q", "quotes.json")
    assert re.search(r"nearest, not accepted: study\.pdf:\d+:\d+, page [12], score", output)
