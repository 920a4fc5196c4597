"""Models beside the rules: the scores that they may change, and the handling of failures."""

import warnings
from itertools import pairwise

import pytest

from faithfulness.doubles import NAN, Returns, Scores, Topics
from groundwire.errors import ModelError
from groundwire.faithfulness import (
    FaithfulnessValidator,
    Layer,
    Locator,
    MatchKind,
    PreparedSources,
    SupportLevel,
    Unit,
)
from groundwire.faithfulness.support.relatedness import windows_of

INTERVIEW = """\
Interviewer: How do you get to work?
Ann: I cycle everywhere, whatever the weather.
Interviewer: And at work?
Ann: My crew has five people. I hate checking email.
"""
WORDS = ("bicycle cycle bike rides", "crew team colleagues", "email mail")
SECRET = "a-word-that-must-not-leak"


@pytest.fixture(autouse=True)
def _warnings_are_looked_at():
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".* is not calibrated")
        yield


def validated(persona, source=INTERVIEW, **models):
    """Return the result of one persona."""
    return FaithfulnessValidator(**models).validate(persona=persona, source_data=source)


def claim_of(persona, source=INTERVIEW, **models):
    """Return the only claim of a persona."""
    (claim,) = validated(persona, source, **models).claim_details
    return claim


def test_an_embedder_finds_a_claim_in_other_words():
    """No word is shared; the level is MODERATE at most, and the result names the embedder."""
    persona = {"bio": "She rides a bicycle."}
    assert claim_of(persona).level is SupportLevel.UNSUPPORTED
    claim = claim_of(persona, embedder=Topics(*WORDS))
    assert (claim.level, claim.confidence, claim.layer) == (SupportLevel.MODERATE, 0.8, Layer.EMBEDDING)
    assert claim.evidence[0].kind is MatchKind.RELATED
    assert validated(persona, embedder=Topics(*WORDS)).backend == "lexical+embeddings:topics"


@pytest.mark.parametrize(
    "claim",
    [
        pytest.param("Her team has nine colleagues.", id="another-number"),
        pytest.param("She never rides a bicycle.", id="a-denial"),
        pytest.param("She likes the team in Berlin.", id="another-name"),
    ],
)
def test_similarity_does_not_support_a_claim_with_other_details(claim):
    """No embedder can tell contradiction from support."""
    assert claim_of({"bio": claim}, embedder=Topics(*WORDS)).confidence < 0.4


def test_no_model_outweighs_a_contradiction():
    """Ruling D9: this holds for embedders and scorers, and the scorer is not even called."""
    scorer = Scores(otherwise=1.0)
    claim = claim_of({"bio": "She prefers email."}, embedder=Topics(*WORDS), hhem=scorer, judge=scorer)
    assert claim.contradicted
    assert claim.confidence == 0.0
    assert scorer.pairs == []


def test_a_question_and_who_asks_support_nothing():
    """An interviewer's words are not the person's."""
    source = "Interviewer: You ride a bike then.\nAnn: Do I ride a bike?\n"
    assert claim_of({"bio": "She rides a bicycle."}, source, embedder=Topics(*WORDS)).confidence < 0.4


def test_a_scorer_replaces_scores_of_words_and_vectors():
    """Words and vectors find the passages; the scorer's scores count."""
    persona = {"bio": "She rides a bicycle."}
    scorer = Scores({"She rides a bicycle.": 0.97})
    claim = claim_of(persona, embedder=Topics(*WORDS), hhem=scorer)
    assert (claim.confidence, claim.level, claim.layer) == (0.97, SupportLevel.STRONG, Layer.HHEM)
    assert scorer.pairs[0][0] == "Ann: I cycle everywhere, whatever the weather."
    claim = claim_of(persona, embedder=Topics(*WORDS), hhem=Scores(otherwise=0.05))
    assert (claim.confidence, claim.status) == (0.05, "UNSUPPORTED")
    assert {each.layer for each in claim.near_misses} == {Layer.HHEM}


def test_a_scorer_reads_what_has_too_little_in_common_to_be_evidence():
    """This also holds without an embedder."""
    scorer = Scores(otherwise=0.9)
    claim = claim_of({"bio": "Ann rides through rain and snow and other bad weather."}, hhem=scorer)
    assert claim.confidence == 0.9
    assert claim.evidence[0].unit.text.startswith("I cycle")


def test_a_literal_match_needs_no_scorer():
    """Words and values of the strong kinds keep their scores, and quotes are never paraphrased."""
    scorer = Scores(otherwise=0.0)
    source = "Ann: I am 34 years old. I cycle everywhere.\n"
    result = validated({"age": 34, "quote": "I walk everywhere"}, source, hhem=scorer)
    assert [each.confidence for each in result.claim_details] == [0.0, 0.9]
    assert scorer.pairs == []
    assert result.backend == "lexical"


def test_the_last_scorer_decides():
    """The judge reads the best passages of HHEM."""
    persona = {"bio": "She rides a bicycle."}
    first, last = Scores(otherwise=0.9), Scores(otherwise=0.2)
    result = validated(persona, embedder=Topics(*WORDS), hhem=first, judge=last)
    assert result.backend == "lexical+embeddings:topics+hhem:scores+judge:scores"
    (claim,) = result.claim_details
    assert (claim.confidence, claim.layer) == (0.2, Layer.JUDGE)
    assert first.pairs == last.pairs


def test_the_same_pair_is_scored_once():
    """Personas often share claims."""
    scorer = Scores(otherwise=0.7)
    personas = [{"bio": "She rides a bicycle."}] * 3
    results = FaithfulnessValidator(embedder=Topics(*WORDS), hhem=scorer).validate_many(
        personas=personas, source_data=INTERVIEW
    )
    assert len({*scorer.pairs}) == len(scorer.pairs)
    assert results[0] == results[1] == results[2]


def test_prepared_batches_are_embedded_once(monkeypatch):
    """Memory is limited; prepared sources keep their vectors."""
    monkeypatch.setattr("groundwire.faithfulness.search.PART_CHARS", 60)
    source = "\n\n".join(["Ann: I cycle everywhere.", *["Ann: Well, that is how it is here."] * 9])
    embedder = Topics(*WORDS)
    validator = FaithfulnessValidator(embedder=embedder)
    prepared = PreparedSources(source)
    found = [validator.validate(persona={"bio": "She rides a bike."}, source_data=prepared) for _ in range(2)]
    assert found[0] == found[1] == validator.validate(persona={"bio": "She rides a bike."}, source_data=source)
    assert found[0].claim_details[0].confidence == 0.8
    assert len(prepared.parts) >= 4
    assert len(embedder.calls) == 3 + 2 * len(prepared.parts)


LONG = " ".join(f"Sentence {number} is about nothing at all, and it is a little longer." for number in range(12))


def test_sources_in_blocks_have_the_same_evidence(monkeypatch):
    """The number of windows in a batch, and the cache, do not matter."""
    sources = [
        (f"interview {place}", f"Ann: {LONG} I cycle {place} times. {LONG}\nBob: My bike is old.") for place in range(9)
    ]
    persona = {"bio": "She rides a bicycle. Her team cycles."}
    prepared = PreparedSources(sources)
    whole = validated(persona, prepared, embedder=Topics(*WORDS))
    monkeypatch.setattr("groundwire.faithfulness.support.relatedness._BLOCK", 7)
    assert validated(persona, prepared, embedder=Topics(*WORDS)) == whole
    monkeypatch.setattr("groundwire.faithfulness.support.relatedness._KEPT_BYTES", 100)
    embedder = Topics(*WORDS)
    validator = FaithfulnessValidator(embedder=embedder)
    calls = []
    for _ in range(2):
        assert validator.validate(persona=persona, source_data=prepared) == whole
        calls.append(len(embedder.calls))
    assert calls[1] == 2 * calls[0]


def test_every_source_that_supports_a_claim_is_counted():
    """Nine of ten interviews count, though only eight pieces of evidence are kept for one."""
    sources = [(f"interview {place}", "Ann: I ride my bike. I cycle. My bike is old.") for place in range(9)]
    claim = claim_of({"bio": "She has a bicycle."}, [*sources, ("other", "Bob: I walk.")], embedder=Topics(*WORDS))
    assert len(claim.sources) == 9


def test_windows_overlap_by_a_sentence_and_cover_all():
    """Sentences are joined up to 300 characters; a longer one is a window of its own."""
    unit = Unit(f"{LONG} {'word ' * 100}. Short one. {LONG}", Locator("text", 1, 0, 0))
    spans = [(start, end) for _, start, end in windows_of(unit)]
    assert spans[0][0] == 0
    assert spans[-1][1] == len(unit.text)
    for (start, end), (following, _) in pairwise(spans):
        assert start < following <= end + 1
    assert sum(end - start > 300 for start, end in spans) == 1
    assert any(following < end for (_, end), (following, _) in pairwise(spans))


BROKEN = [
    pytest.param(ValueError(SECRET), "failed, the embedder raised ValueError", id="raises"),
    pytest.param([[NAN, 1.0]], "not_finite", id="nan"),
    pytest.param([[float("inf"), 1.0]], "not_finite", id="infinite"),
    pytest.param([[1e300, 1.0]], "not_finite", id="too-large-for-32-bits"),
    pytest.param([[1.0], [1.0], [1.0]], "wrong_shape, 3 x 1 for 1 texts", id="too-many-rows"),
    pytest.param([[1.0], [1.0, 2.0]], "wrong_shape", id="ragged"),
    pytest.param([1.0], "wrong_shape, 1 for 1 texts", id="no-rows"),
    pytest.param([[]], "wrong_shape, 1 x 0 for 1 texts", id="no-values"),
    pytest.param(None, "wrong_shape", id="nothing"),
    pytest.param("text", "wrong_shape", id="no-numbers"),
]


@pytest.mark.parametrize(("returned", "reason"), BROKEN)
def test_a_broken_embedder_decides_nothing_and_is_a_warning(returned, reason):
    """Ruling D8: the result equals the one without a model, with a warning without text."""
    persona = {"bio": "She rides a bicycle."}
    with pytest.warns(RuntimeWarning, match=reason) as caught:
        result = validated(persona, embedder=Returns(returned))
    assert result.backend == "lexical"
    assert result.claim_details == validated(persona).claim_details
    assert any(reason in warning for warning in result.warnings)
    assert not any(SECRET in str(warning.message) for warning in caught)


def test_an_embedder_that_fails_in_the_middle_decides_nothing(monkeypatch):
    """Embeddings for half of the sources would give a wrong result."""
    monkeypatch.setattr("groundwire.faithfulness.search.PART_CHARS", 60)

    class Failing(Topics):
        def encode(self, texts):
            if len(self.calls) == 3:
                raise OSError
            return super().encode(texts)

    source = "\n\n".join(["Ann: I cycle everywhere.", *["Ann: Well, that is how it is here."] * 9])
    with pytest.warns(RuntimeWarning, match="topics: no embeddings: failed"):
        result = validated({"bio": "She rides a bicycle."}, source, embedder=Failing(*WORDS))
    assert result.claim_details[0].confidence == 0.0


@pytest.mark.parametrize(
    ("returned", "reason"),
    [
        pytest.param(ValueError(SECRET), "it raised ValueError", id="raises"),
        pytest.param([0.5, 0.5, 0.5, 0.5, 0.5], "it returned 5 scores for 1 pairs", id="too-many"),
        pytest.param([NAN], "not from 0 to 1", id="nan"),
        pytest.param([1.5], "not from 0 to 1", id="above-1"),
        pytest.param(["high"], "it raised ValueError", id="words"),
        pytest.param(None, "it raised TypeError", id="nothing"),
        pytest.param(ModelError("hhem", "it took too long"), "it took too long", id="says-why"),
    ],
)
def test_a_broken_scorer_decides_nothing_and_is_a_warning(returned, reason):
    """Ruling D6: a warning shows the fall-back."""
    source = "Ann: I cycle everywhere, whatever the weather.\n"
    persona = {"bio": "She rides a bicycle."}
    with pytest.warns(RuntimeWarning, match=reason):
        result = validated(persona, source, embedder=Topics(*WORDS), hhem=Returns(returned))
    assert result.backend == "lexical+embeddings:topics"
    assert result.claim_details[0].layer is Layer.EMBEDDING
    assert not any(SECRET in warning for warning in result.warnings)


def test_a_missing_hhem_is_a_warning():
    """Ruling D6: a warning, or with "require" an error."""
    with pytest.raises(ValueError, match="hhem must be"):
        FaithfulnessValidator(hhem="please")
    assert validated({"age": 34}, hhem=False).backend == "lexical"


@pytest.mark.parametrize(
    ("persona", "backend"),
    [({"age": 34}, "lexical"), ({}, "lexical"), ({"bio": "?"}, "lexical+embeddings:topics")],
)
def test_nothing_to_embed(persona, backend):
    """There are claims without text, no claims, or sources without a sentence; an unused model is not named."""
    for source in (INTERVIEW, "age,city\n34,Rome\n35,Oslo\n", "Interviewer: Hm?\nInterviewer: So?\n"):
        result = validated(persona, source, embedder=Topics(*WORDS))
        assert result.backend == backend
        assert len(result.warnings) == (backend != "lexical")
