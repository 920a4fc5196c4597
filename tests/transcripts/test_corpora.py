"""Real transcripts: speakers are found, and other texts have none."""

import re

import pytest

from groundwire.transcripts import read_transcript


def texts(shared_data, pattern):
    """Return each document with a matching name, with its name."""
    paths = sorted((shared_data / "corpora").glob(pattern))
    assert paths
    return [(path.name, path.read_bytes().decode("utf-8")) for path in paths]


@pytest.mark.parametrize("pattern", ["en_qmsum_*.txt", "ja_asdc_*.txt", "zh_vcsum_*.txt"])
def test_meetings_have_a_turn_on_each_line(shared_data, pattern):
    """`Name: …`: 105 speakers, in-house roles, names with offices in brackets, `发言人1：`."""
    odd = {}
    for name, text in texts(shared_data, pattern):
        transcript = read_transcript(text)
        expected = [re.split("[:：]", line)[0].strip() for line in text.splitlines() if line.strip()]
        found = [turn.speaker for turn in transcript.turns]
        if found != expected:
            odd[name] = len(expected) - len(found)
    # One line in one of 351 meetings has no colon.
    assert odd in ({}, {"en_qmsum_committee_val_covid_6.txt": 1})


def test_podcasts_have_their_speakers(shared_data):
    """`**Name:** …`, with times in between and headings."""
    for name, text in texts(shared_data, "en_changelog_*.txt"):
        transcript = read_transcript(text)
        bold = re.findall(r"^\*\*([^*:]+?):?\*\*:? ", text, re.M)
        named = [
            turn for turn in transcript.turns if text[turn.start - 40 : turn.start].rstrip().endswith(("*", "]", ":"))
        ]
        assert len(bold) * 0.98 <= len(named) <= len(transcript.turns) <= len(bold) * 1.2 + 10, name


@pytest.mark.parametrize("pattern", ["ru_play_*.txt", "de_play_*.txt"])
def test_plays_have_nearly_all_their_lines(shared_data, pattern):
    """`Михевна.: …`, `JEREMIAS:: …`: nearly all lines of recurring names are found."""
    for name, text in texts(shared_data, pattern):
        spoken = re.findall(r"^([^:\n]{1,60}?):{1,2} ", text, re.M)
        back = [speaker for speaker in spoken if spoken.count(speaker) > 1]
        assert len(read_transcript(text).turns) >= 0.99 * len(back), name


@pytest.mark.parametrize(
    "pattern", ["en_novel_*.txt", "en_kjv_*.txt", "en_sotu_*.txt", "*_xquad.txt", "udhr_*.txt", "ja_aozora_*.txt"]
)
def test_other_texts_have_no_speakers(shared_data, pattern):
    """Novels, speeches, articles, laws and a bible of 71,000 lines have no turns."""
    assert {name: len(read_transcript(text).turns) for name, text in texts(shared_data, pattern)} == {
        name: 0 for name, _ in texts(shared_data, pattern)
    }
