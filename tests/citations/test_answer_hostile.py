"""Odd and hostile answers: nothing raises, work stays linear, and Ctrl-C works."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import _engine
from waits import interrupt_long_work, scale_work

MARKER = "marker-of-the-secret-text"
IDS = ["1", "2", "[x]", "a,b"]
MANY = 100_000

# A parser of Markdown, a matcher of brackets or a splitter of sentences may take quadratic time here.
PIECES = {
    "opening": "[",
    "closing": "]",
    "half": "[1",
    "citation": "[1]",
    "range": "[1-1000]",
    "link": "[a](",
    "image": "![",
    "escape": "\\[",
    "odd-id": "[[x",
    "lenticular": "【",
    "footnote": "[^1]: ",
    "definition": "[a]: <",
    "dagger": "【1†",
    "stop": ".",
    "wide-stop": "。",
    "ellipsis": "… ",
    "spaced": ". . . . A",
    "marks": "?! ",
    "abbreviation": "U.S. ",
    "time": "x p.m. ",
    "label": "1. ",
    "bullet": "• ",
    "quote": '" ',
    "curly": "“",
    "parenthesis": "a.(",
    "pair": "(a. B) ",
    "fence": "```",
    "fences": "```\n",
    "ticks": "`a``",
    "quotation": "> ",
    "item": "- ",
    "star": "*a_ ",
    "tag": "<a ",
    "comment": "<!--",
    "block": "<pre>\n",
    "div": "<div>\n<",
    "row": "|-",
    "cell": "| [1] ",
    "lines": "a\r\n",
    "empty": "\n",
    "nul": "\0",
    "surrogate": "\ud800. ",
    "right-to-left": "\u202e. ",
    "combining": ".\u0301",
    "entity": "&amp;",
}


@pytest.mark.parametrize("piece", PIECES.values(), ids=PIECES)
def test_a_million_characters_of_one_kind(piece):
    """Quadratic work would not end."""
    answer = piece * (1_000_000 // len(piece))
    read = _engine.read_answer(answer, IDS)
    assert all(0 <= start < end <= len(answer) for start, end in read.sentences)
    assert all(0 <= start < end <= len(answer) for start, end in _engine.sentences(answer))


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("- " * 3_000 + "a" + "\n" * MANY, id="deep-list-and-blank-lines"),
        pytest.param("".join("  " * depth + "- a\n" for depth in range(600)) + "\n" * MANY, id="list-by-indentation"),
        pytest.param(("> " * 200 + "a\n") * 2_000, id="deep-quotations"),
        pytest.param("[" * MANY + "]" * MANY, id="nested-brackets"),
        pytest.param("“" * MANY + "”" * MANY, id="nested-quotations"),
        pytest.param("1" + " " * MANY + ".x" * MANY, id="label-and-white-space"),
        pytest.param("a" + "\u0301" * MANY + ". B", id="marks-on-one-letter"),
        pytest.param("[" + "1," * MANY + "1]", id="long-list"),
        pytest.param("[" + "1-1000," * MANY + "1]", id="long-list-of-ranges"),
        pytest.param("|" * 5_000 + "\n" + "|-" * 5_000 + "|\n" + "a|\n" * 5_000, id="rows-without-their-cells"),
        pytest.param("|" + "long enough to be a claim|[1]|" * 5_000 + "\n" + "|-" * 10_000 + "|\n", id="one-wide-row"),
        pytest.param("".join("`" * ticks + " " for ticks in range(500)), id="ticks-of-every-length"),
        pytest.param("".join(f"[{number}]: u\n" for number in range(20_000)) + "[1] " * 20_000, id="definitions"),
    ],
)
def test_hostile_answers_are_read(answer):
    """Deep, long and unfinished structures are read within seconds, and spans stay inside the answer."""
    read = _engine.read_answer(answer, IDS)
    assert all(0 <= start < end <= len(answer) for start, end in read.sentences)
    assert sum(len(claim.markers) for claim in read.claims) <= 16 * len(read.markers)


@given(st.text(), st.lists(st.text(max_size=4), max_size=4))
def test_no_answer_is_refused(answer, ids):
    """Any text with any ids gives spans in order, claims inside sentences, and markers with brackets."""
    read = _engine.read_answer(answer, ids)
    ends = [0, *(end for _, end in read.sentences)]
    assert all(end <= start < stop for end, (start, stop) in zip(ends, read.sentences, strict=False))
    assert all(any(s <= c.start < c.end <= e for s, e in read.sentences) for c in read.claims)
    assert all(answer[m.start] in "[【［" and answer[m.end - 1] in "]】］" for m in read.markers)
    assert all(index < len(read.markers) for claim in read.claims for index in claim.markers)


@given(st.text("[]1a.! \n-*`#>|\\(\ud800\u3002\u4e2d", max_size=40))
def test_lone_surrogates_move_no_offset(answer):
    """A lone surrogate reads as U+FFFD, also for the parser of Markdown."""
    other = answer.replace("\ud800", "\ufffd")
    one, two = _engine.read_answer(answer, ["1"]), _engine.read_answer(other, ["1"])
    assert one.sentences == two.sentences
    assert [(m.start, m.end, m.status) for m in one.markers] == [(m.start, m.end, m.status) for m in two.markers]
    assert [(c.start, c.end, c.width) for c in one.claims] == [(c.start, c.end, c.width) for c in two.claims]


@pytest.mark.parametrize(
    ("answer", "ids", "message"),
    [
        pytest.param(None, [], "answer must be a str, got NoneType", id="answer"),
        pytest.param(b"x", [], "answer must be a str, got bytes", id="bytes"),
        pytest.param("x", MARKER, "ids must be a sequence of str, got str", id="ids"),
        pytest.param("x", [1], r"ids\[0\] must be a str, got int", id="id"),
    ],
)
def test_wrong_types(answer, ids, message):
    """The message has the expected and the given type, and no text."""
    with pytest.raises(TypeError, match=f"^{message}$"):
        _engine.read_answer(answer, ids)


def test_reprs_hold_no_text():
    """They show counts and positions."""
    read = _engine.read_answer(f"This is the {MARKER} of all [{MARKER}].", [MARKER])
    assert MARKER not in repr((read, read.markers, read.claims))
    assert repr(read) == "Answer(markers=1, sentences=1, claims=1)"


def test_long_answers_let_other_threads_work():
    """The engine releases the interpreter while it reads."""
    sentence = "The river flows north, says [1]. "
    assert scale_work(lambda size: partial(_engine.read_answer, sentence * 1_000 * size, ["1"]))
    assert len(_engine.read_answer(sentence * 1_000, ["1"]).claims) == 1_000


def test_ctrl_c_ends_the_call():
    """A signal in the middle ends the call."""
    answer = "The river flows north, says [1]. " * 1_000
    assert interrupt_long_work(lambda size: partial(_engine.read_answer, answer * size, ["1"])) < 0.4


def test_ctrl_c_ends_the_call_while_markdown_is_parsed():
    """The parser of Markdown finds all blocks first without checking for signals, so it runs in its own thread."""
    answer = "*The river* flows north, says [1]. " * 1_000
    assert interrupt_long_work(lambda size: partial(_engine.read_answer, answer * size, ["1"])) < 0.4
