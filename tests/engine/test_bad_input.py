"""Odd and hostile arguments: nothing crashes, nothing is misread, and no message contains text."""

import os
import traceback

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import (
    Patterns,
    Source,
    normalize,
    partial_ratio,
    partial_ratio_alignment,
    partial_ratio_many,
)
from groundwire._engine import (
    JaccardIndex,
    MinHashIndex,
    find_citations,
    read_answer,
    sentences,
)

MARKER = "marker-of-the-secret-text"

any_text = st.text(st.characters(), max_size=30)


class Loud(str):
    """A str of another class, with a method of its own."""

    __slots__ = ()

    def shout(self) -> str:
        return self.upper()


@given(any_text, any_text)
def test_no_text_is_refused(quote, text):
    """NUL, lone surrogates, unassigned and private characters are characters."""
    source = Source(text)
    assert source.find(quote) is None or source.find(quote).score == 1.0
    assert 0.0 <= partial_ratio(quote, text) <= 100.0
    assert normalize(text) == source.normalized
    if quote:
        assert len(Patterns([quote]).find_all(text)) == sum(text.startswith(quote, at) for at in range(len(text)))


@pytest.mark.parametrize(
    "text",
    ["\0", "a\0b", "\0" * 100, "\ud800", "\udfff\ud800", chr(0xD83D) + chr(0xDE00), "\U0010ffff", "\ufffe", "\ue000"],
    ids=ascii,
)
def test_an_odd_text_is_found_in_itself(text):
    """Every search finds it exactly, at its position."""
    surrounded = f"x{text}y"
    assert Source(surrounded).find(text).start == 1
    assert Source(surrounded).find(text).kind == "exact"
    assert Patterns([text]).find_all(surrounded) == [(0, 1, 1 + len(text))]
    assert partial_ratio(text, surrounded) == 100.0
    assert normalize(text) == text


def test_two_lone_surrogates_are_no_astral_character():
    """A high and a low surrogate are two characters of a Python string."""
    assert Source("\U0001f600").find("\ud83d\ude00") is None
    assert Source("\ud83d\ude00").find("\U0001f600") is None
    assert Patterns(["\ud83d"]).find_all("\U0001f600") == []


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        pytest.param("x" * 20_000_000 + " the end", "the end", id="latin"),
        pytest.param("\u0436" * 5_000_000 + " the end", "the end", id="cyrillic"),
        pytest.param("\U00010428" * 2_000_000 + " the end", "the end", id="astral"),
    ],
)
def test_a_huge_text_is_searched(text, quote):
    """Twenty megabytes are searched like any other text."""
    source = Source(text)
    start = len(text) - len(quote)
    assert (source.find(quote).start, source.find(quote).end) == (start, len(text))
    assert [match.start for match in source.find_all(quote)] == [start]
    assert source.find(quote + "s") is None


def test_a_huge_quote_is_nowhere_in_a_short_text():
    """The quote may be the larger of the two."""
    quote = "a b " * 500_000
    source = Source("a b")
    assert (source.find(quote), source.find_all(quote)) == (None, [])
    assert source.find(quote, mode="fuzzy", threshold=1).text == "a b"


def test_a_huge_number_of_occurrences_is_listed():
    """There are a million positions."""
    matches = Source("a" * 1_000_000).find_all("aa")
    assert (len(matches), matches[0].start, matches[-1].end) == (999_999, 0, 1_000_000)


def test_a_str_of_another_class_is_a_str():
    """Subclasses are taken wherever a str is."""
    source = Source(Loud("Some  words"), name=Loud("name"))
    assert (source.text, type(source.text)) == ("Some  words", str)
    assert (source.name, source.normalized) == ("name", "some words")
    match = source.find(Loud("some words"), mode=Loud("fuzzy"))
    assert (match.text, match.start, match.end) == ("Some  words", 0, 11)
    assert source.ground([Loud("words")])[0].kind == "exact"
    assert partial_ratio(Loud("ab"), Loud("xaby")) == 100.0
    assert Patterns([Loud("ab")]).find_all(Loud("xaby")) == [(0, 1, 3)]
    assert type(normalize(Loud("AB"), profile=Loud("spec"))) is str


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a  b " * 2_000, "a b " * 2_000, id="ascii"),
        pytest.param("ж  b " * 2_000, "ж b " * 2_000, id="two-bytes"),
    ],
)
def test_memory_that_is_refused_is_a_memory_error(text, expected):
    """This holds for each allocation: no partial result is returned."""
    memory = pytest.importorskip("_testcapi")
    # Objects that are created on first use already exist.
    outcomes = {normalize(text)}
    for number in range(1, 40):
        memory.set_nomemory(number, number + 1)
        try:
            outcome = normalize(text)
        except MemoryError:
            outcome = MemoryError
        finally:
            memory.remove_mem_hooks()
        outcomes.add(outcome)
    assert {expected.rstrip(), MemoryError} == outcomes


def test_patterns_have_fewer_than_two_to_the_32_characters_together():
    """The error comes before any of them is copied."""
    pattern = "x" * 2**20
    with pytest.raises(OverflowError, match="4096 patterns have 4294967296 characters together; at most 4294967295"):
        Patterns([pattern] * 4096)


LARGE = pytest.mark.skipif("GROUNDWIRE_LARGE" not in os.environ, reason="texts of 2 and 4 GiB: set GROUNDWIRE_LARGE")
NO_POSITION = "text has 2147483648 characters; at most 2147483647 are supported"


@LARGE
def test_a_text_of_patterns_has_32_bit_positions():
    """The last position works, and the next one is refused."""
    text = "y".rjust(2**32 - 1, "x")
    assert Patterns(["y"]).find_all(text) == [(0, 2**32 - 2, 2**32 - 1)]
    del text
    with pytest.raises(OverflowError, match="text has 4294967296 characters; at most 4294967295 are supported"):
        Patterns(["y"]).find_all("x" * 2**32)


@LARGE
def test_a_text_has_31_bit_positions():
    """Every function refuses a text with one character more."""
    text = "x" * 2**31
    entrances = {
        "partial_ratio, longer": lambda: partial_ratio("y", text),
        "partial_ratio, first": lambda: partial_ratio(text, "y"),
        "partial_ratio, both": lambda: partial_ratio(text, text),
        "partial_ratio_alignment": lambda: partial_ratio_alignment("y", text),
        "partial_ratio_many, text": lambda: partial_ratio_many(["y"], text),
        "partial_ratio_many, quote": lambda: partial_ratio_many(["y", text], "x"),
        "normalize": lambda: normalize(text),
        "Source": lambda: Source(text),
        "Source.find": lambda: Source("x").find(text),
        "Source.find_all": lambda: Source("x").find_all(text),
        "Source.ground": lambda: Source("x").ground([text]),
        "Source.scores": lambda: Source("x").scores([text]),
        "Source.align_quotes": lambda: Source("x").align_quotes([text]),
        "Source.align": lambda: Source("x").align(text, 0, 1),
        "JaccardIndex.insert": lambda: JaccardIndex(floor=0.5).insert(text),
        "JaccardIndex.query": lambda: JaccardIndex(floor=0.5).query(text, 0.5),
        "MinHashIndex.insert": lambda: MinHashIndex(threshold=0.5).insert(text),
        "sentences": lambda: sentences(text),
        "find_citations": lambda: find_citations(text),
        "read_answer": lambda: read_answer(text, []),
    }
    messages = {}
    for name, call in entrances.items():
        with pytest.raises(OverflowError) as caught:
            call()
        messages[name] = str(caught.value)
    assert dict.fromkeys(entrances, NO_POSITION) == messages
    # Patterns have one bit more.
    assert Patterns(["y"]).find_all(text) == []


@pytest.mark.parametrize("option", ["mode", "threshold", "workers"])
def test_none_is_refused_as_an_option(option):
    """Ruling A7: None is refused in place of a value."""
    with pytest.raises(TypeError, match=f"{option} must be .*, got NoneType"):
        Source("a").ground(["a"], **{option: None})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param(
            {"threshold": 10**400}, "threshold must be between 0 and 1, got inf", id="threshold-beyond-floats"
        ),
        pytest.param({"workers": -(2**70)}, "workers must be at least 1, got -1180591620717411303424", id="workers"),
    ],
)
def test_numbers_beyond_the_machine_get_the_usual_message(options, message):
    """An int has no largest value in Python."""
    with pytest.raises(ValueError, match=message):
        Source("a").ground(["a"], **options)


def test_more_workers_than_any_machine_has_are_all_there_are():
    """A number beyond every type of the engine is still a number of workers."""
    assert [match.start for match in Source("a b").ground(["a", "b"], workers=2**70)] == [0, 2]


class Unprintable:
    """An object that is no str, with a secret in its repr."""

    def __repr__(self) -> str:
        return MARKER

    def __iter__(self):
        raise ZeroDivisionError


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda: normalize(MARKER, profile=MARKER), id="profile"),
        pytest.param(lambda: normalize(MARKER.encode()), id="bytes"),
        pytest.param(lambda: Source(MARKER, profile=MARKER), id="source-profile"),
        pytest.param(lambda: Source(MARKER, name=[MARKER]), id="source-name"),
        pytest.param(lambda: Source(MARKER).find(MARKER, mode=MARKER), id="mode"),
        pytest.param(lambda: Source(MARKER).find(MARKER, threshold=MARKER), id="threshold"),
        pytest.param(lambda: Source(MARKER).find(MARKER, threshold=7), id="threshold-range"),
        pytest.param(lambda: Source(MARKER).find(Unprintable()), id="quote"),
        pytest.param(lambda: Source(MARKER).ground(MARKER), id="bare-str"),
        pytest.param(lambda: Source(MARKER).ground([MARKER, MARKER.encode()]), id="item"),
        pytest.param(lambda: Source(MARKER).ground([MARKER], workers=MARKER), id="workers"),
        pytest.param(lambda: Source(MARKER).ground(Unprintable()), id="no-iterable"),
        pytest.param(lambda: Source(MARKER).scores([MARKER], score_cutoff=MARKER), id="cutoff"),
        pytest.param(lambda: partial_ratio(MARKER, [MARKER]), id="partial-ratio"),
        pytest.param(lambda: partial_ratio_alignment(Unprintable(), MARKER), id="alignment"),
        pytest.param(lambda: partial_ratio_many([MARKER, {MARKER}], MARKER), id="many"),
        pytest.param(lambda: Patterns([MARKER, ""]), id="empty-pattern"),
        pytest.param(lambda: Patterns(MARKER), id="patterns-bare-str"),
        pytest.param(lambda: Patterns([MARKER], word_boundaries=MARKER), id="word-boundaries"),
        pytest.param(lambda: Patterns([MARKER]).find_all([MARKER]), id="pattern-text"),
    ],
)
def test_no_message_contains_the_text(call):
    """Ruling A15: neither the exception nor its cause contains text, quote or pattern."""
    with pytest.raises((TypeError, ValueError)) as raised:
        call()
    chain = []
    error = raised.value
    while error is not None:
        chain.append("".join(traceback.format_exception_only(error)))
        error = error.__cause__ or error.__context__
    assert all(MARKER not in message for message in chain)
    assert str(raised.value)
