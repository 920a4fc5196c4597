"""The report on personas has the validator's results, with locations in the sources."""

import pytest

from groundwire.faithfulness import ClaimStatus, FaithfulnessValidator, PreparedSources, read_personas
from groundwire.report.faithfulness import PersonaSourceEntry, build_faithfulness_report
from groundwire.report.labels.faithfulness import VERDICTS, groups_of
from groundwire.report.spans import cut_around
from report.samples_faithfulness import POLICIES, SOURCES, faithfulness_report

REPORT = faithfulness_report()
SARAH, SECOND, NOBODY = REPORT.personas
ENTRIES = [
    entry
    for persona in REPORT.personas
    for claim in persona.claim_details
    for entry in (*claim.contradictions, *claim.evidence, *claim.near_misses)
]


def test_every_verdict_is_in_the_sample():
    """The tests of the writers rely on it."""
    assert {claim.verdict for claim in SARAH.claim_details} == {*VERDICTS}


def test_figures_are_those_of_the_result():
    """Under the names that the document gives them."""
    (result,) = FaithfulnessValidator(policies=POLICIES).validate_many(
        personas={"age": 34, "company": "TechCorp", "season": "winter"}, source_data=SOURCES
    )
    report = build_faithfulness_report([{}], [result], threshold=0.6)
    (persona,) = report.personas
    names = (
        *("faithfulness_score", "total_claims", "supported_claims", "unsupported_claims"),
        *("hallucination_rate", "weak_rate", "backend", "note"),
    )
    assert [getattr(persona, name) for name in names] == [getattr(result, name) for name in names]
    assert (persona.total_claims, persona.supported_claims, persona.weak_claims, persona.hallucinated_claims) == (
        3,
        1,
        1,
        1,
    )


def test_contradicted_claims_come_first():
    """Then those with the least support."""
    verdicts = [VERDICTS.index(claim.verdict) for claim in SARAH.claim_details]
    assert verdicts == sorted(verdicts)
    assert [claim.number for claim in SARAH.claim_details] == [*range(1, 9)]


def test_verdicts_add_up_to_the_claims_that_count():
    """Ruling D3: weak claims are neither supported nor hallucinated."""
    summary = REPORT.summary
    assert summary.contradicted + summary.unsupported + summary.weak + summary.supported == summary.claims == 10
    assert (SARAH.supported_claims, SARAH.weak_claims, SARAH.hallucinated_claims) == (4, 1, 3)
    supported = [claim for claim in SARAH.claim_details if claim.verdict == "supported"]
    assert all(claim.status is ClaimStatus.SUPPORTED for claim in supported)


def test_verdicts_go_by_the_threshold_of_the_validator():
    """Ruling D2: from 0.95 on, a claim with 0.9 is weak."""
    claims = faithfulness_report(similarity_threshold=0.95).personas[1].claim_details
    assert {claim.verdict for claim in claims} == {"weak"}
    low = faithfulness_report(similarity_threshold=0.2).personas[0].claim_details
    assert "weak" not in {claim.verdict for claim in low}


def test_personas_are_called_by_name_id_or_place():
    """This includes fields inside `demographics`."""
    personas = [{"demographics": {"name": "Ann  Lee", "age": 34}}, {"id": 7, "age": 34}, {"age": 34}, {"name": " "}]
    assert [each.name for each in faithfulness_report(personas).personas] == [
        "Ann Lee",
        "7",
        "persona 3",
        "persona 4",
    ]


def test_a_persona_passes_from_the_minimum_score():
    """Ruling D11; without claims a persona cannot pass (D4)."""
    assert [persona.passed for persona in REPORT.personas] == [False, True, None]
    summary = REPORT.summary
    assert (summary.passed, summary.failed, summary.without_claims) == (1, 1, 1)
    assert NOBODY.note
    assert faithfulness_report(min_score=0.5).personas[0].passed


def test_spans_cut_the_evidence_out_of_its_text():
    """Offsets are code points, after emoji and in shortened texts too."""
    marked = {entry.text[entry.start : entry.end] for entry in ENTRIES}
    assert {"five", "hate checking emails", "winter", "Slack"} <= marked
    assert all(0 <= entry.start <= entry.end <= len(entry.text) for entry in ENTRIES)


def test_evidence_of_a_long_unit_is_the_part_around_it():
    """It is cut between words, and shows that text is missing."""
    said = f"Ann: {'We talked a lot. ' * 40}I work as a beekeeper. {'It rained all day. ' * 40}"
    (persona,) = faithfulness_report([{"occupation": "beekeeper"}], [("a", said)]).personas
    entry = persona.claim_details[0].evidence[0]
    assert entry.text[entry.start : entry.end] == "beekeeper"
    assert len(entry.text) <= 420 < entry.unit_chars
    assert (entry.text_start > 0, entry.text_end < entry.unit_chars) == (True, True)
    assert not entry.text.startswith(" ")


@pytest.mark.parametrize("text", ["x" * 1000, "word " * 200, "a " * 500, "short"])
@pytest.mark.parametrize(("low", "high"), [(0, 0), (0, 1), (2, 5), (1, 900)])
def test_an_excerpt_contains_its_evidence(text, low, high):
    """This holds for any length."""
    low, high = min(low, len(text)), min(high, len(text))
    start, end = cut_around(text, low, high, 420)
    assert 0 <= start <= low <= high <= end <= len(text)
    assert end - start <= max(420, high - low + 2 * 420)


def test_sources_are_counted():
    """Each has the number of claims that it supports and contradicts."""
    assert SARAH.sources == (
        PersonaSourceEntry(name="sarah.txt", supports=3, contradicts=2),
        PersonaSourceEntry(name="joon.txt", supports=1, contradicts=0),
        PersonaSourceEntry(name="survey.csv", supports=2, contradicts=0),
    )
    assert REPORT.summary.sources == 3


def test_locations_are_complete():
    """They have row, line, turn and speaker, separately and in words."""
    age = next(claim for claim in SARAH.claim_details if claim.path == "age")
    row, turn = age.evidence[0].place, age.evidence[1].place
    assert (row.source, row.line, row.row, row.turn) == ("survey.csv", 2, 1, None)
    assert (turn.line, turn.turn, turn.speaker, turn.row) == (2, 2, "Sarah", None)
    assert turn.words == "sarah.txt, line 2, turn 2 (Sarah)"


def test_the_same_words_are_shown_once():
    """The sentence around the same words is no further evidence."""
    claim = next(claim for claim in SARAH.claim_details if claim.path == "occupation")
    shown = [entry for group in groups_of(claim) for entry in group.entries]
    assert len(shown) == 2 == len(claim.evidence)
    assert [entry.score for entry in shown] == [0.9, 0.9]


def test_synthetic_claims_are_listed_and_not_counted():
    """Ruling D7."""
    assert [each.path for each in SARAH.synthetic] == ["name"]
    assert REPORT.summary.synthetic == 2


def test_prepared_sources_give_the_same_report():
    """However the sources are read."""
    personas = read_personas([{"age": 34}])
    validator = FaithfulnessValidator()
    reports = [
        build_faithfulness_report(
            personas, validator.validate_many(personas=personas, source_data=source), threshold=0.6
        )
        for source in (SOURCES, PreparedSources(SOURCES))
    ]
    assert reports[0] == reports[1]


def test_results_of_another_threshold_are_refused():
    """The numbers of results and personas must be equal."""
    results = FaithfulnessValidator().validate_many(personas=[{"age": 34}], source_data=SOURCES)
    with pytest.raises(ValueError, match="all results must have the threshold"):
        build_faithfulness_report([{}], results, threshold=0.7)
    with pytest.raises(ValueError, match="zip"):
        build_faithfulness_report([{}, {}], results, threshold=0.6)


def test_a_report_may_have_no_personas():
    """Without a score."""
    report = faithfulness_report([])
    assert (report.summary.personas, report.summary.faithfulness_score) == (0, None)
