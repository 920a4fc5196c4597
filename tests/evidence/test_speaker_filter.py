"""Who said a quote, who may be quoted, words of several speakers, and the nearest passage."""

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
    """Who speaks the passage."""
    return [turn.speaker for turn in verdict.turns]


def test_a_verdict_knows_who_speaks():
    """The turns that the match has words of."""
    verdict = verdict_on("The dogs bark", source=CONVERSATION)
    assert (verdict.status, speakers_of(verdict)) == ("exact", ["Bob"])


@pytest.mark.parametrize(("speaker", "starts"), [("anna", [50, 142]), ("ELLIE:", [101]), ("Anna ", [50, 142])])
def test_of_several_places_those_of_the_speaker_are_taken(speaker, starts):
    """One of them is enough; names are compared as speaker_key does."""
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
def test_every_rung_looks_at_who_may_be_quoted(quote, status, speakers):
    """Where those say it who may be quoted, it is found; where only others do, it is theirs."""
    verdict = verdict_on(quote, **ANNA)
    assert (verdict.status, speakers_of(verdict)) == (status, speakers)
    assert verdict.accepted is (status != "wrong_speaker")


def test_the_near_passage_of_a_speaker_is_found_beside_a_nearer_one_of_another():
    """What another says better does not hide what the right one says."""
    transcript = read_transcript(
        "Bob: The weather was fine all week long.\nAnna: The weather was, uh, fine all week long.\n"
        "Bob: Good.\nAnna: Yes.\n"
    )
    verdict = verdict_on("The weather was fine all week long", source=transcript, speakers=["Anna"])
    assert (verdict.status, speakers_of(verdict)) == ("near", ["Anna"])


def test_what_the_speaker_says_otherwise_is_said_by_another():
    """Altered by the one who may be quoted and exact by another: said by the wrong speaker, with the reason first."""
    transcript = read_transcript(
        "Bob: I do not take the pills every day.\nAnna: I do take the pills every day.\nBob: Good.\nAnna: Yes.\n"
    )
    verdict = verdict_on("I do not take the pills every day", source=transcript, speakers=["Anna"])
    assert (verdict.status, verdict.accepted, reasons_of(verdict)) == ("wrong_speaker", False, ["wrong_speaker"])


def test_what_nobody_says_is_absent():
    """No speaker is to blame for it."""
    assert reasons_of(verdict_on("nothing of the sort was ever said", **ANNA)) == ["below_threshold"]


def test_nobody_may_be_quoted():
    """An empty collection of speakers is taken at its word."""
    assert verdict_on("I sleep badly", source=CONVERSATION, speakers=[]).status is QuoteStatus.WRONG_SPEAKER


@pytest.mark.parametrize("quote", ["night long. Really? They bark a lot", "night long. Realy? They bark a lot"])
def test_names_between_turns_are_in_nobodys_way(quote):
    """A quote over several turns has no names and times in it; the passage has, and is flagged."""
    verdict = verdict_on(quote, source=CONVERSATION)
    assert verdict.accepted
    assert verdict.match.text == "night long.\nEllie: Really?\nAnna: They bark a lot"
    assert speakers_of(verdict) == ["Bob", "Ellie", "Anna"]
    assert reasons_of(verdict)[-1] == "across_turns"


def test_what_a_gap_leaves_out_is_not_quoted():
    """Words of another between two parts of one speaker's are no words of the quote, but are looked at."""
    verdict = verdict_on("these days … They bark a lot", **ANNA, accept_across_turns=False)
    assert (verdict.status, verdict.accepted) == ("elided", True)
    assert speakers_of(verdict) == ["Anna", "Bob", "Ellie", "Anna"]
    transcript = read_transcript("Anna: I would go\nBob: but never\nAnna: to the sea.\nBob: Oh.\n")
    hidden = verdict_on("I would go … to the sea", source=transcript, speakers=["Anna"])
    assert (hidden.status, hidden.hidden) == ("altered", ("never",))


def test_text_that_nobody_speaks_may_be_quoted_by_all():
    """A name or a heading is found where no speakers are asked for, and is nobody's where they are."""
    assert verdict_on("Ellie", source=CONVERSATION).status is QuoteStatus.EXACT
    assert verdict_on("Ellie", **ANNA).status is QuoteStatus.WRONG_SPEAKER


def test_what_is_blotted_out_is_no_match_for_nulls():
    """What others say is hidden behind NULs, which a quote may have as well."""
    verdict = verdict_on("\0" * 20 + "I sleep badly", **ANNA)
    assert not verdict.accepted


def test_each_of_several_transcripts_has_its_turns():
    """Speakers count in the source that has the quote."""
    other = read_transcript("Anna: I eat well.\nCara: Good.\nAnna: I do.\nCara: So.\n", name="other")
    several = Sources([CONVERSATION, other])
    verdict = verdict_on("I eat well", source=several, speakers=["Anna"])
    assert (verdict.status, verdict.source, speakers_of(verdict)) == ("exact", "other", ["Anna"])
    cited = verdict_on("I eat well", source=several, cited=0, speakers=["Anna"], accept=["found_elsewhere", "exact"])
    assert (cited.status, cited.accepted, cited.source) == ("found_elsewhere", True, "other")


def test_each_quote_has_its_own_speaker():
    """Ruling A20: quotes of several speakers are checked in one call; who said the words is named."""
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
    """Ruling A20: a quote may narrow who can have said it, and never widen it."""
    verdict = verdict_on(Quote("I sleep badly", speaker=speaker), **ANNA)
    assert (verdict.status, verdict.accepted) == (status, status == "exact")


def test_the_source_that_does_not_say_who_speaks_is_worse():
    """Ruling A20: of several sources the one where the right person says it is taken."""
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
def test_what_a_quote_names_has_its_type(names, error):
    """A name that says nothing would be one that is not checked."""
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
def test_what_is_not_accepted_shows_the_nearest_passage(quote, source, passage):
    """Ruling A21: with place, score and differences; it is never accepted."""
    verdict = verdict_on(quote, source=source)
    nearest = verdict.nearest
    assert passage == (None if nearest is None else nearest.text)
    if nearest is not None:
        text = source if isinstance(source, str) else source.text
        assert text[nearest.start : nearest.end] == passage
        assert 0.0 < nearest.score <= 1.0
        assert not verdict.accepted


def test_the_nearest_passage_of_several_sources_is_named():
    """Ruling A21: the source with the best score; its differences are those of that passage."""
    nearest = verdict_on("He was sad, with it all that time", source=SOURCES).nearest
    assert (nearest.source, nearest.text) == ("right", "He is happy, with it all the time")
    assert [each.source_text for each in nearest.differences] == ["is happy", "the"]


def test_the_search_is_done_when_it_is_asked_for_and_once():
    """Ruling A21: verdicts on many absent quotes do not wait for it; a copy that was pickled has its result."""
    calls = []
    search = NearestSearch(lambda: calls.append("searched"))
    verdict = replace(verdict_on("nothing of the sort was ever said"), _search=search)
    assert calls == []
    assert verdict.nearest is verdict.nearest is None
    assert calls == ["searched"]
    found = verdict_on("I wake up at night, all the time")
    assert pickle.loads(pickle.dumps(found)).nearest == found.nearest
    assert found.nearest is not None
