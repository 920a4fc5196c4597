"""The report on claims has the validator's results, with offsets in the claim."""

import pytest

from groundwire.ingestion import Tier, ValidationResult
from groundwire.report.highlights import claim_pieces as pieces
from groundwire.report.ingest import Handled, OtherMemory, build_ingest_report
from report.samples_ingest import CLAIMS, SETTINGS, ingest_report, offers_of, validated

REPORT = ingest_report()


def test_every_tier_and_state_is_in_the_sample():
    """The tests of the writers rely on it."""
    assert {claim.tier for claim in REPORT.claims} == {*Tier}
    assert {cited.status.value for claim in REPORT.claims for cited in claim.citations} == {
        "verified",
        "refuted",
        "unknown",
    }
    assert {cue.action.value for claim in REPORT.claims for cue in claim.cues} == {"block", "review"}


def test_spans_cut_the_words_out_of_the_claim():
    """Offsets are code points, after emoji and in Chinese too."""
    marks = [(claim, mark) for claim in REPORT.claims for mark in (*claim.cues, *claim.citations)]
    assert len(marks) >= 9
    assert all(claim.content[mark.start : mark.end] == mark.text for claim, mark in marks)


@pytest.mark.parametrize("number", range(1, len(CLAIMS) + 1))
def test_pieces_are_all_of_the_claim(number):
    """They make up its text, and those of a mark make up the mark."""
    claim = REPORT.claims[number - 1]
    cut = list(pieces(claim))
    assert "".join(piece.text for piece in cut) == claim.content
    assert [piece.text for piece in cut if piece.cue is not None] == [cue.text for cue in claim.cues]


def test_counts_are_those_of_the_claims():
    """They are by tier and by outcome."""
    summary = REPORT.summary
    assert (summary.claims, summary.tier_1, summary.tier_2, summary.tier_3) == (7, 1, 4, 2)
    assert (summary.stored, summary.queued, summary.rejected) == (0, 0, 0)


def test_a_copy_names_the_claim_of_this_input():
    """With its number and its words."""
    assert REPORT.claims[4].other == OtherMemory(id="claims.txt:1", number=1, similarity=1.0, text=CLAIMS[0])


def test_a_copy_of_a_memory_names_it():
    """With its words if they are known; it has no number here."""
    offers = offers_of(CLAIMS[:1])
    (handled,) = validated(offers)
    result = ValidationResult(
        Tier.BLOCK,
        False,
        "Duplicate of existing memory",
        handled.result.evidence,
        similarity_score=0.95,
        conflicting_memory_id="mem-7",
        code="duplicate",
    )
    report = build_ingest_report(offers, [Handled(result, "x", other_text="It says so.")], SETTINGS)
    assert report.claims[0].other == OtherMemory(id="mem-7", number=None, similarity=0.95, text="It says so.")


def test_results_of_the_printed_function_are_refused():
    """They have no code."""
    offers = offers_of(CLAIMS[:1])
    (handled,) = validated(offers)
    result = ValidationResult(Tier.BLOCK, False, "Because", handled.result.evidence)
    with pytest.raises(ValueError, match="result 1 has no code"):
        build_ingest_report(offers, [Handled(result, "x")], SETTINGS)


def test_each_claim_needs_its_result():
    """More or fewer results would belong to other claims."""
    with pytest.raises(ValueError, match="zip"):
        build_ingest_report(offers_of(), [], SETTINGS)
