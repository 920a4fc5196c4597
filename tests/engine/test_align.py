"""Source.align_quotes and Source.align: the passage that belongs to a quote, and the differences word by word."""

import copy
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import QuoteAlignment, Source, partial_ratio

MARKER = "marker-of-the-secret-text"


def applied(quote: str, text: str, alignment: QuoteAlignment) -> str:
    """Return the quote with each edit's source text in place of its own."""
    pieces, at = [], 0
    for quote_start, quote_end, source_start, source_end in alignment.edits:
        pieces += [quote[at:quote_start], text[source_start:source_end]]
        at = quote_end
    return "".join([*pieces, quote[at:]])


def aligned(quote: str, text: str, threshold: float = 0.5) -> tuple[str, list[tuple[str, str]]]:
    """Return the passage, and (quote, source) of each edit."""
    source = Source(text, profile="typographic")
    [alignment] = source.align_quotes([quote], threshold=threshold)
    assert applied(quote, text, alignment) == text[alignment.start : alignment.end]
    assert source.align(quote, alignment.start, alignment.end).edits == alignment.edits
    edits = [(quote[a:b], text[c:d]) for a, b, c, d in alignment.edits]
    return text[alignment.start : alignment.end], edits


@pytest.mark.parametrize(
    ("quote", "text", "expected"),
    [
        pytest.param("15 mg", "take 15 mg daily", [], id="the-same"),
        pytest.param(
            "the 15 mg dose", "at the 50 mg doses", [("15", "50"), ("dose", "doses")], id="two-words-in-a-row"
        ),
        pytest.param("I do want it", "so I do not want it", [("", "not ")], id="dropped"),
        pytest.param("I do not want it", "so I do want it, I said", [("not ", "")], id="added"),
        pytest.param("the red big house", "look at the house over there", [("red big ", "")], id="two-words-added"),
        pytest.param("we cannot go", "well we can not go", [("cannot", "can not")], id="one-word-for-two"),
        pytest.param("we can not go", "well we cannot go", [("can not", "cannot")], id="two-words-for-one"),
        pytest.param("he is able to walk", "he is unable to walk", [("able", "unable")], id="part-of-a-word"),
        pytest.param("fifteen people came", "then ten people came", [("fifteen", "ten")], id="first-word"),
        pytest.param(
            "a quick brown fox", "it is a slow grey fox", [("quick", "slow"), ("brown", "grey")], id="one-to-one"
        ),
        pytest.param(
            "He can't, she said", "he can, she said, and did", [("He", "he"), ("can't", "can")], id="contraction"
        ),
        pytest.param("it cost 1,000.5 or so", "it cost 1,500.0 or so", [("1,000.5", "1,500.0")], id="number"),
        pytest.param("yes. I see it", "yes, I see it", [(".", ",")], id="sign"),
        pytest.param("hello there world", "hello there, world", [("", ",")], id="sign-dropped"),
        pytest.param("no", "another", [("no", "another")], id="inside-a-word"),
        pytest.param("i saw A and B", "I saw B and A", [("i", "I"), ("A", "B"), ("B", "A")], id="moved"),
        pytest.param("他说今天天气真好", "他说今天的天气不好吗", [("", "的"), ("真", "不")], id="han"),
        pytest.param("昨日は雨が降つた", "昨日は雪が降った", [("雨", "雪"), ("つ", "っ")], id="kana"),
        pytest.param("ฉันชอบกินข้าว", "เขาฉันไม่ชอบกินข้าว", [("", "ไม่")], id="thai"),
        pytest.param(
            "Он не курит и не пьёт",
            "Да, он не курит, но пьёт",
            [("Он", "он"), ("", ","), ("и ", ""), ("не", "но")],
            id="cyrillic",
        ),
        pytest.param("لم أشرب القهوة اليوم", "إنني لم أشرب الشاي اليوم", [("القهوة", "الشاي")], id="arabic"),
        pytest.param("Ich habe kein Geld mehr", "Nein: Ich habe Geld mehr", [("kein ", "")], id="german"),
    ],
)
def test_edits_are_the_words_that_differ(quote, text, expected):
    """
    Edits are minimal groups of whole words and signs; one side may be empty, and a space belongs to the word before
    it.
    """
    assert aligned(quote, text)[1] == expected


@pytest.mark.parametrize(
    ("quote", "text", "expected"),
    [
        pytest.param("she SAID No", "She said no", [("she", "She"), ("SAID", "said"), ("No", "no")], id="case"),
        pytest.param("one  two\nthree", "one two three", [("  ", " "), ("\n", " ")], id="white-space"),
        pytest.param(
            "“I can’t” – now", '"I can\'t" - now', [("“", '"'), ("can’t", "can't"), ("”", '"'), ("–", "-")], id="signs"
        ),
        pytest.param("well I see", "well <laughs> I see", [(" ", " <laughs> ")], id="mark"),
        pytest.param("an exam-\nple of it", "an example of it", [("exam-\nple", "example")], id="hyphenation"),
        pytest.param("the zero\u200bwidth", "the zerowidth", [("zero\u200bwidth", "zerowidth")], id="invisible"),
        pytest.param("cafe\u0301 noir", "café noir", [("cafe\u0301", "café")], id="accent"),
        pytest.param("the ﬁrst ½ hour", "the first 1⁄2 hour", [("ﬁrst", "first"), ("½", "1⁄2")], id="one-for-many"),
        pytest.param("  one two \n", "one two", [("  ", ""), (" \n", "")], id="ends-of-the-quote"),
    ],
)
def test_what_is_written_differently_is_an_edit_too(quote, text, expected):
    """Texts that are equal only after normalisation have edits for their original differences."""
    assert aligned(quote, text) == (text, expected)


@pytest.mark.parametrize(
    ("quote", "text", "passage"),
    [
        pytest.param(
            "We found that the new drug lowers the risk of stroke in older patients",
            "Yes. We found that the new drug, given early and every day, lowers the risk of stroke in older patients.",
            "We found that the new drug, given early and every day, lowers the risk of stroke in older patients",
            id="inserted-in-the-middle",
        ),
        pytest.param(
            "a example of it", "It is a great example of it.", "a great example of it", id="inserted-near-the-start"
        ),
        pytest.param(
            "the quote ends here -", "the quote ends here\n\n* next", "the quote ends here", id="sign-at-the-end"
        ),
        pytest.param("<laughs> so it is", "<laughs> so it is", "so it is", id="mark-at-the-start"),
    ],
)
def test_an_insertion_does_not_split_the_passage(quote, text, passage):
    """Text inserted in the middle does not split it; it begins and ends like the quote."""
    assert aligned(quote, text, 0.7)[0] == passage


def test_below_the_threshold_there_is_no_alignment():
    """The threshold is that of the window, as for find."""
    source = Source("I can not sleep at all")
    [near, far, exact] = source.align_quotes(["I cannot slep", "we never met", "sleep at"], threshold=0.85)
    assert far is None
    assert near.score == source.find("I cannot slep", mode="fuzzy").score
    assert (exact.score, exact.edits) == (1.0, [])


def test_blank_and_too_long_quotes_have_no_passage():
    """Rulings A6 and A8: a blank quote matches nothing, and a longer one is no quote of the text."""
    assert Source("a text").align_quotes(["", " \n", "a text too", "a  text"], threshold=0)[:3] == [None] * 3
    assert Source("").align_quotes(["", "a"], threshold=0) == [None, None]


def test_align_compares_with_the_passage_that_is_given():
    """All of the passage counts, wherever the quote is in the text; the score is that of these two."""
    source = Source("no. I said no. Never", profile="typographic")
    alignment = source.align("I said yes", 4, 13)
    assert (alignment.start, alignment.end, alignment.edits) == (4, 13, [(7, 10, 11, 13)])
    assert alignment.score == partial_ratio("i said yes", "i said no") / 100
    assert source.align("", 4, 10).edits == [(0, 0, 4, 10)]
    assert source.align("said", 4, 4).edits == [(0, 4, 4, 4)]
    assert source.align(" ", 3, 4).edits == source.align("", 5, 5).edits == []


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (3, 2), (0, 6), (6, 6), (0, 2**70)])
def test_a_passage_outside_the_text_is_refused(start, end):
    """The error has the length of the text, not its content."""
    with pytest.raises(ValueError, match=r"^start must not be above end, and both must be between 0 and 5$"):
        Source("abcde").align("a", start, end)


def test_wrong_types_are_refused():
    """By name, without the text."""
    source = Source(MARKER)
    with pytest.raises(TypeError, match=r"^quotes\[1\] must be a str, got int$"):
        source.align_quotes(["a", 1])
    with pytest.raises(TypeError, match=r"^start must be an int, got str$"):
        source.align("a", "0", 1)
    with pytest.raises(ValueError, match=r"^threshold must be between 0 and 1, got 2"):
        source.align_quotes(["a"], threshold=2)


pieces = st.lists(
    st.sampled_from(
        [
            *["the", "dose", "is", "15", "mg", "not", "½", "so", ".", ",", "’", "'", "-", "<", ">"],
            " ",
            "  ",
            "\n",
            "<b>",
            "É",
            "e\u0301",
            "天",
            "気",
            "\u00ad",
        ]
    )
).map("".join)


@given(pieces, pieces, pieces)
def test_edits_turn_the_quote_into_the_passage(quote, before, text):
    """Edits are in order, do not overlap, lie inside both texts, and turn the quote into the passage."""
    source = Source(f"{before}{text}{before}", profile="typographic")
    for alignment in [
        *source.align_quotes([quote], threshold=0),
        source.align(quote, len(before), len(before) + len(text)),
    ]:
        if alignment is None:
            continue
        at = (0, alignment.start)
        for quote_start, quote_end, source_start, source_end in alignment.edits:
            assert at[0] <= quote_start <= quote_end <= len(quote)
            assert at[1] <= source_start <= source_end <= alignment.end
            assert quote[quote_start:quote_end] != source.text[source_start:source_end]
            at = (quote_end, source_end)
        assert applied(quote, source.text, alignment) == source.text[alignment.start : alignment.end]


@given(pieces, st.sampled_from(["spec", "typographic"]))
def test_a_text_does_not_differ_from_itself(text, profile):
    """There are no edits, whatever characters it has."""
    source = Source(text, profile=profile)
    assert source.align(text, 0, len(text)).edits == []


def test_workers_change_nothing():
    """Results are in the order of the quotes, with any number of workers."""
    text = " ".join(f"sentence {number} says that it is number {number}." for number in range(3000))
    source = Source(text)
    quotes = [f"sentence {number} say that it was number {number}." for number in range(0, 3000, 100)]
    assert source.align_quotes(quotes, workers=2) == source.align_quotes(quotes) == source.align_quotes(iter(quotes))


def test_an_alignment_is_a_value():
    """It can be compared, hashed, copied and pickled; its repr shows positions only."""
    text = f"one two {MARKER} three"
    [alignment] = Source(text).align_quotes([f"one too {MARKER}"])
    [same] = Source(text).align_quotes([f"one too {MARKER}"])
    assert alignment == same == copy.copy(alignment) == pickle.loads(pickle.dumps(alignment))
    assert hash(alignment) == hash(same)
    assert alignment != Source(text).align_quotes(["one two"])[0]
    assert repr(alignment).endswith("edits=[(4, 7, 4, 7)])")
    assert MARKER not in repr(alignment)


def test_a_long_quote_is_aligned():
    """Three edits in a hundred thousand characters are three edits, although every line resembles the next."""
    text = "".join(f"line {number} of many lines\n" for number in range(5_000))
    quote = text.replace("line 777 of", "line 77 off").replace("line 3000 ", "")
    alignment = Source(text).align(quote, 0, len(text))
    assert [(quote[a:b], text[c:d]) for a, b, c, d in alignment.edits] == [
        ("77", "777"),
        ("off", "of"),
        ("", "line 3000 "),
    ]


def test_labelled_quotes_overlap_where_they_were_taken(shared_data):
    """Every near quote that is found overlaps its origin."""
    sources, wrong, compared = {}, [], 0
    with (shared_data / "quotes.jsonl").open(encoding="utf-8") as file:
        quotes = [quote for quote in map(json.loads, file) if quote["kind"] in {"typo", "number-changed", "negation"}]
    for quote in quotes:
        document, start, end = quote["origin"]
        if document not in sources:
            text = (shared_data / "corpora" / document).read_bytes().decode("utf-8")
            sources[document] = Source(text, profile="typographic")
        source = sources[document]
        [alignment] = source.align_quotes([quote["quote"]])
        if alignment is None:
            continue
        assert applied(quote["quote"], source.text, alignment) == source.text[alignment.start : alignment.end]
        compared += 1
        wrong += [quote["id"]] if alignment.end <= start or end <= alignment.start else []
    assert compared > 150
    # The document repeats it, and the leftmost place is returned.
    assert len(wrong) <= 1, wrong
