"""Hostile quotes and texts: each has a verdict, and logs and errors contain none of their text."""

import pytest

from effort import effort
from groundwire import Source
from groundwire.evidence import QuotePolicy, QuoteStatus, assess_quotes

from .assessed import CONVERSATION, reasons_of

TEXT = "The quick brown fox jumps over the lazy dog. It was not late, and the night was warm. " * 1_000
SENTENCE = "the quick brown fox jumps over the lazy dog. "
CHARS = effort(200_000, 1_000_000)

HUGE = {
    "words": "word " * (CHARS // 5),
    "one-word": "a" * CHARS,
    "dots": "." * CHARS,
    "spaced-dots": ". " * (CHARS // 2),
    "ellipses": "… " * (CHARS // 2),
    "ellipses-and-words": "the … " * (CHARS // 6),
    "brackets": "[" * CHARS,
    "closed-brackets": "[" * (CHARS // 2) + "]" * (CHARS // 2),
    "bracketed-words": "[a] " * (CHARS // 4),
    "sic-and-space": "[sic" + " " * CHARS,
    "ellipsis-and-space": "[..." + " " * CHARS,
    "bracket-and-space": ("[" + " " * 1_000) * 1_000,
    "bracketed-dots": "[" + "." * CHARS,
    "nuls": "\0" * CHARS,
    "surrogates": "\ud800" * CHARS,
    "white-space": " \n" * (CHARS // 2),
    "angles": "<a" * (CHARS // 2),
    "combining": "e" + "\u0301" * CHARS,
    "han": "不" * CHARS,
    "digits": "1 " * (CHARS // 2),
    "quotation-marks": "\"'" * (CHARS // 2),
}


@pytest.mark.parametrize("quote", HUGE.values(), ids=HUGE.keys())
def test_a_quote_of_a_megabyte_has_a_verdict(quote):
    """It may be longer than the source, have no words, or few words and much space; it may also be the source."""
    verdict = assess_quotes([quote], TEXT)[0]
    assert verdict.status in {QuoteStatus.ABSENT, QuoteStatus.BLANK}
    assert reasons_of(verdict)[0] in {"longer_than_source", "no_words", "below_threshold"}
    assert len(assess_quotes(["the fox … dog", "a [b] c", "fox", quote[:200]], quote)) == 4


@pytest.mark.parametrize("name", HUGE)
def test_a_long_quote_in_a_text_that_is_longer(name):
    """If its length does not exclude it, the quote is split and aligned."""
    # A Python step for each pair of their characters would still take minutes.
    quote = HUGE[name][: len(TEXT) * 3 // 4]
    verdict = assess_quotes([quote + " zebras"], TEXT)[0]
    assert not verdict.accepted
    assert verdict.status in {QuoteStatus.ABSENT, QuoteStatus.ALTERED}


def test_a_long_quote_that_is_there_is_found():
    """A quarter of a megabyte is found verbatim, with a typo, and in parts."""
    slip = TEXT.replace("lazy", "lzy", 1)
    verdicts = assess_quotes(
        [TEXT.strip(), slip, TEXT[:40_000].strip() + " … " + TEXT[43_000:].strip()],
        "Oh. " + TEXT,
        policy=QuotePolicy(max_gap_chars=5_000),
    )
    assert [verdict.status for verdict in verdicts] == ["exact", "near", "elided"]


def test_very_many_quotes():
    """Each has its verdict, in order."""
    kinds = [
        "It was not late",
        "it WAS not  late",
        "the quick browm fox jumps over the lazy dog",
        "no such words",
        "…",
        "fox … the",
    ]
    quotes = [kinds[place % len(kinds)] for place in range(CHARS // 10)]
    verdicts = assess_quotes(quotes, TEXT[:1_000], workers=2)
    assert len(verdicts) == len(quotes)
    assert [verdict.status for verdict in verdicts[:6]] == ["exact", "normalized", "near", "absent", "blank", "elided"]
    assert all(a.status is b.status and a.match == b.match for a, b in zip(verdicts, verdicts[6:], strict=False))


@pytest.mark.parametrize("text", ["", " ", "…", "\0", "\ud800", "[", "no"])
@pytest.mark.parametrize("quote", ["", "…", "\0", "\ud800", "a\0b", "\ud800 a", "[a]", "…a…", "no", "[no]", "no … no"])
def test_the_shortest_texts(quote, text):
    """These are the empty text and the shortest ones."""
    verdict = assess_quotes([quote], text)[0]
    assert verdict.accepted is (quote == text == "no")


def test_nuls_and_lone_surrogates_are_characters():
    """They are kept, compared and cut like any other character."""
    verdict = assess_quotes(["b\0c \ud800 d"], "a b\0c \ud800 d e")[0]
    assert (verdict.status, verdict.match.start, verdict.match.end) == ("exact", 2, 9)


def test_no_text_is_logged_or_raised(caplog):
    """Errors name types and positions only."""
    caplog.set_level(0)
    assess_quotes(["zyxwhale borogroves"], "qorvexin slithytove")
    shown = []
    for arguments, options in [
        (("zyxwhale", "qorvexin"), {}),
        ((["zyxwhale", {"zyxwhale": 1}], "qorvexin"), {}),
        ((["zyxwhale"], ["qorvexin"]), {}),
        ((["zyxwhale"], "qorvexin"), {"policy": "zyxwhale"}),
        ((["zyxwhale"], "qorvexin"), {"cited": "zyxwhale borogroves"}),
        ((["zyxwhale"], "qorvexin"), {"policy": QuotePolicy(speakers=["qorvexin"])}),
        ((["zyxwhale"], CONVERSATION), {"workers": "qorvexin"}),
    ]:
        with pytest.raises((TypeError, ValueError)) as caught:
            assess_quotes(*arguments, **options)
        shown.append(f"{caught.value!r}{caught.value.__cause__!r}{caught.value.__context__!r}")
    with pytest.raises(ValueError, match="accept must not contain") as caught:
        QuotePolicy(accept=["zyxwhale borogroves"])
    shown.append(f"{caught.value!r}{caught.value.__context__!r}")
    assert caplog.records == []
    assert [word for word in ("zyxwhale", "borogroves", "qorvexin", "slithytove") if word in "".join(shown)] == []


def test_an_iterator_of_quotes_is_read_once():
    """None of its quotes is lost to a check before the search."""
    assert [verdict.status for verdict in assess_quotes(iter(["not late", "zebras"]), TEXT)] == ["exact", "absent"]


def test_a_source_can_be_shared_by_many_calls():
    """Earlier calls change nothing, however many there are."""
    source = Source(TEXT, profile="typographic")
    quotes = ["the night was cold", SENTENCE, "fox … dog", "not latr, and the night"]
    first = assess_quotes(quotes, source)
    assert all(assess_quotes(quotes, source) == first for _ in range(30))
