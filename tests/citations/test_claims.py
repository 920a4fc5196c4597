"""Claims: which sentences they are, and which citations belong to them."""

import pytest
from hypothesis import given, settings

from effort import examples
from groundwire import _engine
from oracles.answers import read_answer_naive

from .answers_made import ids_in_use, markdown_answers, plain_answers


def native(answer, ids):
    """Return the engine's reading as plain values."""
    read = _engine.read_answer(answer, ids)
    statuses = [
        [
            (name, "valid" if name in marker.valid_ids else "invalid" if name in marker.invalid_ids else "ignored")
            for name in marker.ids
        ]
        for marker in read.markers
    ]
    return {
        "markers": [(m.start, m.end, m.form, items, m.status) for m, items in zip(read.markers, statuses, strict=True)],
        "sentences": list(read.sentences),
        "claims": [(c.start, c.end, c.width, list(c.markers), c.is_long) for c in read.claims],
    }


def naive(answer, ids):
    """Return the same by the rules in plain Python."""
    read = read_answer_naive(answer, ids)
    return {
        "markers": [(m.start, m.end, m.form, m.items, m.status) for m in read.markers],
        "sentences": read.sentences,
        "claims": [(c.start, c.end, c.weight, c.markers, c.weight > 50) for c in read.claims],
    }


@settings(max_examples=examples(600))
@given(markdown_answers, ids_in_use)
def test_markdown_is_read_as_by_the_rules_in_plain_python(answer, ids):
    """Markers, sentences and claims of answers with all kinds of Markdown."""
    assert native(answer, ids) == naive(answer, ids)


@settings(max_examples=examples(600))
@given(plain_answers, ids_in_use)
def test_plain_text_is_read_as_by_the_rules_in_plain_python(answer, ids):
    """The same holds for text that needs no parser."""
    assert native(answer, ids) == naive(answer, ids)


def claims(answer, read_answer):
    """Return the text of each claim and the texts of its citations."""
    read = read_answer(answer, ["1", "2", "3"])
    spans = [(marker.start, marker.end) for marker in read.markers]
    return [
        (answer[claim.start : claim.end], [answer[slice(*spans[index])] for index in claim.markers])
        for claim in read.claims
    ]


BOILS, FLOATS = "水在一百度的时候就会沸腾。", "冰会浮在湖水的上面吗？"
WATER = "Water boils at a hundred degrees"
ICE = "Ice floats on the water of lakes"


@pytest.mark.parametrize("read_answer", [_engine.read_answer, read_answer_naive], ids=["engine", "naive"])
@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        pytest.param(f"{WATER} [1]. {ICE}.", [(f"{WATER} [1].", ["[1]"]), (f"{ICE}.", [])], id="before-the-stop"),
        pytest.param(f"{WATER}.[1] {ICE}.", [(f"{WATER}.", ["[1]"]), (f"{ICE}.", [])], id="after-the-stop"),
        pytest.param(f"{WATER}. [1] {ICE}.", [(f"{WATER}.", ["[1]"]), (f"{ICE}.", [])], id="after-a-space"),
        pytest.param(f"{WATER}. [1][2] {ICE}.", [(f"{WATER}.", ["[1]", "[2]"]), (f"{ICE}.", [])], id="several"),
        pytest.param(f"{WATER}. [1], [2] {ICE}.", [(f"{WATER}.", ["[1]", "[2]"]), (f"{ICE}.", [])], id="comma"),
        pytest.param(f"“{WATER}.”[1] {ICE}.", [(f"“{WATER}.”", ["[1]"]), (f"{ICE}.", [])], id="after-the-quote"),
        pytest.param(f'"{WATER}." [1] {ICE}.', [(f'"{WATER}."', ["[1]"]), (f"{ICE}.", [])], id="after-straight-quotes"),
        pytest.param(f"**{WATER}.** [1] {ICE}.", [(f"{WATER}.", ["[1]"]), (f"{ICE}.", [])], id="after-emphasis"),
        pytest.param(f"{WATER}.<sup>[1]</sup> {ICE}.", [(f"{WATER}.", ["[1]"]), (f"{ICE}.", [])], id="raised"),
        pytest.param(f"{WATER}!【2】{ICE}.", [(f"{WATER}!", ["【2】"]), (f"{ICE}.", [])], id="no-space-at-all"),
        pytest.param(
            f"{WATER}. [2] says that {ICE}.", [(f"{WATER}.", []), (f"[2] says that {ICE}.", ["[2]"])], id="as-a-word"
        ),
        pytest.param(f"{WATER}.\n[1] {ICE}.", [(f"{WATER}.", []), (f"[1] {ICE}.", ["[1]"])], id="before-the-line"),
        pytest.param(f"{WATER}.\n[1]\n{ICE}.", [(f"{WATER}.", ["[1]"]), (f"{ICE}.", [])], id="on-its-own-line"),
        pytest.param(
            f"{WATER}.\n\n[1][2]\n\n{ICE}.", [(f"{WATER}.", ["[1]", "[2]"]), (f"{ICE}.", [])], id="own-paragraph"
        ),
        pytest.param(f"{BOILS}[1]{FLOATS}[2]", [(BOILS, ["[1]"]), (FLOATS, ["[2]"])], id="cjk"),
        pytest.param(f"“{BOILS}”[1]{FLOATS}", [(f"“{BOILS}”", ["[1]"]), (FLOATS, [])], id="cjk-quote"),
        pytest.param(f"- {WATER} [1]\n- {ICE}", [(WATER, ["[1]"]), (ICE, [])], id="items"),
        pytest.param(f"1. {WATER} 2. {ICE} [1]", [(WATER, []), (f"2. {ICE}", ["[1]"])], id="items-in-a-line"),
        pytest.param(f"So:\n\n1[1]. {WATER}.", [(f"1[1]. {WATER}.", ["[1]"])], id="label-that-cites"),
        pytest.param(f"# {WATER}\n\n{ICE} [1]", [(ICE, ["[1]"])], id="heading"),
        pytest.param(
            f"| {WATER} | Where |\n|---|---|\n| {ICE} | [1] |\n| {WATER} | no |",
            [(ICE, ["[1]"]), (WATER, [])],
            id="cells",
        ),
        pytest.param(f"| A | B | C |\n|---|---|---|\n| {WATER} | 5 | [1] |", [(WATER, ["[1]"])], id="cell-of-the-row"),
        pytest.param(f"> {WATER}\n> in a pot [1].", [(f"{WATER}\n> in a pot [1].", ["[1]"])], id="block-quote"),
        pytest.param(f"{WATER} [sic].", [(f"{WATER} [sic].", [])], id="ignored-is-no-citation"),
        pytest.param(f"Yes [1]. {ICE}.", [(f"{ICE}.", [])], id="too-short"),
        pytest.param(f"```\n{WATER}\n```\n\n![{WATER}](a.png)", [], id="no-prose"),
        pytest.param(f"{WATER}\r\n\r\n[1]\r\n", [(WATER, ["[1]"])], id="crlf"),
    ],
)
def test_citations_belong_to_claims(answer, wanted, read_answer):
    """Each claim has all citations that belong to it, and its text ends before those that follow it (B2)."""
    assert claims(answer, read_answer) == wanted


@pytest.mark.parametrize(
    ("sentence", "weight"),
    [
        pytest.param("a" * 20 + ".", 21, id="letters"),
        pytest.param("a" * 20 + " [1][2].", 22, id="citations-do-not-count"),
        pytest.param("水" * 11 + "。", 23, id="han-counts-twice"),
        pytest.param("カ" * 11, 22, id="kana-counts-twice"),
        pytest.param("한" * 22, 22, id="hangul-counts-once"),
        pytest.param("a " * 11 + "  a", 23, id="white-space-counts-once"),
        pytest.param("**" + "a" * 30 + "** [b](https://a.example/long)", 32, id="markup-does-not-count"),
        pytest.param("a" * 51, 51, id="long"),
        pytest.param("a" * 50, 50, id="not-long"),
    ],
)
def test_weight(sentence, weight):
    """Width as a reader sees it (B8): claims have more than 20, long ones more than 50."""
    (claim,) = _engine.read_answer(sentence, ["1", "2"]).claims
    assert claim.width == weight
    assert claim.is_long == (weight > 50)


@pytest.mark.parametrize(
    "sentence",
    [
        pytest.param("a" * 20, id="twenty"),
        pytest.param("a" * 19 + "[1].", id="twenty-and-a-citation"),
        pytest.param("水" * 10, id="ten-han"),
    ],
)
def test_short_sentences_claim_nothing(sentence):
    """Twenty characters are too short for a claim (B8)."""
    read = _engine.read_answer(sentence, ["1"])
    assert (len(read.sentences), len(read.claims)) == (1, 0)


@pytest.mark.parametrize("read_answer", [_engine.read_answer, read_answer_naive], ids=["engine", "naive"])
@pytest.mark.parametrize(
    ("sentence", "is_claim"),
    [
        pytest.param("Some of the common causes are:", False, id="leads-in"),
        pytest.param("Some of the **common causes are:**", False, id="leads-in-bold"),
        pytest.param("一些常见的原因是以下这些因素：", False, id="leads-in-Chinese"),
        pytest.param("Some of the common causes are [1]:", True, id="leads-in-and-cites"),
        pytest.param("The ratio of the two sides is 3:1 there.", True, id="colon-inside"),
        pytest.param("I could not find any study of that.", False, id="first-person"),
        pytest.param("I'm glad that this is of help to you.", False, id="contracted"),
        pytest.param("I’ve found nothing about this matter.", False, id="contracted-curly"),
        pytest.param("I found a study of twelve mills [1].", True, id="first-person-and-cites"),
        pytest.param("I'mportant matters are read in full.", True, id="no-contraction"),
        pytest.param("I Claudius is a novel of the thirties.", True, id="a-title"),
        pytest.param("I. The first chapter is on the river.", True, id="a-numeral"),
        pytest.param("It is what I could not find at the mill.", True, id="I-inside"),
        pytest.param("In the year 2019 the mill was closed.", True, id="another-word"),
    ],
)
def test_introductions_and_self_references_are_no_claims(sentence, is_claim, read_answer):
    """A sentence that introduces others, or speaks of the answer itself, is a claim only if it cites."""
    assert bool(read_answer(sentence, ["1"]).claims) is is_claim
