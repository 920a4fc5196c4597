"""Source and Match as Python objects: attributes, identity, copies, and errors."""

import copy
import gc
import inspect
import pickle
import sys
import weakref

import pytest

import groundwire
from groundwire import Match, Source

MARKER = "marker-of-the-secret-text"


@pytest.fixture
def source() -> Source:
    """Return a source that differs from its normalised form."""
    return Source("She  said: \u201cI can\u2019t sleep\u201d.", name="interview 1")


def test_attributes_are_those_of_the_caller(source):
    """Text, name and profile are those of the caller; the length is the original's."""
    assert source.text == "She  said: \u201cI can\u2019t sleep\u201d."
    assert (source.name, source.profile, len(source)) == ("interview 1", "spec", len(source.text))


def test_the_normalised_text_is_normalize_of_the_text(source):
    """Callers can read the text that quotes are compared with."""
    assert source.normalized == 'she said: "i can\'t sleep".' == groundwire.normalize(source.text)


def test_the_text_is_not_copied():
    """The attribute is the given object itself."""
    text = "x" * 1000
    assert Source(text).text is text


def test_defaults_are_no_name_and_the_profile_of_the_specification():
    """Only the text is required."""
    source = Source("text")
    assert (source.name, source.profile) == (None, "spec")


def test_an_empty_source_is_true():
    """`if source` asks whether there is a source, not whether it is empty."""
    assert Source("")
    assert (len(Source("")), Source("").normalized) == (0, "")


def test_repr_shows_no_text():
    """Ruling A15: a source in a log line shows no text."""
    assert repr(Source(MARKER)) == f"Source(name=None, profile='spec', chars={len(MARKER)})"
    assert repr(Source("ab", name="a 'b'\ud800", profile="typographic")) == (
        "Source(name=\"a 'b'\\ud800\", profile='typographic', chars=2)"
    )


def test_match_repr_shows_no_text():
    """Ruling A15: a match shows no text."""
    match = Source(f"so, {MARKER}!").find(MARKER)
    assert repr(match) == f"Match(start=4, end={4 + len(MARKER)}, score=1.0, kind='exact')"


@pytest.mark.parametrize("text", ["x" * 100_000, "\u0436" * 100_000, "x" * 50_000 + "\u4e2d"], ids=ascii)
def test_sizeof_counts_one_byte_a_character_where_that_is_enough(text):
    """Up to 256 different characters take one byte each, whatever the script."""
    assert 0 < sys.getsizeof(Source(text)) - len(text) < 5_000


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_source_pickles(protocol):
    """Text, name and profile are kept; the rest is prepared again."""
    source = pickle.loads(pickle.dumps(Source("a\ud800 \u201eb\u201c", name="n", profile="typographic"), protocol))
    assert (source.text, source.name, source.profile) == ("a\ud800 \u201eb\u201c", "n", "typographic")
    assert source.normalized == 'a\ud800 "b"'


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy])
def test_a_source_copies(source, make):
    """A copy is a source of the same text."""
    twin = make(source)
    assert (twin.text, twin.name, repr(twin)) == (source.text, source.name, repr(source))
    assert twin.find("I can't") == source.find("I can't")


def test_a_source_can_be_referenced_weakly():
    """A cache may hold sources without keeping them alive."""
    source = Source("text")
    reference = weakref.ref(source)
    assert reference() is source
    del source
    gc.collect()
    assert reference() is None


def test_sources_are_compared_by_identity():
    """Two sources of the same text are different, and both can be keys."""
    first, second = Source("text"), Source("text")
    assert first != second
    assert len({first, second, first}) == 2


@pytest.mark.parametrize("name", ["text", "normalized", "name", "profile", "other"])
def test_a_source_is_immutable(source, name):
    """Threads share sources, so no attribute can be set."""
    with pytest.raises(AttributeError):
        setattr(source, name, "x")


@pytest.mark.parametrize("cls", [Source, Match])
def test_classes_are_final(cls):
    """A subclass could break the guarantees."""
    with pytest.raises(TypeError):
        type("Sub", (cls,), {})


def test_a_match_cannot_be_constructed():
    """There is no public constructor."""
    with pytest.raises(TypeError):
        Match()


def test_a_match_outlives_its_source():
    """The text of a match remains available after the source is gone."""
    match = Source("some" + " long" * 1000).find("long long")
    gc.collect()
    assert match.text == "long long"


def test_equal_matches_are_equal_and_hash_alike():
    """Position, score, kind and text count."""
    text = "yes yes, YES"
    first, second = Source(text).find("yes"), Source(text, name="other").find("yes")
    assert first == second
    assert len({first, second}) == 1


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(Source("yes yes").find_all("yes")[1], id="place"),
        pytest.param(Source("yEs yes").find("yes"), id="kind-and-text"),
        pytest.param(Source("yet yes").find("yet"), id="text"),
        pytest.param(Source("yes").find("yex", mode="fuzzy", threshold=0.5), id="score"),
        pytest.param((0, 3), id="no-match"),
        pytest.param(None, id="none"),
    ],
)
def test_different_matches_differ(other):
    """A difference in one of them is enough."""
    assert Source("yes yes").find("yes") != other


def test_matches_have_no_order():
    """Comparing matches with < is a TypeError."""
    match = Source("text").find("text")
    with pytest.raises(TypeError):
        _ = match < match


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_match_pickles_with_its_text(protocol):
    """Position, score, kind and text are kept; the source is not needed."""
    match = Source("I  can\u2019t sleep" + " at all" * 1000).find("I can't", mode="fuzzy")
    dumped = pickle.dumps(match, protocol)
    assert pickle.loads(dumped) == match
    assert pickle.loads(dumped).text == "I  can\u2019t"
    assert len(dumped) < 500


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy])
def test_a_match_copies(make):
    """A copy of a match is equal to it."""
    match = Source("text").find("text")
    assert make(match) == match


@pytest.mark.parametrize("name", ["start", "end", "text", "score", "kind", "other"])
def test_a_match_is_immutable(name):
    """No attribute can be set."""
    with pytest.raises(AttributeError):
        setattr(Source("text").find("text"), name, 1)


@pytest.mark.parametrize("method", ["find", "find_all", "ground", "scores"])
def test_signatures_can_be_read(method):
    """help() and inspect show names and defaults; options are keyword-only."""
    parameters = list(inspect.signature(getattr(Source, method)).parameters.values())
    options = parameters[2:]
    assert [parameter.name for parameter in parameters[:2]] in (["self", "quote"], ["self", "quotes"])
    assert all(option.kind is option.KEYWORD_ONLY and option.default is not option.empty for option in options)
    assert getattr(Source, method).__doc__


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        pytest.param(lambda _: Source(b"x"), TypeError, "text must be a str, got bytes", id="text"),
        pytest.param(lambda _: Source(None), TypeError, "text must be a str, got NoneType", id="no-text"),
        pytest.param(lambda _: Source(MARKER, name=3), TypeError, "name must be a str, got int", id="name"),
        pytest.param(
            lambda _: Source(MARKER, profile="Spec"),
            ValueError,
            "profile must be 'spec' or 'typographic'",
            id="unknown-profile",
        ),
        pytest.param(lambda _: Source(MARKER, profile=1), TypeError, "profile must be a str, got int", id="profile"),
        pytest.param(lambda s: s.find(3), TypeError, "quote must be a str, got int", id="quote"),
        pytest.param(lambda s: s.find(None), TypeError, "quote must be a str, got NoneType", id="no-quote"),
        pytest.param(lambda s: s.find_all(b"x"), TypeError, "quote must be a str, got bytes", id="find-all"),
        pytest.param(
            lambda s: s.find(MARKER, mode="exact"), ValueError, "mode must be 'substring' or 'fuzzy'", id="mode-A7"
        ),
        pytest.param(lambda s: s.find(MARKER, mode=1), TypeError, "mode must be a str, got int", id="mode-type"),
        pytest.param(
            lambda s: s.find(MARKER, threshold=float("nan")),
            ValueError,
            "threshold must be between 0 and 1, got NaN",
            id="nan",
        ),
        pytest.param(
            lambda s: s.find(MARKER, threshold=1.5),
            ValueError,
            "threshold must be between 0 and 1, got 1.5",
            id="above",
        ),
        pytest.param(
            lambda s: s.ground([MARKER], threshold=-0.1),
            ValueError,
            "threshold must be between 0 and 1, got -0.1",
            id="below",
        ),
        pytest.param(
            lambda s: s.find(MARKER, threshold=85),
            ValueError,
            "threshold must be between 0 and 1, got 85",
            id="percent",
        ),
        pytest.param(
            lambda s: s.find(MARKER, threshold=MARKER), TypeError, "threshold must be a number, got str", id="threshold"
        ),
        pytest.param(lambda s: s.ground(MARKER), TypeError, "quotes must be a sequence of str, got str", id="bare-str"),
        pytest.param(
            lambda s: s.scores(MARKER), TypeError, "quotes must be a sequence of str, got str", id="bare-str-2"
        ),
        pytest.param(
            lambda s: s.ground(MARKER.encode()), TypeError, "quotes must be a sequence of str, got bytes", id="bytes"
        ),
        pytest.param(lambda s: s.ground(3), TypeError, "quotes must be a sequence of str, got int", id="no-sequence"),
        pytest.param(lambda s: s.ground([MARKER, None]), TypeError, "quotes[1] must be a str, got NoneType", id="item"),
        pytest.param(lambda s: s.scores([MARKER, 1.5]), TypeError, "quotes[1] must be a str, got float", id="item-2"),
        pytest.param(
            lambda s: s.scores([MARKER], score_cutoff=MARKER),
            TypeError,
            "score_cutoff must be a number, got str",
            id="cutoff",
        ),
        pytest.param(
            lambda s: s.scores([MARKER], score_cutoff=float("nan")),
            ValueError,
            "score_cutoff must be a number, got NaN",
            id="cutoff-nan",
        ),
        pytest.param(
            lambda s: s.ground([MARKER], workers=0), ValueError, "workers must be at least 1, got 0", id="workers"
        ),
        pytest.param(
            lambda s: s.ground([MARKER], workers=1.0), TypeError, "workers must be an int, got float", id="workers-type"
        ),
    ],
)
def test_an_error_names_the_parameter_and_never_the_text(source, call, error, message):
    """Rulings A7 and A15: the message has the expected and the given type, and nothing of source or quote."""
    with pytest.raises(error) as raised:
        call(source)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda s: s.find("x", "fuzzy"), id="mode"),
        pytest.param(lambda s: s.ground(["x"], "fuzzy", 0.9), id="mode-and-threshold"),
        pytest.param(lambda _: Source("x", "name"), id="name"),
        pytest.param(lambda _: groundwire.normalize("x", "spec"), id="profile"),
        pytest.param(lambda _: groundwire.partial_ratio("x", "y", 50), id="cutoff"),
        pytest.param(lambda _: groundwire.Patterns(["x"], True), id="word-boundaries"),
    ],
)
def test_options_are_keyword_only(source, call):
    """An option without its name is refused."""
    with pytest.raises(TypeError, match="positional argument"):
        call(source)
