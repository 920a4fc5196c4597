"""Embedders of local folders: the files that they read and refuse, with fake libraries."""

import sys

import numpy as np
import pytest

from embedding import folders_made as made
from groundwire.embedding import (
    EmbeddingError,
    OnnxEmbedder,
    SentenceTransformerEmbedder,
    StaticEmbedder,
    embedder_in,
)

TEXTS = ["cat", "dog tree house", "", "tree house", "house " * 40]


def first_of(text):
    """Return the vector of the text's first word."""
    return mean_of(text.split()[0])


def mean_of(text):
    """Return the vectors that a model in ONNX should give for texts, word by word."""
    ids = [made.WORDS.index(word) for word in text.split()]
    return made.TABLE[ids].mean(axis=0) if ids else np.zeros(3)


@pytest.fixture
def pretended(monkeypatch):
    """Install fake libraries."""
    made.pretend_onnx(monkeypatch)
    made.install(monkeypatch, "model2vec", StaticModel=made.StaticModel)
    made.install(monkeypatch, "sentence_transformers", SentenceTransformer=made.SentenceTransformer)


@pytest.mark.usefixtures("pretended")
@pytest.mark.parametrize(
    ("make", "embedder"),
    [
        (made.static_folder, StaticEmbedder),
        (made.sentence_folder, SentenceTransformerEmbedder),
        (made.onnx_folder, OnnxEmbedder),
    ],
)
def test_a_folder_is_loaded_by_its_files(tmp_path, make, embedder):
    """Each kind of folder has its own embedder; each text has a row of 32-bit floats, and no texts have no rows."""
    found = embedder_in(make(tmp_path / "small"))
    assert type(found) is embedder
    assert found.name.startswith("small@")
    assert len(found.name) == len("small@") + 8
    vectors = found.encode(["cat", "a dog"])
    assert (vectors.shape, vectors.dtype) == ((2, 3), np.float32)
    assert found.encode([]).shape[0] == 0
    # Half of a surrogate pair is read as a question mark.
    np.testing.assert_array_equal(found.encode(["a \ud800 dog"]), found.encode(["a ? dog"]))


@pytest.mark.usefixtures("pretended")
def test_a_name_belongs_to_the_weights(tmp_path):
    """Vectors and scales are stored under it: other weights in a folder of that name have another one."""
    one, other = made.static_folder(tmp_path / "a" / "m"), made.static_folder(tmp_path / "b" / "m")
    assert StaticEmbedder(one).name == StaticEmbedder(other).name
    (other / "model.safetensors").write_bytes(b"other weights")
    assert StaticEmbedder(one).name != StaticEmbedder(other).name


@pytest.mark.usefixtures("pretended")
def test_sentence_transformers_runs_no_code_and_fetches_nothing(tmp_path):
    """It reads only weights in safetensors, and puts the prefix before every text."""
    embedder = SentenceTransformerEmbedder(made.sentence_folder(tmp_path / "m"), prefix="query: ")
    _, options = made.SentenceTransformer.made
    assert (options["trust_remote_code"], options["local_files_only"]) == (False, True)
    assert options["model_kwargs"] == {"use_safetensors": True}
    assert embedder.encode(["cat"])[0].tolist() == made.vector_of("query: cat")


@pytest.mark.parametrize(
    ("folder", "arguments", "expected"),
    [
        pytest.param({}, {}, mean_of, id="mean"),
        pytest.param({"inside": "onnx"}, {}, mean_of, id="in-a-folder-of-its-own"),
        pytest.param({"pooling": {"pooling_mode_mean_tokens": True}}, {}, mean_of, id="mean-by-config"),
        pytest.param({"pooling": [1]}, {}, mean_of, id="config-of-another-kind"),
        pytest.param(
            {"pooling": {"pooling_mode_cls_token": True}},
            {},
            first_of,
            id="first-by-config",
        ),
        pytest.param({}, {"pooling": "cls"}, first_of, id="first"),
        pytest.param({"max_tokens": 2}, {}, lambda text: mean_of(" ".join(text.split()[:2])), id="cut-by-config"),
        pytest.param({}, {"max_tokens": 1}, first_of, id="cut"),
        pytest.param({}, {"prefix": "tree "}, lambda text: mean_of(f"tree {text}"), id="prefix"),
    ],
)
def test_token_vectors_are_pooled(monkeypatch, tmp_path, folder, arguments, expected):
    """Padding does not count, and the order is that of the texts."""
    made.pretend_onnx(monkeypatch)
    embedder = OnnxEmbedder(made.onnx_folder(tmp_path / "m", **folder), **arguments)
    texts = [text for text in TEXTS if text]
    np.testing.assert_allclose(embedder.encode(texts), [expected(text) for text in texts], rtol=1e-6)


def test_an_empty_text_has_a_vector(monkeypatch, tmp_path):
    """It is zero if the tokenizer adds no tokens, and never NaN."""
    made.pretend_onnx(monkeypatch)
    embedder = OnnxEmbedder(made.onnx_folder(tmp_path / "m"), threads=1)
    np.testing.assert_array_equal(embedder.encode(["", ""]), np.zeros((2, 3)))


def test_a_model_with_text_vectors_needs_no_pooling(monkeypatch, tmp_path):
    """The model gets the inputs that it declares, including token types."""
    made.pretend_onnx(monkeypatch, outputs="texts", inputs=("input_ids", "attention_mask", "token_type_ids"))
    embedder = OnnxEmbedder(made.onnx_folder(tmp_path / "m"))
    np.testing.assert_allclose(embedder.encode(["dog tree"])[0], made.TABLE[3] + made.TABLE[5])


def test_a_model_with_neither_is_refused(monkeypatch, tmp_path):
    """It cannot embed anything."""
    made.pretend_onnx(monkeypatch, outputs="neither")
    with pytest.raises(EmbeddingError, match="wrong_shape"):
        OnnxEmbedder(made.onnx_folder(tmp_path / "m")).encode(["cat"])


def test_texts_of_a_length_are_computed_together(monkeypatch, tmp_path):
    """Ten thousand texts need little padding, and no batch exceeds its limit."""
    made.pretend_onnx(monkeypatch)
    embedder = OnnxEmbedder(made.onnx_folder(tmp_path / "m"))
    texts = ["cat " * (1 + 7 * number % 50) for number in range(10_000)]
    assert embedder.encode(texts).shape == (10_000, 3)
    shapes = made.InferenceSession.shapes
    assert max(rows * width for rows, width in shapes) <= 4096
    padded = sum(rows * width for rows, width in shapes)
    assert padded < 1.05 * sum(len(text.split()) for text in texts)


@pytest.mark.parametrize(
    ("embedder", "package"),
    [
        (StaticEmbedder, "model2vec"),
        (SentenceTransformerEmbedder, "sentence_transformers"),
        (OnnxEmbedder, "onnxruntime"),
    ],
)
def test_a_package_that_is_not_installed_is_named(monkeypatch, tmp_path, embedder, package):
    """The error has the command that installs it."""
    make = {StaticEmbedder: made.static_folder, OnnxEmbedder: made.onnx_folder}.get(embedder, made.sentence_folder)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=f"needs {package}: pip install"):
        embedder(make(tmp_path / "m"))


@pytest.mark.parametrize("embedder", [StaticEmbedder, SentenceTransformerEmbedder, OnnxEmbedder])
def test_a_missing_folder_is_never_downloaded(tmp_path, embedder):
    """A library would take the name for that of a model on a server."""
    with pytest.raises(EmbeddingError, match="not_there, the folder of the model does not exist"):
        embedder("someone/some-model")
    (tmp_path / "empty").mkdir()
    with pytest.raises(EmbeddingError, match="not_there"):
        embedder(tmp_path / "empty")
    with pytest.raises(EmbeddingError, match="no model of a known kind"):
        embedder_in(tmp_path / "empty")


def test_a_broken_model_is_an_error_without_its_words(monkeypatch, tmp_path):
    """The message of a library may contain text."""
    made.pretend_onnx(monkeypatch)
    made.install(
        monkeypatch,
        "onnxruntime",
        InferenceSession=made.broken,
        SessionOptions=made.SimpleNamespace,
        disable_telemetry_events=lambda: None,
    )
    made.install(monkeypatch, "model2vec", StaticModel=type("Broken", (), {"from_pretrained": made.broken}))
    made.install(monkeypatch, "sentence_transformers", SentenceTransformer=made.broken)
    for embedder, make in (
        (StaticEmbedder, made.static_folder),
        (SentenceTransformerEmbedder, made.sentence_folder),
        (OnnxEmbedder, made.onnx_folder),
    ):
        with pytest.raises(EmbeddingError, match=r"(broken|cannot be opened): RuntimeError") as caught:
            embedder(make(tmp_path / embedder.__name__))
        assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize("arguments", [{"pooling": "max"}, {"max_tokens": 0}])
def test_arguments_are_checked(tmp_path, arguments):
    """The check comes before anything is loaded."""
    with pytest.raises(ValueError, match=next(iter(arguments))):
        OnnxEmbedder(made.onnx_folder(tmp_path / "m"), **arguments)
