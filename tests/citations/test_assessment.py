"""assess_citations: two policies, claims, citations, support, bad input (rulings B1 to B9)."""

import pickle

import pytest
from hypothesis import given

from citations.answers import answers, lines, results, results_of
from groundwire.citations import (
    CLAIM_STATUSES,
    FINDINGS,
    CitationStatus,
    CitedClaimStatus,
    FoundBy,
    HallucinationType,
    RiskLevel,
    RiskThresholds,
    assess_citations,
    assessment,
    detect_hallucination,
)
from groundwire.citations.report import FAULTS

DOG = "The old dog sleeps on the warm red sofa all day, and nobody minds it."
CAT = "The grey cat was seen near the river at the old mill, with a fish."
SHORT = "The cat sleeps in the barn."
POLICIES = ["coverage", "spec"]


@given(answers, results)
def test_the_spec_policy_counts_what_the_literal_rule_counts(answer, some_results):
    """Rulings R0, B3, B4: ids, ratio, claims and score of detect_hallucination, rounded; uncited claims in full."""
    report = assess_citations(answer, some_results, policy="spec")
    literal = detect_hallucination(answer, some_results)
    assert report.note == literal.get("note")
    assert report.score == round(literal["hallucination_risk_score"], 12)
    if "note" not in literal:
        assert report.valid_citations == literal["valid_citations"]
        assert report.invalid_citations == literal["invalid_citations"]
        assert report.citation_ratio == round(literal["citation_ratio"], 12)
        assert [claim.text[:100] for claim in report.uncited[:3]] == literal["uncited_sentences"]


@given(answers, results)
def test_the_figures_of_the_spec_policy_are_those_of_its_parts(answer, some_results):
    """They are counted without the records; brackets may contain full stops, which end sentences."""
    report = assess_citations(answer, some_results, policy="spec")
    assert report.total_claims == len(report.claims)
    assert report.figures.covered == sum(bool(claim.valid) for claim in report.claims)
    assert report.figures.uncited == len(report.uncited)
    statuses = {status: sorted({c.id for c in report.citations if c.status is status}) for status in CitationStatus}
    assert report.valid_citations == statuses[CitationStatus.VALID]
    assert report.invalid_citations == statuses[CitationStatus.INVALID]


@pytest.mark.parametrize("policy", POLICIES)
@given(answers, results)
def test_the_ratio_is_literal_and_the_parts_are_cut_from_the_answer(policy, answer, some_results):
    """Ruling B3: `citation_ratio` is the literal one with both policies; claims and citations are slices."""
    report = assess_citations(answer, some_results, policy=policy)
    literal = detect_hallucination(answer, some_results)
    if "note" not in literal:
        assert report.citation_ratio == round(literal["citation_ratio"], 12)
    assert all(claim.text == answer[claim.start : claim.end] for claim in report.claims)
    assert [claim for claim in report.claims if claim.is_uncited] == [*report.uncited]
    assert 0.0 <= report.score <= 1.0
    assert 0.0 <= report.citation_coverage <= 1.0
    assert {citation.id for citation in report.citations} == {
        *report.valid_citations,
        *report.invalid_citations,
        *report.ignored,
    }


@pytest.mark.parametrize("policy", POLICIES)
@given(answers, results)
def test_the_figures_are_those_of_the_parts(policy, answer, some_results):
    """Figures are available before the records, and are equal to their counts."""
    report = assess_citations(answer, some_results, policy=policy)
    ids = {
        status: sorted({citation.id for citation in report.citations if citation.status is status})
        for status in CitationStatus
    }
    assert [*ids.values()] == [report.valid_citations, report.invalid_citations, report.ignored]
    assert (report.total_claims, report.facts.uncited) == (len(report.claims), len(report.uncited))
    covered = sum(1 for claim in report.claims if claim.valid)
    assert report.citation_coverage == round(covered / max(len(report.claims), 1), 12)


@given(answers, results)
def test_a_report_can_be_pickled(answer, some_results):
    """The pickle has all records, whether they were computed before or not."""
    report = assess_citations(answer, some_results)
    copy = pickle.loads(pickle.dumps(report))
    assert (copy.claims, copy.citations, copy.citation_ratio, copy.facts) == (
        report.claims,
        report.citations,
        report.citation_ratio,
        report.facts,
    )
    assert (copy.level, copy.reasons, copy.findings) == (report.level, report.reasons, report.findings)


def test_a_report_does_not_change_with_the_results():
    """Records that are computed later use the results as they were."""
    some_results = [{"id": "1", "parent_id": "9"}]
    report = assess_citations(f"{DOG} [1]", some_results)
    some_results[0]["id"] = "2"
    some_results.clear()
    assert (report.citation_ratio, report.citations[0].matched_by) == (1.0, "id")


def test_real_answers_have_the_expected_levels(shared_data):
    """Rulings B4, B5, B6: of the 292 rows, level, number of claims and of all uncited sentences."""
    rows = lines(shared_data, "seed001_expected.jsonl")
    for row in rows:
        report = assess_citations(row["answer"], results_of(row["result_ids"]), policy="spec")
        found = (report.level.value, report.total_claims, len(report.uncited))
        assert found == tuple(row["expected"][key] for key in ("level", "total_claims", "n_uncited")), row["id"]
    assert len(rows) == 292


def test_ten_sentences_that_cite_one_source_are_covered():
    """Ruling B3: ten claims with one id have a ratio of 0.1 and a coverage of 1; the policy decides."""
    answer = f"{DOG[:-1]} [1]. " * 10
    coverage = assess_citations(answer, [{"id": "1", "text": DOG}])
    assert (coverage.citation_ratio, coverage.citation_coverage) == (0.1, 1.0)
    assert (coverage.score, coverage.level) == (0.0, RiskLevel.LOW)
    spec = assess_citations(answer, results_of(["1"]), policy="spec")
    assert (spec.score, spec.level) == (0.9, RiskLevel.HIGH)


def test_a_citation_behind_the_full_stop_belongs_to_the_sentence_before():
    """Ruling B2: this is how people write it."""
    report = assess_citations(f"{DOG} [1] {CAT} [2]", results_of(["1", "2"]))
    assert [(claim.text, claim.valid) for claim in report.claims] == [(DOG, ("1",)), (CAT, ("2",))]
    assert [(citation.id, citation.claims) for citation in report.citations] == [("1", (0,)), ("2", (1,))]


def test_decimals_and_abbreviations_end_no_sentence():
    """Ruling B2: one claim, where the specified rule sees three."""
    answer = "According to Dr. Miller the share of smokers was 3.5 per cent in the year before the war [1]."
    report = assess_citations(answer, results_of(["1"]))
    assert (report.total_claims, report.citation_coverage) == (1, 1.0)


def test_links_code_and_indexes_are_no_citations():
    """Ruling B1: they are skipped, or ignored because they do not look like the ids in use."""
    answer = f"{DOG[:-1]} [as told](https://example.org) with `arr[0]` and [sic] [doc-1]."
    report = assess_citations(answer, [{"id": "doc-1", "text": DOG}])
    assert (report.valid_citations, report.invalid_citations, report.ignored) == (["doc-1"], [], ["sic"])
    assert report.level is RiskLevel.LOW


def test_a_list_of_ids_is_a_citation_of_each():
    """Ruling B1: `[1, 2]` is two citations, and an unknown id is invalid even beside a known one."""
    report = assess_citations(f"{DOG[:-1]} [1, 9].", results_of(["1", "2"]))
    assert (report.valid_citations, report.invalid_citations) == (["1"], ["9"])
    assert report.claims[0].valid == ("1",)
    assert report.claims[0].invalid == ("9",)
    assert report.level is RiskLevel.HIGH


def test_a_parent_is_a_source_and_the_report_says_so():
    """Ruling B9: both ids are valid; the report says which matched."""
    some_results = [{"id": "1"}, {"id": "2", "parent_id": "9"}]
    report = assess_citations(f"{DOG} [1] {CAT} [9]", some_results)
    assert [(citation.id, citation.matched_by) for citation in report.citations] == [("1", "id"), ("9", "parent_id")]
    assert [claim.parent for claim in report.claims] == [(), ("9",)]


def test_all_uncited_claims_are_reported_in_full():
    """Ruling B6: more than three, longer than a hundred characters, with their spans."""
    sentence = f"{'The dog and the cat ' * 6}sleep."
    answer = f"{sentence} " * 5
    report = assess_citations(answer, results_of(["1"]))
    assert [(claim.start, claim.text) for claim in report.uncited] == [
        (place * (len(sentence) + 1), sentence) for place in range(5)
    ]


def test_a_short_claim_without_a_citation_is_a_claim_and_not_uncited():
    """Ruling B8: more than 20 characters are a claim, more than 50 need a citation."""
    report = assess_citations(f"{SHORT} {DOG} [1]", results_of(["1"]))
    assert [(claim.status, claim.is_uncited) for claim in report.claims] == [
        (CitedClaimStatus.UNCITED, False),
        (CitedClaimStatus.UNREAD, False),
    ]
    assert (report.citation_coverage, report.uncited) == (0.5, ())


def test_chinese_characters_count_twice():
    """Ruling B8: with the full stop, ten Han characters are a claim, twenty-five need a citation."""
    report = assess_citations(f"{'猫' * 9}。{'狗' * 10}。{'鱼' * 24}。{'鸟' * 25}。", [])
    claims = [(claim.text[0], claim.is_uncited) for claim in report.claims]
    assert claims == [("狗", False), ("鱼", False), ("鸟", True)]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("answer", ["", " \n", "\u3000"])
def test_an_empty_answer_is_not_assessed(policy, answer):
    """Ruling B7: score 0, the printed note, level not_assessed."""
    report = assess_citations(answer, results_of(["1"]), policy=policy)
    assert (report.score, report.level) == (0.0, RiskLevel.NOT_ASSESSED)
    assert report.note == "Answer is empty, cannot detect hallucinations"


@pytest.mark.parametrize("policy", POLICIES)
def test_an_answer_without_claims_is_not_assessed(policy):
    """Ruling B7: score 0, the printed note, level not_assessed."""
    report = assess_citations("Yes [1].", results_of(["1"]), policy=policy)
    assert (report.score, report.level) == (0.0, RiskLevel.NOT_ASSESSED)
    assert report.note == "No valid claims found, cannot detect hallucinations"


@pytest.mark.parametrize("policy", POLICIES)
def test_an_invalid_citation_raises_the_level_without_claims(policy):
    """Ruling B7: invalid citations still raise the level; score and note stay."""
    report = assess_citations("Yes [9].", results_of(["1"]), policy=policy)
    assert (report.score, report.level) == (0.0, RiskLevel.HIGH)
    assert report.note == "No valid claims found, cannot detect hallucinations"


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("cited", "level"), [(7, RiskLevel.LOW), (6, RiskLevel.MODERATE), (4, RiskLevel.MODERATE)])
def test_the_ends_of_the_bands_are_exact(policy, cited, level):
    """Rulings B4, B5: of ten claims seven are low and four are moderate, which floats get wrong."""
    sentence = "The cat sleeps in the barn"
    answer = "".join(f"{sentence} [{number}]. " if number < cited else f"{sentence}. " for number in range(10))
    some_results = [{"id": str(number), "text": f"{sentence}."} for number in range(10)]
    report = assess_citations(answer, some_results, policy=policy)
    assert (report.score, report.level) == (round(1 - cited / 10, 12), level)


TEXTS = [{"id": "a", "text": "Passage a."}, {"id": "b", "text": "Passage b."}]


SUPPORTED, PARTLY, LACKING = 0.8, 0.5, 0.1


class Scores:
    """Support of one claim by some passages, set by the test."""

    def __init__(self, *scores, **contradictions):
        self.score = scores.__getitem__
        self.contradiction_kind = [contradictions.get(f"at_{place}") for place in range(len(scores))].__getitem__

    def status(self, place):
        if self.contradiction_kind(place):
            return "contradicted"
        return "supported" if self.score(place) == SUPPORTED else "unsupported"

    def is_supported_by_parts(self, _):
        return False

    def contradiction(self, _):
        return None

    def missing(self, place):
        return () if self.status(place) == "supported" else ("words",)


@pytest.mark.parametrize(
    ("support", "status", "score", "better", "found"),
    [
        pytest.param(Scores(SUPPORTED, LACKING), "supported", SUPPORTED, None, None, id="supported"),
        pytest.param(Scores(PARTLY, LACKING), "weak", PARTLY, None, FoundBy.PARTIAL_SUPPORT, id="weak"),
        pytest.param(Scores(LACKING, LACKING), "unsupported", LACKING, None, FoundBy.LOW_SUPPORT, id="unsupported"),
        pytest.param(Scores(LACKING, SUPPORTED), "misattributed", LACKING, "b", FoundBy.OTHER_SOURCE, id="elsewhere"),
        pytest.param(Scores(PARTLY, 0.6), "weak", PARTLY, None, FoundBy.PARTIAL_SUPPORT, id="hardly-better-elsewhere"),
        pytest.param(Scores(SUPPORTED, SUPPORTED), "supported", SUPPORTED, None, None, id="supported-elsewhere-too"),
        pytest.param(
            Scores(SUPPORTED, LACKING, at_0="number"), "contradicted", SUPPORTED, None, FoundBy.NUMBER, id="number"
        ),
        pytest.param(Scores(PARTLY, LACKING, at_0="date"), "contradicted", PARTLY, None, FoundBy.DATE, id="date"),
        pytest.param(
            Scores(PARTLY, LACKING, at_0="negation"), "contradicted", PARTLY, None, FoundBy.NEGATION, id="negation"
        ),
        pytest.param(
            Scores(SUPPORTED, LACKING, at_1="number"), "supported", SUPPORTED, None, None, id="another-contradicts"
        ),
        pytest.param(Scores(None, SUPPORTED), "unread", None, None, None, id="the-cited-one-has-no-text"),
    ],
)
def test_a_claim_has_the_status_that_its_passages_give_it(monkeypatch, support, status, score, better, found):
    """The cited passage decides; a better one elsewhere is reported."""
    monkeypatch.setattr(assessment, "_supports", lambda claims, *_: [support for _ in claims])
    report = assess_citations(f"{DOG} [a]", TEXTS)
    (claim,) = report.claims
    assert (claim.status, claim.support, claim.better_source) == (status, score, better)
    assert [finding.found_by for finding in report.findings] == ([] if found is None else [found])
    assert report.citations[0].support == score


def test_a_claim_is_compared_without_its_citations(monkeypatch):
    """Sources need not contain the number of a citation; offsets stay."""
    compared = []
    monkeypatch.setattr(assessment, "_supports", lambda claims, *_: compared.extend(claims) or [None] * len(claims))
    results_with_text = [{"id": "1", "text": "Passage."}]
    assess_citations(f"The dog [1] sleeps [1, 1] on the red sofa [1]. [1] {CAT}", results_with_text)
    assert compared[1] == CAT
    assert compared[0].split() == ["The", "dog", "sleeps", "on", "the", "red", "sofa", "."]
    assert len(compared[0]) == len("The dog [1] sleeps [1, 1] on the red sofa [1].")


@pytest.mark.parametrize(
    ("support", "expected"),
    [
        pytest.param(Scores(SUPPORTED, SUPPORTED), {0}, id="supported"),
        pytest.param(Scores(LACKING, SUPPORTED, at_0="number"), {0}, id="contradicted"),
        pytest.param(Scores(LACKING, LACKING), {0, 1}, id="not-supported"),
    ],
)
def test_other_passages_are_read_only_if_they_can_change_the_status(monkeypatch, support, expected):
    """A claim that a cited passage supports or contradicts is compared with no other passage."""
    asked, status = set(), support.status
    monkeypatch.setattr(support, "status", lambda place: asked.add(place) or status(place))
    monkeypatch.setattr(assessment, "_supports", lambda claims, *_: [support for _ in claims])
    assess_citations(f"{DOG[:-1]} [a].", TEXTS)
    assert asked == expected


def test_an_uncited_claim_names_a_source_that_supports_it(monkeypatch):
    """The report names a source that could have been cited."""
    monkeypatch.setattr(assessment, "_supports", lambda claims, *_: [Scores(LACKING, SUPPORTED) for _ in claims])
    report = assess_citations(DOG, TEXTS)
    assert (report.claims[0].status, report.claims[0].better_source) == (CitedClaimStatus.UNCITED, "b")


@pytest.mark.parametrize(
    ("support", "level"),
    [
        (Scores(SUPPORTED, LACKING), RiskLevel.LOW),
        (Scores(PARTLY, LACKING), RiskLevel.LOW),
        (Scores(LACKING, LACKING), RiskLevel.MODERATE),
        (Scores(LACKING, SUPPORTED), RiskLevel.MODERATE),
        (Scores(SUPPORTED, LACKING, at_0="number"), RiskLevel.MODERATE),
    ],
)
def test_lacking_support_is_a_moderate_risk_by_coverage_and_none_as_printed(monkeypatch, support, level):
    """Ruling R0: the specified rules do not read the passages; the guarded ones may only raise the level."""
    monkeypatch.setattr(assessment, "_supports", lambda claims, *_: [support for _ in claims])
    answer = f"{DOG[:-1]} [a]."
    assert assess_citations(answer, TEXTS).level is level
    assert assess_citations(answer, TEXTS, policy="spec").level is RiskLevel.LOW


def test_the_thresholds_move_the_statuses(monkeypatch):
    """The minimum for partial support is a setting."""
    monkeypatch.setattr(assessment, "_supports", lambda claims, *_: [Scores(LACKING, LACKING) for _ in claims])
    settings = RiskThresholds(weak_from=LACKING)
    report = assess_citations(f"{DOG} [a]", TEXTS, settings=settings)
    assert report.claims[0].status is CitedClaimStatus.WEAK


def test_invalid_and_uncited_are_found_with_their_places():
    """Each finding has its type, the way it was found, and its span."""
    answer = f"{DOG} {CAT} [9] No [8]."
    report = assess_citations(answer, results_of(["1"]))
    found = [(finding.type, finding.found_by, answer[finding.start : finding.end]) for finding in report.findings]
    assert found == [
        (HallucinationType.UNCITED_CLAIM, FoundBy.NO_CITATION, DOG),
        (HallucinationType.INVALID_CITATION, FoundBy.NO_SUCH_ID, "[9]"),
        (HallucinationType.UNCITED_CLAIM, FoundBy.NO_CITATION, CAT),
        (HallucinationType.INVALID_CITATION, FoundBy.NO_SUCH_ID, "[8]"),
    ]


def test_every_status_and_every_way_of_finding_is_explained():
    """Each code has a text, and each way except the judge's belongs to one of the five types."""
    assert [*CLAIM_STATUSES] == [*CitedClaimStatus]
    assert [*FINDINGS] == [*FoundBy]
    assert {*FAULTS} == {*FoundBy} - {FoundBy.JUDGE}


HOSTILE = {
    "open": "[" * 1_000_000,
    "nested": "[" * 200_000 + "1" + "]" * 200_000,
    "empty-brackets": "[]" * 300_000,
    "stops": "。" * 1_000_000,
    "surrogates": "\ud800[1]\udfff" * 50_000,
    "right-to-left": "\u202e\u200f[1]\u202c." * 50_000,
    "ranges": "[1-1000]" * 2_000,
    "ten-megabytes": f"{DOG} [1] " * 140_000,
}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("answer", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_answers_end(policy, answer):
    """Nothing raises, and time and memory grow linearly with the answer."""
    report = assess_citations(answer, results_of(["1", "2"]), policy=policy)
    assert 0.0 <= report.score <= 1.0


def test_lone_surrogates_keep_the_offsets():
    """A claim is still a slice of the answer."""
    answer = f"\ud800 {DOG} [1]"
    report = assess_citations(answer, results_of(["1"]))
    assert report.claims[0].text.endswith(DOG)
    assert answer[report.citations[0].start : report.citations[0].end] == "[1]"


def test_odd_results_are_counted_and_a_number_may_be_cited():
    """Anomalies are counted without an exception; the literal ratio takes a number for no id."""
    report = assess_citations(f"{DOG[:-1]} [1].", [{"id": 1}, {}, {"id": "1"}])
    assert {anomaly.value: count for anomaly, count in report.anomalies} == {
        "no_id": 1,
        "number_as_id": 1,
        "repeated_id": 1,
    }
    assert report.valid_citations == ["1"]
    alone = assess_citations(f"{DOG[:-1]} [1].", [{"id": 1}])
    assert (alone.citation_coverage, alone.citation_ratio) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"answer": None}, TypeError, "answer must be a str, got NoneType"),
        ({"answer": b"private"}, TypeError, "answer must be a str, got bytes"),
        ({"results": None}, TypeError, "results must be a sequence of mappings, got NoneType"),
        ({"results": ["private"]}, TypeError, r"results\[0\] must be a mapping, got str"),
        ({"policy": "literal"}, ValueError, 'policy must be one of "coverage", "spec", got "literal"'),
        ({"policy": "some private words"}, ValueError, "policy must be one of .*, got <a name of 18 .*>"),
        ({"policy": None}, TypeError, "policy must be one of .*, got NoneType"),
        ({"settings": {}}, TypeError, "settings must be a RiskThresholds or None, got dict"),
    ],
)
def test_a_wrong_argument_is_refused_without_its_text(arguments, error, message):
    """An error names the expected and the given type, and contains no text."""
    with pytest.raises(error, match=f"^{message}$"):
        assess_citations(**{"answer": DOG, "results": [], **arguments})


def test_citations_that_are_ignored_have_their_place_too():
    """Text in brackets that does not look like an id is kept as ignored."""
    report = assess_citations(f"{DOG[:-1]} [sic] [1].", results_of(["1"]))
    assert [(citation.id, citation.status) for citation in report.citations] == [
        ("sic", CitationStatus.IGNORED),
        ("1", CitationStatus.VALID),
    ]


def test_a_weak_claim_is_a_finding_and_raises_no_level():
    """The claim goes further than its source, as far as words show; the reader decides."""
    limits = RiskThresholds(weak_from=0.0)
    results = [{"id": "1", "content": "The mill by the river burned down in the winter of that year."}]
    report = assess_citations("The mill burned down in winter and was never rebuilt [1].", results, settings=limits)
    assert [claim.status for claim in report.claims] == ["weak"]
    assert [finding.type for finding in report.findings] == ["over_extrapolation"]
    assert report.level == "low"


def test_a_title_supports_no_claim():
    """A title names the subject of a passage; a result with a title alone counts as unread."""
    words = "The mill burned down in winter"
    passages = [{"id": "1", "title": words, "content": "Chanterelles grow in forests."}, {"id": "2", "title": words}]
    report = assess_citations(f"{words} [1]. {words} again [2].", passages)
    assert [claim.status for claim in report.claims] == ["unsupported", "unread"]
