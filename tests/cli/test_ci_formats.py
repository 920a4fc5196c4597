"""`check` and `cite` for tools that read results: annotations of GitHub, SARIF and JUnit."""

import json
import os
import re
from urllib.parse import unquote

import pytest

from report.junit import read_junit

TEXT = "Anna: I can't sleep.\nBen: Take 15 mg of it.\n"
TABLE = "quote,code\nI can't sleep,sleep\nTake 50 mg of it,dose\nI feel hopeless,mood\n"
ANSWER = "So it is.\n\nThe mill sold fifty loaves on Friday [1]. Anna never sleeps before a storm [9].\n"
RESULTS = [{"id": "1", "text": "The mill sold forty loaves on Friday."}]
COMMAND = re.compile(r"::error ((?:\w+=[^,:]*,?)+)::(.*)")


@pytest.fixture
def check(run, write):
    """Return a function that checks the quotes of a table and returns standard output."""

    def check_table(form: str, table: str = TABLE, name: str = "q.csv") -> str:
        write("a.txt", TEXT)
        write(name, table)
        return run("check", "a.txt", "-q", name, "-f", form).stdout

    return check_table


@pytest.fixture
def cite(run, write):
    """Return a function that assesses the answer and returns standard output."""

    def cite_answer(form: str) -> str:
        write("answer.md", ANSWER)
        write("results.json", RESULTS)
        return run("cite", "answer.md", "--results", "results.json", "-f", form).stdout

    return cite_answer


def commands(output: str) -> list[tuple[dict[str, str], str]]:
    """Return the properties and the message of each workflow command; any other line fails."""
    found = []
    for line in output.splitlines():
        properties, message = COMMAND.fullmatch(line).groups()
        pairs = (each.partition("=") for each in properties.split(","))
        found.append(({key: unquote(value) for key, _, value in pairs}, unquote(message)))
    return found


def test_github_annotates_the_row_of_a_quote(check):
    """The row is what has to change; the message says what the source has, and where."""
    altered, absent = commands(check("github"))
    assert altered[0] == {"file": "q.csv", "line": "3", "title": "groundwire: quote/altered"}
    assert altered[1] == ("Take 50 mg of it: The passage says 15 mg; the quote says 50 mg. (source: a.txt:2:6)")
    assert (absent[0]["line"], absent[0]["title"]) == ("4", "groundwire: quote/absent")


def test_the_place_of_a_quote_is_its_line_in_the_file(check):
    """A cell over several lines and an empty line are before it."""
    table = 'quote\n"I can\'t\nsleep"\n\nTake 50 mg of it\n'
    [(place, _)] = commands(check("github", table))
    assert place["line"] == "5"


def test_github_annotates_the_place_in_an_answer(run, write):
    """A quotation has a line and a column."""
    write("a.txt", TEXT)
    write("answer.md", "First.\n\nBen said “Take 50 mg of it” to her.\n")
    [(place, _)] = commands(run("check", "a.txt", "--quotes-in", "answer.md", "-f", "github").stdout)
    assert (place["file"], place["line"], place["col"]) == ("answer.md", "3", "11")


def test_github_annotates_claims_and_the_risk(cite):
    """Each claim has its place in the answer; the risk is about the whole file."""
    found = commands(cite("github"))
    assert [(place["title"], place.get("line"), place.get("col")) for place, _ in found] == [
        ("groundwire: claim/contradicted", "3", "1"),
        ("groundwire: claim/uncited", "3", "43"),
        ("groundwire: answer/risk", None, None),
    ]
    assert found[0][1].endswith("The passage says “forty”; the claim says “fifty”.")


def test_a_text_cannot_add_a_command(check):
    """Line ends, percent signs, colons and commas of quotes and file names stay inside of their field."""
    table = 'quote\n"Take\n::error file=x::100%25,"\n'
    [(place, message)] = commands(check("github", table, "q,1:%.csv"))
    assert place["file"] == "q,1:%.csv"
    assert message.startswith("Take ↵ ::error file=x::100%25,: ")


def test_sarif_has_a_result_for_each_fault(check):
    """Each names its rule, which is explained once, the row of the quote and the passage of the source."""
    log = json.loads(check("sarif"))
    [run] = log["runs"]
    assert (log["version"], run["columnKind"]) == ("2.1.0", "unicodeCodePoints")
    rules = run["tool"]["driver"]["rules"]
    assert [rules[each["ruleIndex"]]["id"] for each in run["results"]] == ["quote/altered", "quote/absent"]
    assert all(rule["shortDescription"]["text"] for rule in rules)
    first = run["results"][0]
    place = first["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "q.csv"}, "region": {"startLine": 3}}
    related = first["relatedLocations"][0]["physicalLocation"]
    assert related == {"artifactLocation": {"uri": "a.txt"}, "region": {"startLine": 2, "startColumn": 6}}


@pytest.mark.parametrize("name", ["check", "cite"])
def test_another_reader_takes_the_whole_log(name, check, cite):
    """Read and written by models of SARIF, the log is the same."""
    models = pytest.importorskip("sarif_pydantic")
    log = json.loads({"check": check, "cite": cite}[name]("sarif"))
    read = models.Sarif.model_validate(log).model_dump(mode="json", by_alias=True, exclude_none=True)
    assert {**read, "$schema": log["$schema"]} == log


def test_sarif_writes_paths_as_references(check):
    """A space or a percent sign of a name is escaped."""
    log = json.loads(check("sarif", name="my 100% quotes.csv"))
    place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "my%20100%25%20quotes.csv"


def test_sarif_spells_out_a_name_that_is_not_utf_8(check):
    """Like the other formats, which have no form for its bytes either."""
    log = json.loads(check("sarif", name=os.fsdecode(b"q\xff.csv")))
    place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert unquote(place["artifactLocation"]["uri"]) == r"q\udcff.csv"


def test_junit_has_one_suite_for_the_quotes_of_a_code(check):
    """They need not follow each other in the table."""
    suites = read_junit(check("junit", TABLE + "Take 15 mg,sleep\n"))
    assert [(suite.get("name"), suite.get("tests")) for suite in suites] == [
        ("sleep", "2"),
        ("dose", "1"),
        ("mood", "1"),
    ]


def test_junit_has_a_suite_for_each_code(check):
    """An accepted quote is a passed case."""
    suites = read_junit(check("junit"))
    assert [(suite.get("name"), suite.get("tests"), suite.get("failures")) for suite in suites] == [
        ("sleep", "1", "0"),
        ("dose", "1", "1"),
        ("mood", "1", "1"),
    ]
    failure = suites[1].find("testcase/failure")
    assert (failure.get("type"), failure.get("message")) == (
        "quote/altered",
        "The passage says 15 mg; the quote says 50 mg.",
    )
    assert failure.text.split() == ["q.csv:3", "source:", "a.txt:2"]


def test_junit_has_a_suite_for_each_answer(cite):
    """Its last case is the risk of the answer."""
    [suite] = read_junit(cite("junit"))
    assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == ("answer.md", "3", "3")
    assert suite.findall("testcase")[-1].get("name") == "risk: high"


def test_nothing_to_say_is_an_empty_log(run, write):
    """No annotation, no result, no failure."""
    write("a.txt", TEXT)
    write("q.csv", "quote\nI can't sleep\n")
    ask = ("check", "a.txt", "-q", "q.csv")
    assert run(*ask, "-f", "github").stdout == ""
    log = json.loads(run(*ask, "-f", "sarif").stdout)
    assert (log["runs"][0]["results"], log["runs"][0]["tool"]["driver"]["rules"]) == ([], [])
    assert read_junit(run(*ask, "-f", "junit").stdout)[0].get("failures") == "0"


def test_files_have_the_format_of_their_suffix(run, write, tmp_path):
    """`.sarif` is SARIF, and `.xml` JUnit."""
    write("a.txt", TEXT)
    write("q.csv", TABLE)
    run("check", "a.txt", "-q", "q.csv", "-o", "out.sarif", "-o", "out.xml")
    assert json.loads((tmp_path / "out.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert len(read_junit((tmp_path / "out.xml").read_text(encoding="utf-8"))) == 3
