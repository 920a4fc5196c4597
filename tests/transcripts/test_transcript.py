"""A transcript: turns by offset, the source, and its repr."""

import copy
import pickle

import pytest

from groundwire.transcripts import Transcript, read_transcript

TEXT = "Ann: a b\n\nBob:\nAnn: c"


@pytest.fixture
def transcript() -> Transcript:
    return read_transcript(TEXT, name="t")


@pytest.mark.parametrize(
    ("offset", "expected"),
    [
        (-1, None),
        (0, None),
        (4, None),
        (5, 1),
        (7, 1),
        (8, None),
        (10, None),
        (14, None),
        (19, None),
        (20, 3),
        (21, None),
        (99, None),
    ],
)
def test_turn_at_an_offset(transcript, offset, expected):
    """It is the turn with that character; names and line ends belong to none."""
    turn = transcript.turn_at(offset)
    assert (turn and turn.number) == expected


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        ((0, 21), [1, 3]),
        ((0, 5), []),
        ((0, 6), [1]),
        ((7, 8), [1]),
        ((8, 20), []),
        ((7, 21), [1, 3]),
        ((6, 6), []),
        ((50, 60), []),
    ],
)
def test_turns_in_a_span(transcript, span, expected):
    """They have at least one character in it; a turn without words has none."""
    assert [turn.number for turn in transcript.turns_in(*span)] == expected


def test_a_match_has_its_turn(transcript):
    """Offsets of the source are offsets of the text."""
    match = transcript.source().find("A  B")
    assert (match.start, match.end) == (5, 8)
    assert transcript.turn_at(match.start).speaker == "Ann"


def test_the_source_is_prepared_once(transcript):
    """There is one for each profile, with the transcript's name."""
    assert transcript.source() is transcript.source("typographic")
    assert transcript.source("spec") is not transcript.source()
    assert (transcript.source().profile, transcript.source().name) == ("typographic", "t")
    with pytest.raises(ValueError, match="profile"):
        transcript.source("other")


def test_the_spoken_source_has_the_words_of_turns_alone(transcript):
    """Names and line ends are white space, offsets are those of the text, and it is prepared once."""
    spoken = transcript.spoken_source()
    assert spoken.text == f"{' ':5}a b{' ':12}c"
    assert all(spoken.text[turn.start : turn.end] == TEXT[turn.start : turn.end] for turn in transcript.turns)
    assert spoken is transcript.spoken_source("typographic")
    assert transcript.has_prepared(transcript.source())
    assert not transcript.has_prepared(spoken)


def test_repr_shows_no_text_and_no_names_of_people(transcript):
    """It may end up in a log."""
    assert repr(transcript) == "Transcript(name='t', format='text', chars=21, turns=3, speakers=2)"
    assert "Ann" not in repr(transcript.turns)
    assert repr(transcript.turns[1]).startswith("Turn(number=2, start=14, end=14, start_time_s=None")


def test_it_can_be_compared_copied_and_pickled(transcript):
    """Its content counts, prepared or not."""
    transcript.source()
    again = read_transcript(TEXT, name="t")
    assert pickle.loads(pickle.dumps(transcript)) == copy.deepcopy(transcript) == transcript == again
    assert hash(transcript) == hash(again)
    assert transcript != read_transcript(TEXT)


def test_it_does_not_change(transcript):
    """Results are frozen."""
    with pytest.raises(AttributeError):
        transcript.text = ""
    with pytest.raises(AttributeError):
        transcript.turns[0].speaker = "Bob"
