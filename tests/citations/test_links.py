"""Ruling B16: links cite the results that have their URL, and each URL has one normal form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.citations import assess_citations, detect_hallucination
from groundwire.report.cite import Case, build_cite_report
from groundwire.report.rendering import render_html

MILL = "The mill burned down in the cold winter of 1887."
RAIN = "Rain fell on the village for the whole of that summer."
RESULTS = [
    {"id": "a", "url": "https://Mill.example.org/fire/", "text": MILL},
    {"id": "b", "metadata": {"source": "https://rain.example.org/y?q=1&utm_source=x"}, "page_content": RAIN},
]
M, R = "https://mill.example.org/fire", "https://rain.example.org/y?q=1"


def cited(answer, results=RESULTS):
    """Return the text of each claim, and its citations."""
    return [(claim.text, claim.valid) for claim in assess_citations(answer, results).claims]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param(f"{MILL[:-1]} [1]({M}).", [("a",)], id="number"),
        pytest.param(f"{MILL[:-1]} [fire report]({M}).", [("a",)], id="title"),
        pytest.param(f'{MILL[:-1]} [fire]({M} "Fire").', [("a",)], id="title-of-the-link"),
        pytest.param(f"{MILL[:-1]} [[1]]({M}).", [("a",)], id="brackets-in-brackets"),
        pytest.param(f"{MILL[:-1]} {M}.", [("a",)], id="bare"),
        pytest.param(f"{MILL[:-1]} <{M}>.", [("a",)], id="in-angle-brackets"),
        pytest.param(f"{MILL[:-1]} ([1]({M}), [2]({R})).", [("a", "b")], id="two-in-brackets"),
        pytest.param(f"{MILL} [1]({M}) {RAIN} [2]({R})", [("a",), ("b",)], id="behind-the-full-stop"),
        pytest.param(f"{MILL} ([fire report]({M}))\n\n{RAIN}\n{R}", [("a",), ("b",)], id="brackets-and-next-line"),
        pytest.param(f"- {MILL} [Fire report]({M})\n- {RAIN} [Rain]({R})", [("a",), ("b",)], id="list"),
        pytest.param(f"{MILL[:-1]} [a] [1]({M}).", [("a",)], id="beside-an-id"),
        pytest.param(
            f"{MILL[:-1]} [1](HTTPS://MILL.example.org:443/fire/?utm_campaign=z#top).", [("a",)], id="spelling"
        ),
        pytest.param(f"{MILL[:-1]} [1](https://other.example.org/fire).", [()], id="no-result"),
        pytest.param(f"{MILL[:-1]} `{M}`.", [()], id="code"),
        pytest.param(f"{MILL[:-1]} ![a picture]({M}).", [()], id="image"),
    ],
)
def test_a_link_cites_the_result_that_has_its_url(answer, expected):
    """Ruling B16: number, title and bare URL cite wherever a citation in brackets would; elsewhere they are ignored."""
    report = assess_citations(answer, RESULTS)
    assert [claim.valid for claim in report.claims] == expected
    assert report.invalid_citations == []
    assert report.valid_citations == sorted({id_ for ids in expected for id_ in ids})


def test_the_claim_is_compared_without_its_links():
    """Ruling B16: an address and a label do not count as words of the claim; a title within the sentence does."""
    alone, linked = (
        assess_citations(f"{MILL[:-1]}{citation}.", RESULTS).claims[0]
        for citation in (" [a]", f" ([mill.example.org]({M}))")
    )
    assert (linked.status, linked.support) == (alone.status, alone.support) == ("supported", alone.support)
    (claim,) = assess_citations(f"The mill burned down in the [cold winter]({M}) of 1887.", RESULTS).claims
    assert claim.text == f"The mill burned down in the [cold winter]({M}) of 1887."
    assert (claim.status, claim.valid) == ("supported", ("a",))


def test_a_sentence_may_begin_with_a_link():
    """Ruling B16: its title belongs to the sentence, and so does the citation."""
    answer = f"It was cold. [The fire report]({M}) says that the mill burned down in the winter of 1887."
    assert cited(answer) == [(answer[13:], ("a",))]


def test_the_report_says_how_it_matched_and_where():
    """Ruling B16: `matched_by` is "url", the id is the result's, and the span covers the whole link."""
    answer = f"{MILL[:-1]} [fire report]({M}). {RAIN[:-1]} [b]."
    rows = [
        (each.id, each.matched_by, answer[each.start : each.end])
        for each in assess_citations(answer, RESULTS).citations
    ]
    assert rows == [("a", "url", f"[fire report]({M})"), ("b", "id", "[b]")]


def test_every_result_of_the_page_is_cited():
    """Ruling B16: two parts of a page have its URL, and the better one supports the claim."""
    parts = [{"id": "p", "url": M, "text": RAIN}, {"id": "q", "link": f"{M}#part", "text": MILL}]
    (claim,) = assess_citations(f"{MILL[:-1]} [1]({M}).", parts).claims
    assert (claim.valid, claim.status) == (("p", "q"), "supported")


def test_a_result_needs_no_id_to_be_linked():
    """Ruling B16: its URL serves as its name, also if the URL is its id."""
    assert cited(f"{MILL[:-1]} {M}.", [{"url": M, "text": MILL}])[0][1] == (M,)
    assert cited(f"{MILL[:-1]} {M}.", [{"id": f"{M}/", "text": MILL}])[0][1] == (f"{M}/",)


def test_a_linked_result_without_a_text_is_unread():
    """Rulings B15, B16: a link is a citation like any other."""
    report = assess_citations(f"{MILL[:-1]} [1]({M}).", [{"id": "a", "url": M, "texts": MILL}])
    assert (report.claims[0].status, report.level) == ("unread", "moderate")


def test_a_number_in_a_link_is_not_the_id_of_another_result():
    """Ruling B16: `[1](url)` cites the result with the URL, whatever id the first result has."""
    results = [{"id": "1", "url": R, "text": RAIN}, {"id": "2", "url": M, "text": MILL}]
    assert cited(f"{MILL[:-1]} [1]({M}).", results)[0][1] == ("2",)


def test_the_printed_rules_read_brackets_only():
    """Rulings R0, B1: `detect_hallucination` and the policy "spec" take the title for an id, as printed."""
    answer = f"{MILL[:-1]} [1]({M})."
    assert detect_hallucination(answer, RESULTS)["invalid_citations"] == ["1"]
    assert assess_citations(answer, RESULTS, policy="spec").invalid_citations == ["1"]


def test_the_page_links_to_the_passage():
    """Ruling B16: in the HTML report the link of the answer leads to the source."""
    case = Case(f"{MILL[:-1]} [fire report]({M}).", RESULTS)
    page = render_html(build_cite_report([case]), [case])
    assert '<span class="citation"><a href="#a1s1"' in page or 'class="citation"><a href="#' in page


def test_an_answer_with_every_private_character_is_read():
    """A link needs one of them for its id; without, it is an ordinary link."""
    private = "".join(map(chr, range(0xE000, 0xF900)))
    assert cited(f"{MILL[:-1]} [1]({M}).\n\n{private}")[0][1] == ()
    assert cited(f"{MILL[:-1]} [1]({M}).\n\n{private[1:]}")[0][1] == ("a",)


def test_each_of_many_linked_claims_includes_the_title_that_begins_or_ends_it():
    """The span of a claim never ends inside of a link."""
    first = f"[The fire report]({M}) names the cold winter of 1887."
    last = f"The mill burned down in the [winter]({M})."
    answer = "\n\n".join([first, last] * 500)
    assert [claim for claim, _ in cited(answer)] == [first, last] * 500


_parts = st.sampled_from(
    [
        f"[1]({M})",
        f"[the title]({R})",
        M,
        f"<{R}>",
        "(",
        ")",
        ". ",
        "\n\n",
        "[a]",
        "[",
        "]",
        "`",
        "![x](",
        MILL,
        "words ",
        "\ue000",
    ]
)


@given(st.lists(_parts, max_size=10).map("".join))
def test_claims_and_citations_are_slices_of_the_answer(answer):
    """Rulings B2, B16: figures and records agree, and no span lies outside the answer."""
    report = assess_citations(answer, RESULTS)
    assert all(claim.text == answer[claim.start : claim.end] for claim in report.claims)
    assert all(0 <= each.start < each.end <= len(answer) for each in report.citations)
    valid = {each.id for each in report.citations if each.status == "valid"}
    assert report.valid_citations == sorted(valid)
