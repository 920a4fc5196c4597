"""Ellipses and brackets: omissions between the parts of a quote, and words that its author added."""

import pytest

from groundwire.evidence import QuoteStatus, assess_quotes
from groundwire.evidence.elision import MAX_FRAGMENTS, fragments_of

from .assessed import reasons_of, verdict_on

TEXT = (
    "The old house by the river was sold to my sister in spring, and the garden with all its trees was kept by us. "
    "They did not want it. Nobody asked why, not even the neighbours. We moved to town in the year after that. "
    "Wait... what did he say? “I have never been there,” she said."
)


@pytest.mark.parametrize(
    "mark",
    ["…", "...", "....", " … ", " ... ", " . . . ", "[…]", " [...] ", "(…)", " ( ... ) ", "……", "⋯", " – … ", ", … "],
)
def test_every_way_to_write_an_ellipsis(mark):
    """The parts occur in this order, and the gap hides nothing."""
    verdict = verdict_on(f"The old house{mark}was sold to my sister", source=TEXT)
    assert (verdict.status, verdict.accepted, reasons_of(verdict)) == ("elided", True, ["ellipsis"])
    assert [TEXT[start:end] for start, end in verdict.all_spans] == ["The old house", "was sold to my sister"]
    assert verdict.match.text == "The old house by the river was sold to my sister"


@pytest.mark.parametrize("quote", ["……房子……卖给了我妹妹……", "「……房子……卖给了我妹妹……」"])
def test_ellipses_of_chinese(quote):
    """Two ellipses in a row are one, inside corner brackets too."""
    verdict = verdict_on(
        quote, source="河边的老房子在春天卖给了我妹妹，花园和所有的树都留给了我们，后来我们搬到了城里。"
    )
    assert (verdict.status, verdict.match.text) == ("elided", "房子在春天卖给了我妹妹")


@pytest.mark.parametrize(
    "quote", ["…was sold to my sister", "was sold to my sister ...", "[…] was sold to my sister […]"]
)
def test_a_quote_that_marks_only_its_ends_is_all_there(quote):
    """Nothing is omitted inside it, so it is normalized, and accepted even where elided quotes are not."""
    verdict = verdict_on(quote, source=TEXT, accept=["exact", "normalized"])
    assert (verdict.status, verdict.accepted, reasons_of(verdict)) == ("normalized", True, ["ellipsis"])
    assert (verdict.match.text, len(verdict.all_spans)) == ("was sold to my sister", 1)


def test_an_ellipsis_of_the_source_is_no_gap():
    """A verbatim occurrence takes precedence over reading the marks."""
    verdict = verdict_on("Wait... what did he say", source=TEXT)
    assert (verdict.status, verdict.reasons) == ("exact", ())
    assert verdict_on("wait… what did he say", source=TEXT).status is QuoteStatus.NORMALIZED


@pytest.mark.parametrize(
    ("quote", "status"),
    [
        pytest.param("“[油价]当然会上涨......当然！", "exact", id="to-the-letter"),
        pytest.param("[油价]当然会上涨……当然", "normalized", id="another-ellipsis"),
        pytest.param("……[油价]当然会上涨", "elided", id="behind-an-ellipsis"),
        pytest.param("[10:05] We went there", "exact", id="a-time"),
        pytest.param("[10:05] We went … home", "elided", id="a-time-and-an-ellipsis"),
        pytest.param("We went … home [10:07]", "elided", id="a-time-behind"),
        pytest.param("[10:06] We went … home", "altered", id="another-time"),
        pytest.param("We saw [3] of them … home", "altered", id="words-left-out-beside"),
    ],
)
def test_brackets_of_the_source_are_no_author_s(quote, status):
    """Brackets in both texts are no difference; partial ones are still compared."""
    source = (
        "伊朗国王说：“[油价]当然会上涨......当然！这是怎么回事！” [10:05] We went there and then home. [10:07] And so. "
        "We saw [3] none of them at home."
    )
    verdict = verdict_on(quote, source=source)
    assert (verdict.status, verdict.accepted) == (status, status != "altered")


@pytest.mark.parametrize(
    ("quote", "hidden"),
    [
        ("They did … want it", ("not",)),
        ("Nobody asked … even the neighbours", ("not",)),
        ("I have … been there", ("never",)),
    ],
)
def test_a_hidden_negation_is_reported(quote, hidden):
    """An ellipsis in place of a negation makes a quote altered, under any policy."""
    verdict = verdict_on(quote, source=TEXT)
    assert (verdict.status, verdict.accepted, verdict.hidden) == ("altered", False, hidden)
    assert reasons_of(verdict)[:2] == ["hidden_meaning", "ellipsis"]


def test_a_negation_in_a_sentence_of_its_own_is_not_hidden():
    """Omitting whole sentences is legitimate."""
    verdict = verdict_on("the garden … was kept by us. … We moved to town", source=TEXT)
    assert (verdict.status, verdict.hidden, len(verdict.all_spans)) == ("elided", (), 3)


def test_an_occurrence_that_hides_nothing_is_preferred():
    """One of several occurrences without a hidden negation is enough, as for a verbatim quote."""
    source = "The plan was not, in our view, sound. The plan was, in his view, sound."
    verdict = verdict_on("The plan was … view, sound", source=source)
    assert (verdict.status, verdict.all_spans) == ("elided", ((38, 50), (59, 70)))


@pytest.mark.parametrize(
    ("quote", "status"),
    [
        pytest.param("was sold to my sister … The old house", "absent", id="the-other-way-round"),
        pytest.param("in spring … in spring", "absent", id="said-once-quoted-twice"),
        pytest.param("the … the … the", "elided", id="three-of-a-word"),
        pytest.param("river … liver", "absent", id="a-part-that-is-not-there"),
        pytest.param("ouse by the ri … old to my si", "absent", id="A10-parts-of-words"),
    ],
)
def test_parts_are_in_order(quote, status):
    """Each part has its own span, after the one before."""
    assert verdict_on(quote, source=TEXT).status == status


@pytest.mark.parametrize(("max_gap_chars", "status"), [(0, "absent"), (13, "absent"), (14, "elided"), (500, "elided")])
def test_gaps_are_bounded(max_gap_chars, status):
    """An ellipsis may replace only a limited number of characters."""
    assert verdict_on("The old house … was sold", source=TEXT, max_gap_chars=max_gap_chars).status == status


def test_the_occurrences_with_the_shortest_gaps_are_chosen():
    """The nearest occurrence before a part belongs to it."""
    source = "It began. It began again and ended well. It ended."
    assert verdict_on("It began … ended", source=source).all_spans == ((10, 18), (29, 34))


def test_a_frequent_part_is_searched_near_the_others():
    """A common word occurs thousands of times before the right place."""
    source = "the sea and " * 5_000 + "the town sleeps"
    verdict = verdict_on("the … sleeps", source=source)
    assert (verdict.status, verdict.match.text) == ("elided", "the town sleeps")


@pytest.mark.parametrize(
    ("quote", "status", "reasons"),
    [
        pytest.param("[T]he garden with all its trees", "normalized", ["editorial_brackets", "case"], id="letter"),
        pytest.param("the old [sic] house by", "normalized", ["editorial_brackets", "case"], id="sic"),
        pytest.param("The old house [(sic!)] by", "elided", ["editorial_brackets"], id="words-with-sic"),
        pytest.param("The old house [on the Thames] was sold", "elided", ["editorial_brackets"], id="words"),
        pytest.param("[She said that the] old house", "elided", ["editorial_brackets"], id="leading"),
        pytest.param("sold to my sister [Anna] in spring", "elided", ["editorial_brackets"], id="a-name-explains"),
        pytest.param("We moved to town [in 1950]", "altered", ["date", "editorial_brackets"], id="a-year"),
        pytest.param("They did [indeed] want it", "altered", ["negation", "editorial_brackets"], id="replaces-not"),
        pytest.param("The house was [not] sold", "absent", ["below_threshold"], id="not-there"),
        pytest.param(
            "The old house by the river was [not] sold", "altered", ["negation", "editorial_brackets"], id="not"
        ),
        pytest.param(
            "The old house by the river was [not] [really] sold",
            "altered",
            ["negation", "editorial_brackets"],
            id="two",
        ),
        pytest.param(
            "The old house [of ours] … was sold", "elided", ["ellipsis", "editorial_brackets"], id="words-and-ellipsis"
        ),
        pytest.param(
            "They did [all] … want it",
            "altered",
            ["quantifier", "hidden_meaning", "ellipsis", "editorial_brackets"],
            id="hidden",
        ),
    ],
)
def test_brackets_of_the_author(quote, status, reasons):
    """They may add a few words, omit some, or explain a name, but not change the meaning."""
    verdict = verdict_on(quote, source=TEXT)
    assert (verdict.status, reasons_of(verdict)) == (status, reasons)


@pytest.mark.parametrize(
    ("quote", "source", "status", "reasons"),
    [
        pytest.param("[un]happy about the house", "happy about the house", "altered", ["negation"], id="before"),
        pytest.param("her kind[less] brother came", "her kind brother came", "altered", ["negation"], id="behind"),
        pytest.param("the un[happy] man went home", "the happy man went home", "altered", ["wording"], id="the-stem"),
        pytest.param(
            "she was [un]happy abuot all of the house",
            "she was happy about all of the house",
            "altered",
            ["wording"],
            id="with-a-slip",
        ),
        pytest.param("she was … [un]happy here", "she was so happy here", "altered", ["negation"], id="by-an-ellipsis"),
        pytest.param("the [thir]teen of the girls", "the teen of the girls", "altered", ["number"], id="a-number"),
        pytest.param("walk[ed] to the house", "walk to the house", "elided", ["editorial_brackets"], id="an-ending"),
        pytest.param("[un]happy about the house", "unhappy about the house", "near", ["spelling"], id="the-same"),
        pytest.param("we were not[citation needed] so", "we were not so", "elided", ["editorial_brackets"], id="words"),
    ],
)
def test_letters_in_brackets_make_a_word(quote, source, status, reasons):
    """Letters that an author inserts into a word belong to it: [un]happy for happy changes the meaning."""
    verdict = verdict_on(quote, source=f"That is all. {source}, she said to all who came by.")
    assert (verdict.status, reasons_of(verdict)[: len(reasons)]) == (status, reasons)


@pytest.mark.parametrize("quote", ["The old house [[by] the] river", "[[[The old house", "The old ]] house ["])
def test_brackets_that_do_not_close_are_punctuation(quote):
    """Nothing is guessed about them; the words are compared."""
    assert verdict_on(quote, source=TEXT).status in {"near", "elided", "absent"}


@pytest.mark.parametrize(
    ("quote", "reason"),
    [
        pytest.param("[h]e said to be rich", "modal", id="modal"),
        pytest.param("[N]obody may enter the alarm rings", "condition", id="condition"),
        pytest.param("[w]e did [s]ell the old boat to the miller", "negation", id="negation"),
    ],
)
def test_a_letter_in_brackets_hides_no_difference(quote, reason):
    """Ruling A9: the quote is compared without these brackets, and the spans are those of the quote as written."""
    source = (
        "He is said to be rich. Nobody may enter if the alarm rings. "
        "We did not sell the old boat to the miller in spring."
    )
    (verdict,) = assess_quotes([quote], source)
    assert (verdict.status, verdict.accepted) == ("altered", False)
    assert (verdict.reasons[0], verdict.reasons[-1]) == (reason, "editorial_brackets")
    assert [each.quote_text for each in verdict.differences] == [
        quote[slice(*each.quote_span)] for each in verdict.differences
    ]


@pytest.mark.parametrize("quote", ["[The drug] is safe", "[ the drug ] is safe"])
def test_words_in_brackets_that_the_source_has_do_not_hide_a_negation(quote):
    """The words before them reverse the quote, as they do without the brackets."""
    source = "We do not believe that the drug is safe for children."
    reasons = [verdict.reasons for verdict in assess_quotes(["the drug is safe", quote], source)]
    assert all("reversed_context" in each for each in reasons)
    assert assess_quotes([quote], "We know that the drug is safe.")[0].accepted


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        pytest.param("the boat cost $5 …", "the boat cost $5 million …", id="at-the-end"),
        pytest.param("… 5 million for repairs", "… $5 million for repairs", id="at-the-start"),
        pytest.param("the boat cost $5 … for repairs", "the boat cost $5 million … repairs", id="inside"),
        pytest.param("the boat cost $5 [sic]", "the boat cost $5 million [sic]", id="sic"),
        pytest.param("[T]he boat cost $5", "[T]he boat cost $5 million", id="letter"),
    ],
)
def test_part_of_a_number_is_another_number(part, whole):
    """Ruling A9: a quote with an ellipsis or brackets omits neither a million nor a currency."""
    verdicts = assess_quotes([part, whole], "In May the boat cost $5 million for repairs in the harbour.")
    assert [verdict.accepted for verdict in verdicts] == [False, True]


def test_the_number_of_parts_is_limited():
    """One more is refused with a clear reason, and none is dropped silently."""
    source = " ".join(f"word{number}" for number in range(100))
    parts = source.split()[: MAX_FRAGMENTS + 1]
    assert verdict_on(" … ".join(parts[:-1]), source=source).status is QuoteStatus.ELIDED
    assert reasons_of(verdict_on(" … ".join(parts), source=source)) == ["too_many_ellipses"]


def test_a_quote_without_marks_has_no_parts():
    """Only marks split a quote."""
    assert fragments_of("Nothing, at all. Is [] marked") is None


def test_parts_are_the_same_whatever_stands_beside_them():
    """Positions of parts are cached for one call, and equal those of a single quote."""
    quotes = ["the … house", "The … was", "the … river", "the … was … the", "they … town"]
    assert assess_quotes(quotes, TEXT) == [assess_quotes([quote], TEXT)[0] for quote in quotes]
