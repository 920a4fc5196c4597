"""Several sources: the best of all, the cited one, and quotes that only another one has."""

import pytest

from groundwire import Source
from groundwire.evidence import QuoteStatus, assess_quotes
from groundwire.sources import Sources

from .assessed import SOURCES, reasons_of, verdict_on


@pytest.mark.parametrize(
    ("quote", "status", "name"),
    [
        pytest.param("I sleep badly at night", "exact", "left", id="exact-before-near"),
        pytest.param("I sleep badly at nights", "exact", "last", id="exact-before-near-of-an-earlier-one"),
        pytest.param("We left every single night", "exact", "right", id="of-two-the-first"),
        pytest.param("We left every singel night", "near", "right", id="of-two-near-ones-the-first"),
        pytest.param("badly at nights. We lefd every", "near", "last", id="of-two-near-ones-the-nearer"),
        pytest.param("happy with it", "near", "right", id="near-before-altered-where-the-words-are-cut"),
        pytest.param("The bill for the old boat is paid now", "altered", "left", id="altered-in-the-only-one"),
        pytest.param("We left … night", "elided", "right", id="in-parts"),
        pytest.param("no", "absent", None, id="in-none"),
        pytest.param("…", "blank", None, id="blank"),
    ],
)
def test_the_best_of_all_sources(quote, status, name):
    """Accepted quotes come first, then the order is by status, score and source; the verdict names the source."""
    verdict = verdict_on(quote, source=SOURCES)
    assert (verdict.status, verdict.source) == (status, name)


@pytest.mark.parametrize(
    ("quote", "cited", "status", "name"),
    [
        pytest.param("I sleep badly at nights", "left", "near", "left", id="near-in-the-cited-one"),
        pytest.param("I sleep badly at nights", "right", "found_elsewhere", "last", id="elsewhere"),
        pytest.param("We left every single night", 0, "found_elsewhere", "right", id="elsewhere-in-the-first"),
        pytest.param("We left every singel night", 0, "found_elsewhere", "right", id="nearly-elsewhere"),
        pytest.param("happy with it", "left", "found_elsewhere", "right", id="altered-here-and-said-there"),
        pytest.param(
            "The bill for the old boat is paid now", "right", "absent", None, id="altered-elsewhere-is-not-there"
        ),
        pytest.param("The bill for the old boat is paid now", "left", "altered", "left", id="altered-and-nowhere-said"),
        pytest.param("every … night", "left", "found_elsewhere", "right", id="in-parts-elsewhere"),
        pytest.param("no", "left", "absent", None, id="nowhere"),
        pytest.param("?", "left", "blank", None, id="blank"),
    ],
)
def test_the_cited_source_comes_first(quote, cited, status, name):
    """The cited source counts; a quote that only another one has is found elsewhere."""
    verdict = verdict_on(quote, source=SOURCES, cited=cited)
    assert (verdict.status, verdict.source) == (status, name)
    assert ("not_in_cited_source" in reasons_of(verdict)) is (status == "found_elsewhere")


def test_found_elsewhere_keeps_its_reasons():
    """The reasons for the other source follow the reason for the rejection."""
    verdict = verdict_on("we left every singel night", source=SOURCES, cited="left")
    assert reasons_of(verdict) == ["not_in_cited_source", "case", "spelling"]
    assert [each.source_text for each in verdict.differences] == ["We", "single"]


def test_found_elsewhere_needs_a_status_that_the_policy_accepts():
    """A near quote elsewhere does not count for a policy that accepts exact ones only."""
    assert verdict_on("We left every singel night", source=SOURCES, cited="left", accept=["exact"]).status == "absent"


def test_an_accepted_place_comes_before_a_better_status():
    """A quote beside a condition in one source may have no condition in another."""
    several = Sources([("a", "You may go unless it rains."), ("b", "you may go home.")])
    verdict = verdict_on("You may go", source=several, accept_truncated=False)
    assert (verdict.status, verdict.accepted, verdict.source) == ("normalized", True, "b")


def test_a_match_inside_words_does_not_end_the_search():
    """`art of it` occurs inside `start of it`, which is near, and the other sources are still searched."""
    several = Sources([("a", "the start of it … well, that was all"), ("b", "we saw the art of it as well, and left")])
    verdict = verdict_on("art of it … well", source=several, accept=["exact", "normalized", "elided"])
    assert (verdict.status, verdict.accepted, verdict.source) == ("elided", True, "b")


def test_a_quote_that_fits_in_some_sources_is_not_called_too_long():
    """Ruling A8 applies to each source alone."""
    several = Sources(["short", "This one is long enough for any of these quotes."])
    assert reasons_of(verdict_on("nothing of the kind", source=several)) == ["below_threshold"]
    assert reasons_of(verdict_on("nothing of the kind" * 9, source=several)) == ["longer_than_source"]


@pytest.mark.parametrize("cited", [None, 0, 1])
def test_sources_of_any_kind_give_the_same(cited):
    """This holds for texts and for prepared sources of both profiles."""
    texts = {"a": "“We left,” he said. BP < 90 and HR > 100.", "b": "We stayed—at home."}
    quotes = ['"we left," he', "BP < 90 and HR > 100", "stayed - at", "We stayed-at home"]
    kinds = [
        Sources(texts.items()),
        Sources(texts.items(), profile="spec"),
        Sources([Source(text, name=name) for name, text in texts.items()]),
        Sources([Source(text, name=name, profile="typographic") for name, text in texts.items()]),
    ]
    verdicts = [assess_quotes(quotes, each, cited=cited, workers=1 + place % 2) for place, each in enumerate(kinds)]
    assert verdicts[0] == verdicts[1] == verdicts[2] == verdicts[3]
    assert {each.status for each in verdicts[0]} > {QuoteStatus.NORMALIZED}


def test_one_source_among_sources_is_that_source():
    """A single source has the same verdicts as without `Sources`, with its name."""
    text = "She is unhappy with it now. I sleep badly at night."
    quotes = ["happy with it", "I sleep", "no", "", "She … it"]
    alone, among = assess_quotes(quotes, text), assess_quotes(quotes, Sources([("a", text)]))
    assert [(each.status, each.reasons, each.all_spans) for each in alone] == [
        (each.status, each.reasons, each.all_spans) for each in among
    ]
    assert [each.source for each in among] == ["a" if each.match else None for each in alone]
