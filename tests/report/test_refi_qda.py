"""The check report as a project of qualitative data analysis (REFI-QDA 1.5)."""

import io
import re
import zipfile
from xml.etree.ElementTree import fromstring

import pytest

from groundwire import read_transcript
from groundwire.report import QuoteEntry, TranscriptFile, build_guarded_report, build_report
from groundwire.report.check.refi_qda import render_qdpx

QDA = "{urn:QDA-XML:project:1.0}"
FIRST = "Max: I can’t sleep 😀 at night.\r\nMax: It’s been 3 weeks.\r\n"
SECOND = "Ann: Work is fine, really.\n"

# The standard's order of the elements in each element, and the attributes that it requires.
CHILDREN = {
    "Project": ["Users", "CodeBook", "Sources", "Notes", "Description", "NoteRef"],
    "Users": ["User"],
    "CodeBook": ["Codes"],
    "Codes": ["Code"],
    "Sources": ["TextSource"],
    "TextSource": ["PlainTextSelection"],
    "PlainTextSelection": ["Coding", "NoteRef"],
    "Coding": ["CodeRef"],
    "Notes": ["Note"],
    "Note": ["PlainTextContent"],
}
ATTRIBUTES = {
    "Project": {"name"},
    "User": {"guid"},
    "Code": {"guid", "name", "isCodable"},
    "TextSource": {"guid", "plainTextPath"},
    "PlainTextSelection": {"guid", "startPosition", "endPosition"},
    "Coding": {"guid"},
    "CodeRef": {"targetGUID"},
    "Note": {"guid"},
    "NoteRef": {"targetGUID"},
}
GUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def checked(quotes):
    """The report on quotes in two transcripts, and their texts."""
    files = [
        TranscriptFile(name, text, reading=read_transcript(text, name=name))
        for name, text in (("first.txt", FIRST), ("second.txt", SECOND))
    ]
    return build_guarded_report(files, quotes), [each.reading.text for each in files]


QUOTES = [
    QuoteEntry("at night", domain="sleep", id="a1", speaker="Max"),
    QuoteEntry("It's been 3 weeks", domain="sleep"),
    QuoteEntry("It's been 8 weeks", domain="sleep"),
    QuoteEntry("Work is fine"),
    QuoteEntry("not said & <never>\x1b", domain="work"),
]


@pytest.fixture(scope="module")
def content():
    """The bytes of a project."""
    return render_qdpx(*checked(QUOTES))


@pytest.fixture(scope="module")
def archive(content):
    """The opened project."""
    return zipfile.ZipFile(io.BytesIO(content))


@pytest.fixture(scope="module")
def project(archive):
    """The root of `project.qde`."""
    return fromstring(archive.read("project.qde"))


def named(project, tag):
    """The elements with this name, in order."""
    return list(project.iter(QDA + tag))


def test_elements_have_the_order_and_the_attributes_of_the_standard(project):
    """A strict reader refuses any other order."""
    for element in project.iter():
        tag = element.tag.removeprefix(QDA)
        order = [CHILDREN[tag].index(child.tag.removeprefix(QDA)) for child in element]
        assert order == sorted(order)
        assert element.attrib.keys() >= ATTRIBUTES.get(tag, set())


def test_identifiers_are_unique_and_references_have_a_target(project):
    """Each guid names one thing, and every reference names a thing."""
    guids = [element.get("guid") for element in project.iter() if element.get("guid")]
    assert len(guids) == len({*guids})
    assert all(map(GUID.fullmatch, guids))
    references = ("targetGUID", "creatingUser", "creatingUserGUID")
    targets = {element.get(name) for element in project.iter() for name in references if element.get(name)}
    assert targets <= {*guids}


def test_selections_cut_their_words_out_of_the_plain_text(archive, project):
    """Positions are code points of the file in the project: an emoji is one, and lines end in LF."""
    passages = []
    for source in named(project, "TextSource"):
        name = source.get("plainTextPath").removeprefix("internal://")
        text = archive.read(f"sources/{name}").decode()
        assert "\r" not in text
        spans = [(int(each.get("startPosition")), int(each.get("endPosition"))) for each in source]
        passages += [text[start:end] for start, end in spans]
    assert passages == ["at night", "It’s been 3 weeks", "It’s been 3 weeks", "Work is fine"]


def test_only_accepted_quotes_have_the_code_of_their_domain(project):
    """One that was found but not accepted has a code that says so, and one without a domain is a quote."""
    codes = {each.get("guid"): each.get("name") for each in named(project, "Code")}
    assert [codes[each.get("targetGUID")] for each in named(project, "CodeRef")] == [
        "sleep",
        "sleep",
        "not accepted",
        "quote",
    ]
    assert "work" not in codes.values()


def test_each_selection_has_a_note_with_the_verdict(project):
    """It repeats the quote and gives the reasons."""
    notes = {each.get("guid"): each for each in named(project, "Note")}
    selection = named(project, "PlainTextSelection")[2]
    note = notes[selection.find(f"{QDA}NoteRef").get("targetGUID")]
    assert note.get("name") == "Quote 3: altered, not accepted"
    lines = note.find(f"{QDA}PlainTextContent").text.split("\n")
    assert lines[:3] == ["Verdict: altered, not accepted", "Quote: It's been 8 weeks", "Code: sleep"]
    assert "Reason: The passage says 3 weeks; the quote says 8 weeks." in lines


def test_a_quote_that_was_not_found_is_a_note_of_the_project(project):
    """It has no selection, but it is not lost; XML takes all of its characters."""
    (reference,) = project.findall(f"{QDA}NoteRef")
    (note,) = (each for each in named(project, "Note") if each.get("guid") == reference.get("targetGUID"))
    assert note.get("name") == "Quote 5: absent, not accepted"
    assert "Quote: not said & <never>\\x1b" in note.find(f"{QDA}PlainTextContent").text


def test_the_same_report_gives_the_same_bytes(content):
    """Identifiers follow from names and texts, and nothing holds the time."""
    assert content == render_qdpx(*checked(QUOTES))


def test_projects_of_the_same_sources_share_identifiers(project):
    """So a program that merges them sees one source and one code."""
    other = fromstring(zipfile.ZipFile(io.BytesIO(render_qdpx(*checked(QUOTES[:1])))).read("project.qde"))
    for tag in ("User", "Code", "TextSource"):
        assert named(other, tag)[0].get("guid") == named(project, tag)[0].get("guid")


def test_a_quote_in_several_transcripts_has_a_selection_in_each():
    """The literal policy finds it in all of them."""
    texts = ["Work is fine", "So: work is fine"]
    report = build_report([TranscriptFile("a", texts[0]), TranscriptFile("b", texts[1])], [QuoteEntry("work is fine")])
    content = render_qdpx(report, texts)
    project = fromstring(zipfile.ZipFile(io.BytesIO(content)).read("project.qde"))
    assert len(named(project, "PlainTextSelection")) == 2


def test_a_transcript_that_is_given_twice_is_one_source():
    """Two would have the same identifier, and the archive two files of one name."""
    twice = [TranscriptFile("first.txt", FIRST)] * 2
    content = render_qdpx(build_report(twice, [QuoteEntry("at night")]), [FIRST] * 2)
    names = zipfile.ZipFile(io.BytesIO(content)).namelist()
    assert len(names) == len({*names}) == 2
    project = fromstring(zipfile.ZipFile(io.BytesIO(content)).read("project.qde"))
    assert len([*project.iter(f"{QDA}TextSource")]) == len([*project.iter(f"{QDA}PlainTextSelection")]) == 1


def test_a_report_without_quotes_is_a_project_of_its_sources():
    """No empty list of codes or notes, which the standard does not allow."""
    project = fromstring(zipfile.ZipFile(io.BytesIO(render_qdpx(*checked([])))).read("project.qde"))
    assert [child.tag.removeprefix(QDA) for child in project] == ["Users", "Sources", "Description"]


def test_texts_of_another_report_are_an_error():
    """Positions would be wrong."""
    report, texts = checked(QUOTES)
    with pytest.raises(ValueError, match="those of the report's transcripts"):
        render_qdpx(report, texts[:1])


def test_a_project_on_the_command_line(tmp_path, monkeypatch, capsys):
    """The suffix .qdpx chooses the format."""
    from groundwire.cli import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text(SECOND, encoding="utf-8")
    (tmp_path / "q.csv").write_text("quote,code\nWork is fine,work\n", encoding="utf-8")
    assert main(["check", "a.txt", "-q", "q.csv", "-o", "out.qdpx"]) == 0
    capsys.readouterr()
    with zipfile.ZipFile(tmp_path / "out.qdpx") as archive:
        project = fromstring(archive.read("project.qde"))
    assert [each.get("name") for each in named(project, "Code")] == ["work"]


def test_a_reader_made_from_the_schema_reads_the_project(content, tmp_path):
    """`pyrefiqda` has a class for each type of the published schema, and refuses any other element or attribute."""
    pyrefiqda = pytest.importorskip("pyrefiqda")
    (tmp_path / "p.qdpx").write_bytes(content)
    read = pyrefiqda.RefiProject.load(tmp_path / "p.qdpx", tmp_path / "unpacked")
    source = read.sources.text_source[0]
    path = pyrefiqda.RefiProject.resolve_source_path(source.plain_text_path, tmp_path / "unpacked")
    selection = source.plain_text_selection[0]
    text = path.read_text(encoding="utf-8")
    assert text[selection.start_position : selection.end_position] == "at night"
    assert [code.name for code in read.code_book.codes.code] == ["sleep", "not accepted", "quote"]
