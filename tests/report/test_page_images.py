"""Pages of PDFs in the check report: which are shown, what is on them, and what is said about the rest."""

import base64
import re
from dataclasses import replace

import pytest

pytest.importorskip("pypdfium2")

from groundwire.errors import DocumentError
from groundwire.report import QuoteEntry, build_guarded_report, build_report
from groundwire.report.check.pages import PageLimits, page_views
from groundwire.report.labels.check import nearest_text, pages_text
from groundwire.report.rendering import render_html
from report.page import Page
from report.samples_pages import NAME, NUMBERS, QUOTES, paged_html, paged_report, scan_transcript, transcripts, views


def shown(found):
    """Return the numbers of the pages that are shown, by transcript."""
    return {number: [page.number for page in view.pages] for number, view in found.items()}


def test_pages_with_a_verdict_are_shown():
    """Those of found quotes, of nearest passages, and those that a quote names; a text has none."""
    found = views()
    assert shown(found) == {1: [1, 2, 3, 4, 5], 3: [1]}
    spots = {(page.number, spot.result.number, spot.is_nearest) for page in found[1].pages for spot in page.spots}
    assert spots == {
        (1, NUMBERS["over-lines"], False),
        (2, NUMBERS["altered"], False),
        (3, NUMBERS["absent"], True),
        (4, NUMBERS["elsewhere"], False),
    }
    assert [page.named_by for page in found[1].pages] == [(), (), (), (), (NUMBERS["elsewhere"],)]


def test_pages_without_a_verdict_are_not_shown():
    """One quote, one page."""
    [source, *_] = transcripts()
    report = build_guarded_report([source], [QuoteEntry("It has been three weeks")])
    found = page_views(report, [source.document])
    assert shown(found) == {1: [4]}
    assert pages_text(found[1]) == "1 of 5 pages shown: those with a verdict."


def test_a_quote_over_two_lines_has_two_boxes():
    """In the pixels of its image, one below the other."""
    page = views()[1].pages[0]
    first, second = page.spots[0].boxes
    assert first.bottom <= second.top + 1
    assert 0 < second.left < first.left < first.right < page.width


def test_found_quotes_come_before_nearest_passages_and_named_pages():
    """A limit leaves out the least important pages, and the report says how many."""
    assert shown(views(PageLimits(3, 20 << 20))) == {1: [1, 2, 4], 3: []}
    found = views(PageLimits(5, 20 << 20))
    assert shown(found) == {1: [1, 2, 3, 4], 3: [1]}
    assert pages_text(found[1]) == (
        "4 of 5 pages shown: those with a verdict; 1 more page with a verdict left out "
        "(--page-images and --page-images-mib set the limits)."
    )


def test_images_have_a_limit_of_size():
    """Pages that have no room are left out."""
    room = len(base64.b64decode(views()[1].pages[0].png))
    found = views(PageLimits(50, room))
    assert shown(found) == {1: [1], 3: []}
    assert found[1].left_out == 4
    assert found[3].left_out == 1


def test_no_images_on_request():
    """A limit of 0 draws nothing, and the report equals one without images."""
    assert views(PageLimits(0, 1)) == {}
    html = render_html(paged_report(), [each.text for each in transcripts()], pages={})
    assert "img-src" not in html
    assert "<img" not in html


def test_a_literal_report_has_pages_too():
    """They need no policy that knows pages."""
    report = build_report(transcripts(), [QUOTES["over-lines"]])
    assert report.quotes[0].places[0].pages == (1,)
    assert shown(page_views(report, [each.document for each in transcripts()])) == {1: [1]}


def test_a_nearest_passage_has_its_page():
    """In the data, in the text, and in the card."""
    result = paged_report().quotes[NUMBERS["absent"] - 1]
    assert result.nearest.pages == (3,)
    assert ", page 3, score" in nearest_text(result)
    assert f'<a class="on-page" href="#t1-p3-q{NUMBERS["absent"]}">page 3</a>' in paged_html()


def test_a_page_that_a_quote_names_may_be_a_scan():
    """It is shown although nothing on it can be found."""
    source = scan_transcript()
    report = build_guarded_report([source], [QuoteEntry("whatever it says", page=1)])
    found = page_views(report, [source.document])
    assert shown(found) == {1: [1]}
    assert found[1].pages[0].named_by == (1,)


def test_pages_that_cannot_be_drawn_are_reported():
    """The report is made all the same, and says why it has no images."""

    def gone():
        raise DocumentError("a.pdf", "changed", "no longer the file that was read")

    [source, *_] = transcripts()
    report = build_guarded_report([source], [QuoteEntry("three weeks")])
    found = page_views(report, [replace(source.document, _reopen=gone)])
    html = render_html(report, [source.text], pages=found)
    assert "No page images: this is no longer the file that was read." in html
    assert "<img" not in html


def test_links_lead_from_the_verdict_to_the_page_and_back():
    """Each target exists once."""
    page = Page(paged_html())
    assert len(page.ids) == len(set(page.ids))
    targets = {target[1:] for _, target in page.links}
    assert targets <= set(page.ids)
    for name, number in (("over-lines", 1), ("altered", 2), ("absent", 3), ("elsewhere", 4)):
        spot = f"t1-p{number}-q{NUMBERS[name]}"
        assert spot in targets
        assert (spot, f"#q{NUMBERS[name]}") in page.links


def test_nothing_is_loaded_from_outside():
    """Images are part of the page, the policy allows no others, and no address is named."""
    html = paged_html()
    page = Page(html)
    sources = [attributes["src"] for tag, attributes in page.elements if tag == "img"]
    assert len(sources) == 6
    assert all(source.startswith("data:image/png;base64,") for source in sources)
    policy = next(a["content"] for _, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert "; img-src data:; " in policy
    assert policy.startswith("default-src 'none'; ")
    assert not re.search(r"https?://|url\(|@import", html)
    assert not [tag for tag, _ in page.elements if tag in ("link", "iframe", "object", "embed", "use", "image")]
    assert {target[0] for _, target in page.links} == {"#"}
    assert not [attributes for _, attributes in page.elements if "style" in attributes]


def test_text_is_escaped():
    """Names, quotes and ids of others are text wherever they are."""
    html = paged_html()
    assert "<b>study" not in html
    assert "<script>alert" not in html
    assert "<i>rest" not in html
    page = Page(html)
    assert f"Page 1 of {NAME}" in [attributes.get("alt") for tag, attributes in page.elements if tag == "img"]


def test_images_say_their_size():
    """So that nothing moves when they are decoded. They do not wait to be seen: printing would miss them."""
    images = [attributes for tag, attributes in Page(paged_html()).elements if tag == "img"]
    assert {(each.get("loading"), each["decoding"], each["width"]) for each in images} == {(None, "async", "1000")}
