"""The match cascade: each status, and each reason code (rulings A2, A3, A6, A8, A9, A10)."""

from itertools import islice, product

import pytest

from groundwire import Source
from groundwire.evidence import QuotePolicy, QuoteReason, QuoteStatus, assess_quotes
from groundwire.evidence.differences import MEANING
from groundwire.evidence.verdicts import REASONS, STATUSES

from .assessed import (
    CONVERSATION,
    CONVERSATION_ROWS,
    NAMED_ROWS,
    POLICY_ROWS,
    ROWS,
    SEVERAL_ROWS,
    SOURCES,
    TEXT,
    reasons_of,
    verdict_on,
)


@pytest.mark.parametrize(("quote", "status", "is_accepted", "reasons"), ROWS.values(), ids=ROWS.keys())
def test_the_verdict_on_a_quote(quote, status, is_accepted, reasons):
    """Status, decision and codes, in the default policy."""
    verdict = verdict_on(quote)
    assert (verdict.status, verdict.accepted, reasons_of(verdict)) == (status, is_accepted, reasons)


@pytest.mark.parametrize(
    ("quote", "policy", "status", "is_accepted", "reasons"), POLICY_ROWS.values(), ids=POLICY_ROWS.keys()
)
def test_the_verdict_of_a_policy(quote, policy, status, is_accepted, reasons):
    """The policy may require more than the status."""
    verdict = assess_quotes([quote], TEXT, policy=policy)[0]
    assert (verdict.status, verdict.accepted, reasons_of(verdict)) == (status, is_accepted, reasons)


@pytest.mark.parametrize(
    ("quote", "speakers", "status", "is_accepted", "reasons"), CONVERSATION_ROWS.values(), ids=CONVERSATION_ROWS.keys()
)
def test_the_verdict_in_a_conversation(quote, speakers, status, is_accepted, reasons):
    """Speakers, and those who may be quoted, count."""
    verdict = verdict_on(quote, source=CONVERSATION, speakers=speakers)
    assert (verdict.status, verdict.accepted, reasons_of(verdict)) == (status, is_accepted, reasons)


@pytest.mark.parametrize(
    ("quote", "cited", "status", "is_accepted", "reasons"), SEVERAL_ROWS.values(), ids=SEVERAL_ROWS.keys()
)
def test_the_verdict_in_several_sources(quote, cited, status, is_accepted, reasons):
    """The cited source lacks the quote, and another one has it."""
    verdict = verdict_on(quote, source=SOURCES, cited=cited)
    assert (verdict.status, verdict.accepted, reasons_of(verdict)) == (status, is_accepted, reasons)


@pytest.mark.parametrize(
    ("quote", "source", "status", "is_accepted", "reasons"), NAMED_ROWS.values(), ids=NAMED_ROWS.keys()
)
def test_the_claimed_origin_is_checked(quote, source, status, is_accepted, reasons):
    """
    Ruling A20: speaker, source and page of a quote apply to that quote; a name that cannot be checked does not
    pass.
    """
    verdict = verdict_on(quote, source=source)
    assert (verdict.status, verdict.accepted, reasons_of(verdict)) == (status, is_accepted, reasons)
    assert (verdict.quote, verdict.speaker, verdict.page) == (quote.text, quote.speaker, quote.page)


def test_the_tables_above_have_every_status_and_every_reason():
    """Every code occurs, and each has a text."""
    rows = [
        *ROWS.values(),
        *POLICY_ROWS.values(),
        *CONVERSATION_ROWS.values(),
        *SEVERAL_ROWS.values(),
        *NAMED_ROWS.values(),
    ]
    # What a model finds is in test_paraphrases.py, pages without text in test_assess_documents.py.
    elsewhere = {QuoteStatus.PARAPHRASED, QuoteStatus.UNREADABLE}
    assert {row[-3] for row in rows} | elsewhere == set(QuoteStatus) == set(STATUSES)
    # The test below has the one that takes a long text.
    others = {QuoteReason.UNREAD, QuoteReason.ENTAILED}
    # Codes of documents are in test_assess_documents.py.
    others |= {QuoteReason.OTHER_PAGE, QuoteReason.ACROSS_PAGES, QuoteReason.UNREADABLE_PAGE}
    others |= {QuoteReason.IN_TABLE, QuoteReason.IN_FOOTNOTE}
    # The code of folded quotes is in test_variants.py.
    others |= {QuoteReason.VARIANTS}
    assert {reason for row in rows for reason in row[-1]} | others == set(QuoteReason) == set(REASONS)


def test_a_difference_that_is_too_long_to_read_is_not_accepted():
    """It is unknown whether a long difference changes the meaning (ruling A9)."""
    said = " ".join(map("".join, islice(product("bdfgklmnprst", "aeiou", repeat=3), 8_000)))
    quotes = [said[:8_000] + part + said[8_000:] for part in (" uh ", " uh" * 700 + " ")]
    verdicts = assess_quotes(quotes, said + " tail" * 2_000)
    assert [verdict.status for verdict in verdicts] == [QuoteStatus.NEAR, QuoteStatus.ALTERED]
    assert QuoteReason.UNREAD in reasons_of(verdicts[1])


def test_an_exact_quote_has_all_its_spans():
    """The first exact occurrence is the match; all of them are listed, in order."""
    verdict = verdict_on("very", source="Very old, very quiet, VERY far.")
    assert (verdict.match.start, verdict.match.text, verdict.score) == (10, "very", 1.0)
    assert verdict.all_spans == ((0, 4), (10, 14), (22, 26))


def test_occurrences_inside_words_are_skipped():
    """Ruling A10: `no` inside `another` does not count beside the word itself."""
    assert verdict_on("no", source="another no, nobody").all_spans == ((8, 10),)


@pytest.mark.parametrize("passage", [".5 mg", "−5 mg", "-5 mg", "1.5 mg", "1,5 mg", "10:5 mg"])
def test_a_quote_does_not_begin_inside_a_number(passage):
    """Rulings A9, A10: `5 mg` is another number than the one that contains its characters."""
    verdict = verdict_on("5 mg daily", source=f"She takes {passage} daily, no more.")
    assert (verdict.status, verdict.accepted) == (QuoteStatus.ALTERED, False)
    assert reasons_of(verdict) == ["number"]


@pytest.mark.parametrize("text", ["我不知道他去了哪里。", "どこへ行くのか知らない。", "ผมนอนไม่หลับ"])
def test_scripts_without_spaces_have_no_word_boundaries(text):
    """Ruling A10: Han, kana and Thai have no spaces between words."""
    verdict = verdict_on(text[2:5], source=text)
    assert (verdict.status, verdict.all_spans) == ("exact", ((2, 5),))


def test_differences_of_an_altered_quote_have_their_places():
    """Ruling A9: each has its kind and its span in both texts; the passage has whole words."""
    quote = "I wake at 5 a.m. evry day"
    verdict = verdict_on(quote)
    assert verdict.status is QuoteStatus.ALTERED
    assert reasons_of(verdict) == ["time", "spelling"]
    assert verdict.match.text == "I wake at 3 a.m. every day"
    assert [(each.quote_text, each.source_text) for each in verdict.differences] == [
        ("5 a.m.", "3 a.m."),
        ("evry", "every"),
    ]
    for each in verdict.differences:
        assert quote[slice(*each.quote_span)] == each.quote_text
        assert TEXT[slice(*each.source_span)] == each.source_text


def test_normalized_quotes_say_where_they_are_written_differently():
    """Differences of form are listed too, and none of them changes the meaning."""
    verdict = verdict_on("IT'S a well-known fact")
    assert reasons_of(verdict) == ["case", "typography", "marks"]
    assert verdict.differences
    assert not {each.kind for each in verdict.differences} & MEANING


def test_a_quote_of_the_length_of_its_source_is_not_longer():
    """Ruling A8: the lengths of the normalised texts count, and equal lengths pass."""
    assert verdict_on("I  slep   badly,", source="I sleep badly, ").status is QuoteStatus.NEAR
    assert verdict_on("I sleep  badly  ", source="i sleep badly").status is QuoteStatus.NORMALIZED
    assert reasons_of(verdict_on("I sleep badly..", source="I sleep    badly")) == ["longer_than_source"]


@pytest.mark.parametrize(
    "quote", ["…I sleep badly", "[He said:] I sleep badly", "I … sleep … badly … …", "I sleep [sic] badly"]
)
def test_a_quote_longer_than_its_source_is_not_accepted_for_its_marks(quote):
    """Ruling A8 has no exception for ellipses and brackets."""
    assert reasons_of(verdict_on(quote, source="I sleep badly")) == ["longer_than_source"]


@pytest.mark.parametrize(
    "source",
    [TEXT, Source(TEXT), Source(TEXT, profile="typographic"), Source(TEXT, name="a", profile="typographic")],
    ids=["text", "spec", "typographic", "named"],
)
@pytest.mark.parametrize("workers", [1, 4])
def test_the_verdict_does_not_depend_on_what_was_prepared(source, workers):
    """Sources of either profile, and more workers, change nothing."""
    quotes = [row[0] for row in ROWS.values()]
    assert assess_quotes(quotes, source, workers=workers) == assess_quotes(quotes, TEXT)


def test_the_marks_of_a_source_count():
    """Ruling A2: a Source decides which transcript tags are removed, in quotes as well."""
    source = Source("I [inaudible] sleep badly.", profile="typographic", marks=["brackets"])
    verdicts = assess_quotes(["I sleep badly", "[laughs]"], source)
    assert [each.status for each in verdicts] == ["normalized", "blank"]


def test_none_is_the_default_policy():
    """Without a policy the default applies."""
    quotes = [row[0] for row in ROWS.values()]
    assert assess_quotes(quotes, TEXT) == assess_quotes(quotes, TEXT, policy=QuotePolicy())


@pytest.mark.parametrize("quote", ["I can say it", "I can … it"])
def test_removed_tags_of_the_source_are_no_words(quote):
    """A transcriber's note that the source removes negates nothing, in a gap or outside (ruling A2)."""
    source = Source("I can [not clear] say it.", profile="typographic", marks=["brackets"])
    verdict = assess_quotes([quote], source)[0]
    assert verdict.accepted
    assert reasons_of(verdict) == (["marks"] if quote == "I can say it" else ["ellipsis"])


@pytest.mark.parametrize(
    ("quote", "passage", "is_accepted"),
    [
        ("The tram left at 9 a.m. with 20 km to go", "The tram left at 9:00 with twenty kilometres to go", True),
        ("We paid $3,000 for it in May 2019", "We paid three thousand dollars for it in May 2019", True),
        ("The tram left at 9 a.m. with 20 km to go", "The tram left at 7:00 with thirty kilometres to go", False),
    ],
)
def test_other_forms_are_found_in_a_long_text(quote, passage, is_accepted):
    """Ruling A18: below the threshold a quote is compared with the text around its matching segments."""
    other = "The tram left early, and we paid for it with the money that was left to us. " * 300
    text = f"{other}{passage}. {other}"
    (verdict,) = assess_quotes([quote], text)
    assert verdict.accepted is is_accepted
    if is_accepted:
        assert verdict.score < QuotePolicy().threshold
        assert text[verdict.match.start : verdict.match.end].rstrip(".") == passage
        assert all(quote[slice(*each.quote_span)] != text[slice(*each.source_span)] for each in verdict.differences)
