"""The models that a validator selects, and its warnings about missing ones (rulings D6 and D8)."""

import json
import warnings

import pytest

from embedding import folders_made as made
from faithfulness.doubles import Topics
from groundwire.calibration import Rate
from groundwire.embedding import EmbeddingError, ServerEmbedder
from groundwire.errors import ModelError
from groundwire.faithfulness import FaithfulnessValidator
from groundwire.faithfulness.calibration import ScaleError, SimilarityScale, published_scales, read_scales, save_scale

SOURCE = "Ann: I cycle everywhere, whatever the weather.\n"
PERSONA = {"bio": "She rides a bicycle."}
WORDS = ("bicycle cycle", "weather rain")
SCALE = SimilarityScale("topics", 0.65, 0.3, Rate(1, 20), Rate(2, 30))


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    """Return a local model, in an environment without keys."""
    made.install(monkeypatch, "model2vec", StaticModel=made.StaticModel)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "QUANTITATIVE_EMBEDDER_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("QUANTITATIVE_EMBEDDER_FOLDER", str(made.static_folder(tmp_path / "small")))
    monkeypatch.chdir(tmp_path)


def validated(**models):
    """Return the result; Python warnings are errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return FaithfulnessValidator(**models).validate(persona=PERSONA, source_data=SOURCE)


def test_an_embedder_that_is_false_is_used():
    """Its truth value says nothing: it may have a length of 0."""

    class Empty(Topics):
        def __len__(self):
            return 0

    assert validated(embedder=Empty(*WORDS)).backend == "lexical+embeddings:topics"


def test_a_server_model_without_a_key_becomes_the_local_embedder():
    """It runs, the result names it, and a warning says that another one was requested."""
    result = validated(embedding_model="text-embedding-3-small")
    assert result.backend.startswith("lexical+embeddings:small@")
    assert '"text-embedding-3-small" was requested, but no server is configured for it' in result.warnings[0]
    result = validated(embedding_model="local")
    assert result.backend.startswith("lexical+embeddings:small@")
    assert not any("requested" in warning for warning in result.warnings)


def test_an_unreachable_server_is_replaced_by_the_local_embedder(monkeypatch):
    """The replacement comes before any decision."""
    pytest.importorskip("openai", reason="no openai: pip install 'groundwire[judge]'")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("QUANTITATIVE_EMBEDDER_MAX_RETRIES", "0")
    result = validated(embedding_model="text-embedding-3-small")
    assert result.backend.startswith("lexical+embeddings:small@")
    assert "text-embedding-3-small: no embeddings: unreachable; decided without it; small@" in result.warnings[0]
    monkeypatch.setenv("QUANTITATIVE_EMBEDDER_FOLDER", "gone")
    result = validated(embedding_model="text-embedding-3-small")
    assert result.backend == "lexical"
    assert "the local embedder is not available either" in result.warnings[1]


def test_a_servers_embedder_ends_with_the_validator_that_made_it(monkeypatch):
    """The validator closes its own embedder, not the caller's."""
    pytest.importorskip("openai", reason="no openai: pip install 'groundwire[judge]'")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    closed = []
    close = ServerEmbedder.close
    monkeypatch.setattr(ServerEmbedder, "close", lambda self: (closed.append(self), close(self)))
    with FaithfulnessValidator("text-embedding-3-small"):
        assert closed == []
    (made_for_a_name,) = closed
    with pytest.raises(RuntimeError, match="closed"):
        made_for_a_name.encode(["x"])
    with ServerEmbedder("any", base_url="http://127.0.0.1:9/v1", max_retries=0) as given:
        FaithfulnessValidator(embedder=given).close()
        with pytest.raises(EmbeddingError, match="unreachable"):
            given.encode(["x"])
    FaithfulnessValidator().close()


def test_no_embedder_at_all(monkeypatch):
    """The rules decide, and a warning says so."""
    monkeypatch.setenv("QUANTITATIVE_EMBEDDER_FOLDER", "gone")
    with pytest.warns(RuntimeWarning, match="embeddings were requested and are not available"):
        result = FaithfulnessValidator("text-embedding-3-small").validate(persona=PERSONA, source_data=SOURCE)
    assert (result.backend, len(result.warnings)) == ("lexical", 1)
    assert result.claim_details == validated().claim_details


def test_vectors_are_kept_in_a_folder(tmp_path):
    """The folder is created; the second run embeds nothing."""
    embedder = Topics(*WORDS)
    first = validated(embedder=embedder, cache_dir=tmp_path / "a" / "b")
    calls = len(embedder.calls)
    assert validated(embedder=embedder, cache_dir=tmp_path / "a" / "b") == first
    assert len(embedder.calls) == calls
    assert not any(b"cycle" in path.read_bytes() for path in (tmp_path / "a" / "b").iterdir())


def test_a_scale_is_taken_by_the_name_of_its_model(tmp_path):
    """The calibrated threshold becomes 0.6; the scale of another model does not count."""
    path = tmp_path / "scales.json"
    save_scale(SCALE, path)
    result = validated(embedder=Topics(*WORDS), scales=path)
    # A cosine of 1 / √2, between the threshold and 1.
    assert result.claim_details[0].confidence == pytest.approx(0.6 + 0.2 * (0.5**0.5 - 0.65) / 0.35, abs=1e-6)
    assert result.warnings == ()
    other = Topics(*WORDS)
    other.name = "other"
    result = validated(embedder=other, scales=path)
    assert result.claim_details[0].confidence == pytest.approx(0.5**0.5, abs=1e-6)
    assert result.warnings == ("other is not calibrated: its cosines are used as scores",)


def test_scales_are_read_as_they_were_saved(tmp_path):
    """A file may have several; a later one of the same model replaces the earlier one."""
    path = tmp_path / "scales.json"
    other = SimilarityScale("other", 0.9, 0.8, Rate(0, 1), Rate(0, 1))
    for scale in (SimilarityScale("topics", 0.2, 0.1, Rate(0, 1), Rate(1, 1)), other, SCALE):
        save_scale(scale, path)
    assert read_scales(path) == {"topics": SCALE, "other": other}
    assert [each.name for each in tmp_path.iterdir()].count("scales.json") == 1
    assert all(name == scale.embedder for name, scale in published_scales().items())


RATE = {"count": 7, "total": 9}
WRITTEN_SCALE = json.dumps(
    {"scales": {"a": {"threshold": 0.5, "unrelated": 0.2, "false_support": RATE, "missed": RATE}}}
)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"scales": []}',
        '{"scales": {"a": 1}}',
        '{"scales": {"a": {"threshold": 0.5}}}',
        json.dumps({"scales": {"a": {"threshold": 0.2, "unrelated": 0.5, "false_support": {}, "missed": {}}}}),
        "[" * 100_000,
        WRITTEN_SCALE.replace("0.5", "9" * 400),
        WRITTEN_SCALE.replace("7", "1e999"),
    ],
)
def test_an_invalid_scale_is_an_error(tmp_path, content):
    """In the constructor."""
    path = tmp_path / "scales.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ScaleError):
        FaithfulnessValidator(embedder=Topics(*WORDS), scales=path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ScaleError, match="not UTF-8"):
        read_scales(path)
    with pytest.raises(OSError, match="gone"):
        FaithfulnessValidator(embedder=Topics(*WORDS), scales=tmp_path / "gone")


@pytest.mark.parametrize(
    ("threshold", "unrelated"), [(0.5, 0.5), (0.4, 0.5), (1.0, 0.5), (0.5, -1.0), (float("nan"), 0.1)]
)
def test_a_scale_rises(threshold, unrelated):
    """Otherwise scores would not have the order of cosines."""
    with pytest.raises(ValueError, match="unrelated < threshold"):
        SimilarityScale("topics", threshold, unrelated, Rate(0, 1), Rate(0, 1))


@pytest.mark.parametrize(
    ("cosine", "expected"),
    [(-1.0, 0.0), (0.3, 0.4), (0.475, 0.5), (0.65, 0.6), (1.0, 0.8), (1.0000001, 0.8), (-1.1, 0.0)],
)
def test_scores_lie_on_the_lines_between(cosine, expected):
    """Levels have the same bounds for every model (ruling D1)."""
    from groundwire.faithfulness.support.similarity import EmbeddingSimilarity

    similarity = EmbeddingSimilarity(Topics(*WORDS), scale=SCALE.points)
    assert similarity.score_of(cosine) == pytest.approx(expected, abs=1e-6)
    assert EmbeddingSimilarity(Topics(*WORDS)).score_of(cosine) == pytest.approx(min(0.8, max(0.0, cosine)), abs=1e-6)


def test_a_missing_hhem_is_a_warning(monkeypatch):
    """Ruling D6: a warning, or with "require" an error."""

    def missing():
        raise ModelError("hhem", "the folder is not there")

    monkeypatch.setattr("groundwire.faithfulness.hhem.HHEMClassifier", missing)
    result = validated(hhem=True)
    assert result.backend == "lexical"
    assert "hhem was requested and is not available" in result.warnings[0]
    with pytest.raises(ModelError, match="the folder is not there"):
        FaithfulnessValidator(hhem="require")


def test_hhem_that_is_required_and_fails(monkeypatch):
    """There is no result."""

    class Failing:
        name = "failing"

        def consistencies(self, _):
            raise OSError

    monkeypatch.setattr("groundwire.faithfulness.hhem.HHEMClassifier", Failing)
    with pytest.raises(ModelError, match="it raised OSError"):
        validated(hhem="require", embedder=Topics(*WORDS))
    assert "it raised OSError" in validated(hhem=True, embedder=Topics(*WORDS)).warnings[-1]
