"""Speakers of a quote, speakers who may be quoted, quotes over several speakers, and the nearest passage."""

import pickle
from dataclasses import replace

import pytest

from groundwire.evidence import Quote, QuoteStatus, assess_quotes
from groundwire.evidence.verdicts import NearestSearch
from groundwire.sources import Sources
from groundwire.transcripts import read_transcript

from .assessed import CONVERSATION, SOURCES, TEXT, reasons_of, verdict_on

ANNA = {"source": CONVERSATION, "speakers": ["anna"]}


def speakers_of(verdict):
    """Return the speakers of the passage."""
    return [turn.speaker for turn in verdict.turns]


def test_a_verdict_knows_who_speaks():
    """The turns are those that contain words of the match."""
    verdict = verdict_on("The dogs bark", source=CONVERSATION)
    assert (verdict.status, speakers_of(verdict)) == ("exact", ["Bob"])


@pytest.mark.parametrize(("speaker", "starts"), [("anna", [50, 142]), ("ELLIE:", [101]), ("Anna ", [50, 142])])
def test_an_occurrence_of_the_right_speaker_is_preferred(speaker, starts):
    """One occurrence is enough; names are compared by speaker_key."""
    verdict = verdict_on("I sleep badly", source=CONVERSATION, speakers=[speaker])
    assert (verdict.status, verdict.accepted, verdict.match.start) == ("exact", True, starts[0])
    assert [start for start, _ in verdict.all_spans] == starts


@pytest.mark.parametrize(
    ("quote", "status", "speakers"),
    [
        pytest.param("I slep badly these days", "near", ["Anna"], id="near"),
        pytest.param("I sleep … these days", "elided", ["Anna"], id="in-parts"),
        pytest.param("…I sleep badly", "normalized", ["Anna"], id="with-ends-marked"),
        pytest.param("Anna: I sleep badly", "exact", ["Anna"], id="with-the-name"),
        pytest.param("I slept badly too, and I eat well", "wrong_speaker", ["Ellie"], id="near-of-another"),
        pytest.param("I sleep … I eat well", "wrong_speaker", ["Ellie"], id="in-parts-of-another"),
        pytest.param("tired? I sleep badly", "wrong_speaker", ["Ellie", "Anna"], id="begun-by-another"),
        pytest.param("Really? They bark a lot", "wrong_speaker", ["Ellie", "Anna"], id="of-two"),
    ],
)
def test_every_stage_respects_the_allowed_speakers(quote, status, speakers):
    """A quote is found if an allowed speaker says it; otherwise the verdict names the other speaker."""
    verdict = verdict_on(quote, **ANNA)
    assert (verdict.status, speakers_of(verdict)) == (status, speakers)
    assert verdict.accepted is (status != "wrong_speaker")


def test_the_near_passage_of_a_speaker_is_found_beside_a_nearer_one_of_another():
    """A better match of another speaker does not hide the right speaker's passage."""
    transcript = read_transcript(
        "Bob: The weather was fine all week long.\nAnna: The weather was, uh, fine all week long.\n"
        "Bob: Good.\nAnna: Yes.\n"
    )
    verdict = verdict_on("The weather was fine all week long", source=transcript, speakers=["Anna"])
    assert (verdict.status, speakers_of(verdict)) == ("near", ["Anna"])


def test_an_exact_quote_of_another_speaker_is_a_wrong_speaker():
    """An allowed speaker's passage is altered and another's exact: wrong speaker, with the reason first."""
    transcript = read_transcript(
        "Bob: I do not take the pills every day.\nAnna: I do take the pills every day.\nBob: Good.\nAnna: Yes.\n"
    )
    verdict = verdict_on("I do not take the pills every day", source=transcript, speakers=["Anna"])
    assert (verdict.status, verdict.accepted, reasons_of(verdict)) == ("wrong_speaker", False, ["wrong_speaker"])


def test_a_quote_of_no_speaker_is_absent():
    """No speaker is named for it."""
    assert reasons_of(verdict_on("nothing of the sort was ever said", **ANNA)) == ["below_threshold"]


def test_no_allowed_speakers_reject_every_quote():
    """An empty collection allows no speaker."""
    assert verdict_on("I sleep badly", source=CONVERSATION, speakers=[]).status is QuoteStatus.WRONG_SPEAKER


@pytest.mark.parametrize("quote", ["night long. Really? They bark a lot", "night long. Realy? They bark a lot"])
def test_names_between_turns_are_ignored(quote):
    """A quote over several turns has no names and times; the passage has them, and is flagged."""
    verdict = verdict_on(quote, source=CONVERSATION)
    assert verdict.accepted
    assert verdict.match.text == "night long.\nEllie: Really?\nAnna: They bark a lot"
    assert speakers_of(verdict) == ["Bob", "Ellie", "Anna"]
    assert reasons_of(verdict)[-1] == "across_turns"


def test_words_in_a_gap_need_no_allowed_speaker():
    """Another speaker's words in the gap do not belong to the quote, but are still checked."""
    verdict = verdict_on("these days … They bark a lot", **ANNA, accept_across_turns=False)
    assert (verdict.status, verdict.accepted) == ("elided", True)
    assert speakers_of(verdict) == ["Anna", "Bob", "Ellie", "Anna"]
    transcript = read_transcript("Anna: I would go\nBob: but never\nAnna: to the sea.\nBob: Oh.\n")
    hidden = verdict_on("I would go … to the sea", source=transcript, speakers=["Anna"])
    assert (hidden.status, hidden.hidden) == ("altered", ("never",))


def test_text_outside_turns_has_no_speaker():
    """A name or a heading is found without a restriction of speakers, and has no speaker with one."""
    assert verdict_on("Ellie", source=CONVERSATION).status is QuoteStatus.EXACT
    assert verdict_on("Ellie", **ANNA).status is QuoteStatus.WRONG_SPEAKER


def test_hidden_words_do_not_match_nulls():
    """The words of other speakers are replaced by NULs, which a quote may contain as well."""
    verdict = verdict_on("\0" * 20 + "I sleep badly", **ANNA)
    assert not verdict.accepted


def test_each_of_several_transcripts_has_its_turns():
    """The speakers of the source that contains the quote count."""
    other = read_transcript("Anna: I eat well.\nCara: Good.\nAnna: I do.\nCara: So.\n", name="other")
    several = Sources([CONVERSATION, other])
    verdict = verdict_on("I eat well", source=several, speakers=["Anna"])
    assert (verdict.status, verdict.source, speakers_of(verdict)) == ("exact", "other", ["Anna"])
    cited = verdict_on("I eat well", source=several, cited=0, speakers=["Anna"], accept=["found_elsewhere", "exact"])
    assert (cited.status, cited.accepted, cited.source) == ("found_elsewhere", True, "other")


def test_each_quote_has_its_own_speaker():
    """Ruling A20: one call may check quotes of several speakers; the verdict names the actual one."""
    quotes = [
        Quote("I sleep badly", speaker="Ellie"),
        "I sleep badly",
        Quote("The dogs bark", speaker="Anna"),
        Quote("I sleep badly", speaker="Anna"),
    ]
    verdicts = assess_quotes(quotes, CONVERSATION)
    assert [verdict.status for verdict in verdicts] == ["exact", "exact", "wrong_speaker", "exact"]
    assert [verdict.speakers for verdict in verdicts] == [("Ellie",), ("Anna",), ("Bob",), ("Anna",)]
    assert [verdict.match.start for verdict in verdicts] == [101, 50, 184, 50]


@pytest.mark.parametrize(("speaker", "status"), [("Anna", "exact"), ("Ellie", "wrong_speaker")])
def test_a_speaker_whom_the_policy_does_not_allow_stays_refused(speaker, status):
    """Ruling A20: a quote may only narrow the allowed speakers."""
    verdict = verdict_on(Quote("I sleep badly", speaker=speaker), **ANNA)
    assert (verdict.status, verdict.accepted) == (status, status == "exact")


def test_a_source_with_the_right_speaker_is_preferred():
    """Ruling A20: of several sources, the one in which the right person speaks wins."""
    several = Sources({"notes": "I sleep badly.", "visit": CONVERSATION})
    verdict = verdict_on(Quote("I sleep badly", speaker="Anna"), source=several)
    assert (verdict.status, verdict.accepted, verdict.source) == ("exact", True, "visit")


@pytest.mark.parametrize(
    ("names", "error"),
    [
        ({"speaker": 3}, TypeError),
        ({"speaker": " "}, ValueError),
        ({"source": ["a"]}, TypeError),
        ({"source": ""}, ValueError),
        ({"page": "3"}, TypeError),
        ({"page": True}, TypeError),
        ({"page": 0}, ValueError),
    ],
)
def test_names_of_a_quote_are_checked(names, error):
    """A blank name could not be checked."""
    with pytest.raises(error, match=next(iter(names))):
        Quote("I sleep badly", **names)


NEAREST = {
    "absent": ("The dogs barked all morning", CONVERSATION, "The dogs bark all night"),
    "wrong-speaker": (Quote("I eat well", speaker="Anna"), CONVERSATION, "I eat well"),
    "altered": ("I sleep badly three days", CONVERSATION, "I sleep badly these days"),
    "part-of-a-word": ("anothe", TEXT, "another"),
    "accepted": ("The dogs bark", CONVERSATION, None),
    "blank": ("…", CONVERSATION, None),
    "longer-than-the-source": (TEXT + " And more.", TEXT, None),
    "unknown-source": (Quote("I sleep badly", source="x"), SOURCES, None),
}


@pytest.mark.parametrize(("quote", "source", "passage"), NEAREST.values(), ids=NEAREST.keys())
def test_a_rejected_quote_shows_the_nearest_passage(quote, source, passage):
    """Ruling A21: it has span, score and differences; it is never accepted."""
    verdict = verdict_on(quote, source=source)
    nearest = verdict.nearest
    assert passage == (None if nearest is None else nearest.text)
    if nearest is not None:
        text = source if isinstance(source, str) else source.text
        assert text[nearest.start : nearest.end] == passage
        assert 0.0 < nearest.score <= 1.0
        assert not verdict.accepted


def test_the_nearest_passage_of_several_sources_is_named():
    """Ruling A21: the source with the best score wins, with its differences."""
    nearest = verdict_on("He was sad, with it all that time", source=SOURCES).nearest
    assert (nearest.source, nearest.text) == ("right", "He is happy, with it all the time")
    assert [each.source_text for each in nearest.differences] == ["is happy", "the"]


def test_the_nearest_passage_is_searched_once_on_first_use():
    """Ruling A21: verdicts on many absent quotes do not wait for it; a pickled copy has its result."""
    calls = []
    search = NearestSearch(lambda: calls.append("searched"))
    verdict = replace(verdict_on("nothing of the sort was ever said"), _search=search)
    assert calls == []
    assert verdict.nearest is verdict.nearest is None
    assert calls == ["searched"]
    found = verdict_on("I wake up at night, all the time")
    assert pickle.loads(pickle.dumps(found)).nearest == found.nearest
    assert found.nearest is not None
