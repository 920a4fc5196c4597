"""The citation page: well-formed, safe, linked, and the marks are the claims."""

import base64
import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from groundwire.citations import CitedClaimStatus, RiskLevel
from groundwire.report.cite import Case, build_cite_report
from groundwire.report.rendering import asset, render_html
from report.contrast import contrast
from report.page import VOID, Page, as_shown
from report.samples_cite import ANSWER, CASE, JUDGEMENT, RESULTS, Judge, cite_report

SHEET, SCRIPT = asset("report.css"), asset("report.js")


class CitePage(Page):
    """Reads the page, with the marked text of each claim, and the struck text."""

    def __init__(self, html):
        self.claims = {}
        self.struck = []
        super().__init__(html)

    def handle_data(self, data):
        classes = " ".join(attributes.get("class") or "" for _, attributes in self.open).split()
        tags = [tag for tag, _ in self.open]
        if "label" in classes:
            return
        if "mark" in tags:
            key = self._inside("id"), self._inside("data-claim")
            self.claims[key] = self.claims.get(key, "") + data
        if "del" in tags:
            self.struck.append(data)


def page_of(*cases, **options):
    """Return the report on *cases*, and its page."""
    report = build_cite_report(cases, **options)
    return report, CitePage(render_html(report, cases))


def expected_marks(report):
    """Return the expected marked text of each claim."""
    return {
        (f"a{answer.number}-c{claim.number}", str(claim.number)): as_shown(claim.text)
        for answer in report.answers
        for claim in answer.claims
    }


@pytest.mark.parametrize("policy", ["coverage", "spec"])
def test_marked_text_is_the_claim(policy):
    """The marked text of a row is its claim from start to end, over citations and lines."""
    report, page = page_of(CASE, CASE._replace(id="again"), policy=policy)
    assert len(expected_marks(report)) >= 8
    assert page.claims == expected_marks(report)


@given(
    st.lists(
        st.sampled_from(
            ["The mill burned down in winter", "[1]", "[2, 9]", "【1】", ". ", "。", "\n", "<b>", "\x1b", "| "]
        )
    )
)
def test_any_answer_is_well_formed(parts):
    """Any answer gives a well-formed page whose marks are its claims."""
    report, page = page_of(CASE._replace(answer=" ".join(parts)))
    assert page.claims == expected_marks(report)
    assert len(page.ids) == len(set(page.ids))
    assert {target[1:] for _, target in page.links} <= set(page.ids)


def test_links_lead_from_citations_to_passages_and_back():
    """Each valid id leads to its source, each cited source to its claims."""
    _, page = page_of(CASE)
    links = set(page.links)
    assert {("a1-c1", "#a1-s1"), ("a1-c2", "#a1-s2"), ("a1-c3", "#a1-s2"), ("a1-c4", "#a1-s3")} <= links
    assert {("a1-s1", "#a1-c1"), ("a1-s2", "#a1-c2"), ("a1-s2", "#a1-c3"), ("a1-s3", "#a1-c4")} <= links
    assert not [link for link in links if link[0] == "a1-s4"]
    assert len(page.ids) == len(set(page.ids))
    assert {target[1:] for _, target in links} <= set(page.ids)


def test_invalid_citations_are_struck():
    """They are struck in the sentence and beside it; valid ids are not."""
    assert page_of(CASE)[1].struck == ["7", "7"]


def test_only_a_whole_id_is_linked():
    """`1` is not linked inside `11`, and a range at its ends."""
    results = [{"id": str(number)} for number in range(1, 12)]
    html = render_html(*both(Case("The mill burned down in that winter [11, 1] and in the next [3-10].", results)))
    linked = re.findall(r'<a href="#a1-s(\d+)" title="source \d+">(\d+)</a>', html)
    assert linked == [("11", "11"), ("1", "1"), ("3", "3"), ("10", "10")]


def both(case):
    """Return the report on one case, and the cases, as the page takes them."""
    return build_cite_report([case]), [case]


def test_matched_words_of_the_cited_passage_are_marked():
    """The claim's words, not the numbers of its citations."""
    case = Case(
        "The mill [1] burned down in 1887.", [{"id": "1", "text": "1 mill burned down, in 1887. The other did not."}]
    )
    html = render_html(*both(case))
    assert re.findall(r'<b class="same">(.*?)</b>', html) == ["mill", "burned", "1887"]


def test_of_several_results_of_a_document_the_one_with_most_words_is_shown():
    """A citation of a `parent_id` means all of its parts."""
    results = [
        {"id": "a", "parent_id": "doc", "text": "Of other things."},
        {"id": "b", "parent_id": "doc", "text": "The mill burned down."},
    ]
    html = render_html(*both(Case("The mill burned down in that winter [doc].", results)))
    assert '<a href="#a1-s2">[doc]</a>, cited, and 1 more result with this id' in html


def test_text_adds_no_element_and_no_attribute():
    """Hostile answers, ids, titles, passages, questions and judges change the text of the page only."""
    hostile = "</div></mark><script>alert(1)</script><img src=x onerror=y>\" ' onclick=z <!-- &amp;&lt; end"
    passage = "</blockquote></b><svg onload=2>\"'&"
    structures = []
    for text, content in ((hostile, passage), ("x" * len(hostile), "y" * len(passage))):
        case = Case(
            f"# {text}\n\nThe mill burned down {text} in that winter [1].",
            [{"id": "1", "title": text, "parent_id": text, "content": f"The mill burned down {content}"}],
            question=text,
            id=text,
        )
        issues = tuple(issue.__class__(type=issue.type, claim=text, evidence=text) for issue in JUDGEMENT.issues)
        said = JUDGEMENT.__class__(
            hallucination_risk=0.2, reasoning=text, hallucination_notes=text, issues=issues, model=text
        )
        report = without_verdicts(build_cite_report([case], judge=Judge(said), when="always", model=text))
        page = CitePage(render_html(report, [case]))
        structures.append([(tag, sorted(attributes)) for tag, attributes in page.elements])
    assert structures[0] == structures[1]


def without_verdicts(report):
    """Return *report* without the results that depend on the words of its texts."""
    (answer,) = report.answers
    claims = tuple(
        replace(each, status=CitedClaimStatus.WEAK, support=0.2, findings=(), missing=()) for each in answer.claims
    )
    return replace(report, answers=(replace(answer, claims=claims, reasons=()),))


def test_page_needs_nothing_from_outside():
    """The page has no external resource or link; the policy allows one style sheet and one script by their hashes."""
    html = render_html(*both(CASE))
    page = CitePage(html)
    hashes = [base64.b64encode(hashlib.sha256(content.encode()).digest()).decode() for content in (SHEET, SCRIPT)]
    policy = next(a["content"] for _, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'; "
        "base-uri 'none'; form-action 'none'"
    )
    assert f"<style>{SHEET}</style>" in html
    assert not {tag for tag, _ in page.elements} & {"link", "img", "iframe", "object", "form", "base"}
    assert not {name for _, a in page.elements for name in a} & {"style", "src", "srcset", "action", "background"}
    assert all(target.startswith("#") for _, target in page.links)
    assert "url(" not in SHEET
    assert {tag for tag, _ in page.elements if tag in ("meta", "input")} <= VOID


@pytest.mark.parametrize("status", CitedClaimStatus)
def test_every_status_has_colours_and_a_filter(status):
    """A status that the rules learn needs its lines in the style sheet."""
    assert re.search(rf"^\.{status} {{ --edge: var\(--[a-z_]+-ink\); --fill: var\(--[a-z_]+-fill\); }}", SHEET, re.M)
    assert f"body:has(#show-{status}:checked) :is(.row:not(.{status}), .case:not(:has(.row.{status})))" in SHEET


@pytest.mark.parametrize("level", RiskLevel)
def test_every_level_has_a_colour(level):
    """The edge of the verdict."""
    assert re.search(rf"^\.{level} {{ --edge: var", SHEET, re.M)


FILLS = sorted({*re.findall(r"^\.\w+ \{ --edge: [^;]+; --fill: var\(--([\w-]+)\); \}", asset("report.css"), re.M)})


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("fill", FILLS)
@pytest.mark.parametrize("ink", ["ink", "link"])
def test_text_has_enough_contrast(theme, fill, ink):
    """WCAG 2 AA: 4.5 to 1 for sentences and the links in them; badges are tested with the other page."""
    assert contrast(theme, ink, fill) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("ink", ["exact-ink", "near-ink", "absent-ink", "blank-ink"])
def test_levels_have_enough_contrast(theme, ink):
    """The level of an answer is written in its colour."""
    assert contrast(theme, ink, "card") >= 4.5


def test_the_page_supports_keyboards_and_screen_readers():
    """It has a language, a title, headings, a skip link, and labelled rows."""
    _, page = page_of(CASE)
    elements = dict(page.elements)
    assert elements["html"]["lang"] == "en"
    assert {"title", "h1", "h2", "header", "main"} <= set(elements)
    assert page.links[0] == ("", "#answers")
    labels = [
        a["aria-label"] for _, a in CitePage(render_html(cite_report(), [CASE])).elements if a.get("role") == "group"
    ]
    assert labels[:2] == ["sentence 1, supported", "sentence 2, weak"]


def test_level_and_reasons_come_first():
    """The action comes before the answer itself."""
    html = render_html(*both(CASE))
    assert html.index("high risk, score 0.333: reject") < html.index("Cited ids that belong to no result: 1.")
    assert html.index("Cited ids that belong to no result: 1.") < html.index("Die Mühle")


def test_judge_is_shown():
    """The page has its risk, words and issues."""
    html = render_html(build_cite_report([CASE], judge=Judge(), when="always"), [CASE])
    assert "<summary>Judge m: risk 0.700, 1 issue</summary>" in html
    assert "<li>contradiction: <q>three</q>: <q>four million</q></li>" in html


def test_a_long_passage_is_cut_off_and_says_so():
    """A book among the results does not make the page long."""
    case = Case("The mill burned down in that winter [1].", [{"id": "1", "text": "word " * 10_000}])
    html = render_html(*both(case))
    assert "and 30,000 more characters" in html
    assert len(html) < 60_000


def test_cases_must_be_those_of_the_report():
    """Marks in another text would be wrong."""
    with pytest.raises(ValueError, match="same order"):
        render_html(cite_report(), [CASE._replace(answer=ANSWER + "x")])


def test_many_ids_in_one_citation_take_no_longer():
    """A range of a thousand ids, many times, is linked up to a limit; the text is complete."""
    answer = "The mill burned down in that winter [1-1000]. " * 200
    report, page = page_of(Case(answer, [*RESULTS, {"id": "1000"}]))
    assert page.claims == expected_marks(report)
