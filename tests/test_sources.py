"""Several sources: those that contain a quote, and their order."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import Source, Sources, Transcript, read_transcript
from oracles.texts import quotes_of, texts

FIRST = "We sleep badly. No."
SECOND = "“We  sleep badly.” Yes, we do, and for a long time now, in all of the rooms of this house."
THIRD = "Ann: We sleep well.\nBob: No."


@pytest.fixture
def sources() -> Sources:
    return Sources(
        [FIRST, ("two", SECOND), read_transcript(THIRD, name="three"), Source("NO SLEEP", name="four", profile="spec")]
    )


def places(holders):
    """Return the names of the sources, and the kinds of their matches."""
    return [(holder.name, holder.index, holder.match.kind) for holder in holders]


def test_names(sources):
    """A source without a name is named by its position."""
    assert sources.names == ("source 1", "two", "three", "four")
    assert len(sources) == 4
    assert repr(sources) == "Sources(4 sources, profile='typographic')"


def test_a_mapping_is_name_to_text():
    """Texts, prepared sources and transcripts have the names of the mapping."""
    sources = Sources({"visit1": FIRST, "visit2": Source(SECOND, name="other"), "visit3": read_transcript(THIRD)})
    assert sources.names == ("visit1", "visit2", "visit3")
    assert [holder.name for holder in sources.holders("sleep badly")] == ["visit1", "visit2"]
    assert sources.find("sleep well").name == "visit3"
    assert sources.find("visit1") is None


def test_a_pair_may_name_a_prepared_source():
    """A list of pairs is equivalent to a mapping."""
    assert Sources([("visit1", Source(FIRST)), ("visit2", read_transcript(THIRD))]).names == ("visit1", "visit2")


@pytest.mark.parametrize("given", [FIRST, b"bytes", Source(FIRST), read_transcript(THIRD), 3])
def test_a_single_text_is_an_error_that_says_what_to_do(given):
    """A str would be read character by character."""
    with pytest.raises(TypeError, match=r"a mapping of name to text or a list of sources, got \w+; put it in a list"):
        Sources(given)


@pytest.mark.parametrize("given", [{1: FIRST}, {"visit1": 3}, {"visit1": None}])
def test_a_mapping_of_something_else_is_an_error(given):
    """Names are str, and sources are texts."""
    with pytest.raises(TypeError, match="a mapping of sources must have str as names and str, Source, Transcript"):
        Sources(given)


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("We sleep badly.", [("source 1", 0, "exact"), ("two", 1, "normalized")]),
        (
            "no",
            [("source 1", 0, "normalized"), ("two", 1, "exact"), ("three", 2, "normalized"), ("four", 3, "normalized")],
        ),
        ("We sleep well", [("three", 2, "exact")]),
        ("We sleep late", []),
        (" ", []),
    ],
)
def test_sources_that_contain_a_quote(sources, quote, expected):
    """The order is that of the sources; the first is the result of `find`."""
    assert places(sources.holders(quote)) == expected
    first = sources.find(quote)
    assert places([first] if first else []) == expected[:1]
    assert places(sources.ground([quote])[0]) == expected
    assert places(sources.ground([quote, *"abcdefghijklmnopqrst"])[0]) == expected


@pytest.mark.parametrize("cited", ["three", 2])
def test_the_cited_source_comes_first(sources, cited):
    """The others follow in order, if it contains the quote."""
    names = ["three", "source 1", "two", "four"]
    assert [holder.name for holder in sources.holders("no", cited=cited)] == names
    assert [holder.name for holder in sources.ground(["no"], cited=cited)[0]] == names
    assert sources.find("no", cited=cited).name == "three"
    assert sources.find("We sleep badly", cited=cited).name == "source 1"


def test_fuzzy_goes_by_the_order_too(sources):
    """Scores do not change the order."""
    found = sources.ground(["We sleep badly!"], mode="fuzzy", threshold=0.7)[0]
    assert [holder.name for holder in found] == ["source 1", "two", "four"]
    assert found[0].match.score < 1.0
    assert sources.find("We sleep badly!", mode="fuzzy", threshold=0.7, cited="four").name == "four"


def test_sources_are_prepared_once_and_when_needed(sources):
    """Access by index prepares a source; a Source is used directly, and so is a transcript's own."""
    assert sources["two"] is sources[1]
    assert (sources["two"].name, sources["two"].profile, sources["two"].text) == ("two", "typographic", SECOND)
    assert sources["four"].profile == "spec"
    assert sources["three"] is sources.transcript("three").source()
    assert sources.transcript("two") is None


def test_a_source_that_no_search_reaches_is_not_prepared(monkeypatch):
    """Preparing one takes longer than finding a quote in the sources before it."""
    prepared, prepare = [], Transcript.source
    monkeypatch.setattr(
        Transcript, "source", lambda *args, **options: prepared.append(args) or prepare(*args, **options)
    )
    sources = Sources([FIRST, read_transcript(THIRD)])
    sources.find("sleep badly")
    assert prepared == []
    sources.find("sleep well")
    assert len(prepared) == 1


def test_they_can_be_pickled(sources):
    """The pickle has their inputs; they are prepared again."""
    again = pickle.loads(pickle.dumps(sources))
    assert again.names == sources.names
    assert places(again.holders("no", cited="three")) == places(sources.holders("no", cited="three"))


def test_an_iterator_of_quotes_is_read_once(sources):
    """None of its quotes is lost to a check before the search."""
    quotes = ["sleep badly", "no such words"]
    assert list(map(places, sources.ground(iter(quotes)))) == list(map(places, sources.ground(quotes)))
    assert any(sources.ground(iter(quotes)))


def test_no_sources_contain_no_quote():
    """This is no error."""
    assert Sources([]).ground(["a"]) == [[]]
    assert Sources([FIRST]).ground([]) == []
    assert Sources([]).find("a") is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([("a", "x"), ("b", "y"), ("a", "z")], 'sources 1 and 3 have the same name, "a"'),
        ([Source("x", name="a"), read_transcript("y", name="a")], 'sources 1 and 2 have the same name, "a"'),
        (["x", ("source 1", "y")], "sources 1 and 2 have the same name, <a name of 8 characters>"),
    ],
)
def test_names_are_unique(given, message):
    """The error names the two; a name that might be text is not shown."""
    with pytest.raises(ValueError, match=f"^{message}$"):
        Sources(given)


@pytest.mark.parametrize("given", [3, None, b"x", ("a",), ("a", 3), ("a", "b", "c"), ["a", "b"]])
def test_other_types_are_refused(given):
    """The error has the position and the type."""
    with pytest.raises(TypeError, match=rf"^sources\[1\] must be .*, got {type(given).__name__}$"):
        Sources(["x", given])


def test_other_arguments_are_refused(sources):
    """The error comes before any work."""
    with pytest.raises(ValueError, match="profile"):
        Sources([], profile="other")
    with pytest.raises(KeyError, match="no source is called"):
        sources.ground(["a"], cited="other")
    with pytest.raises(IndexError, match="there are 4 sources, so the index 4 is out of range"):
        sources.holders("a", cited=4)
    with pytest.raises(IndexError, match="the index -1 is out of range"):
        sources[-1]
    with pytest.raises(TypeError, match=r"^quotes\[8\] must be a str, got int$"):
        sources.ground([*"abcdefgh", 3])
    with pytest.raises(TypeError, match=r"^quotes must be a sequence of str, got str$"):
        sources.ground("abc")
    with pytest.raises(ValueError, match="mode"):
        sources.ground(["a"], mode="other")
    with pytest.raises(ValueError, match="workers"):
        sources.ground(["a"], workers=0)


def naive(given, quotes):
    """Return the sources that contain each quote, one after the other."""
    return [
        [
            (place, match.start, match.end, match.kind)
            for place, source in enumerate(given)
            if (match := source.find(quote))
        ]
        for quote in quotes
    ]


@given(st.data())
def test_many_quotes_are_found_where_each_alone_is(data):
    """One pass finds the results of single searches, with mixed profiles."""
    given = [
        Source(
            data.draw(texts) * data.draw(st.integers(1, 4)), profile=data.draw(st.sampled_from(["spec", "typographic"]))
        )
        for _ in range(3)
    ]
    quotes = [data.draw(quotes_of(data.draw(st.sampled_from(given)).text)) for _ in range(20)]
    found = Sources(given).ground(quotes, workers=2)
    assert [
        [(each.index, each.match.start, each.match.end, each.match.kind) for each in one] for one in found
    ] == naive(given, quotes)


def test_repetitive_sources_and_quotes():
    """Quotes that overlap everywhere need no more memory than the text."""
    quotes = ["ab" * length + "a" * (length % 2) for length in range(1, 200)]
    found = Sources(["ab" * 50_000, "ba" * 50_000, "c"]).ground(quotes)
    assert all([holder.index for holder in each] == [0, 1] for each in found if each)
    assert sum(map(bool, found)) >= 100


def test_real_corpus(shared_data):
    """The document of each quote contains it, and so do the others that single searches find."""
    paths = sorted((shared_data / "corpora").glob("en_changelog_*[0-9].txt"))
    given = [Source(path.read_text(encoding="utf-8"), name=path.name, profile="typographic") for path in paths]
    quotes = [
        source.text[start : start + length] for source in given for start, length in ((500, 30), (900, 120), (2000, 8))
    ]
    found = Sources(given).ground(quotes)
    assert [
        [(each.index, each.match.start, each.match.end, each.match.kind) for each in one] for one in found
    ] == naive(given, quotes)
    assert all(place // 3 in [each.index for each in one] for place, one in enumerate(found))


def test_a_transcript_that_names_nobody_is_a_source():
    """A table of words alone is searched like any other; no turn is flagged for its missing speaker."""
    transcript = read_transcript("text\nI sleep well\nmost nights\n", name="rows")
    sources = Sources([transcript])
    assert sources.find("I sleep well most nights").name == "rows"
    assert (transcript.speakers, transcript.warnings) == ((), ())
    assert [turn.flags for turn in transcript.turns] == [frozenset(), frozenset()]
