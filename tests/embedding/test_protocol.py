"""Vectors are checked, whatever an embedder returns."""

import math
import threading

import numpy as np
import pytest

from groundwire.embedding import CheckedEmbedder, EmbeddingError

SECRET = "a-text-that-must-not-leak"


class Returns:
    """Returns one value after the other; exceptions are raised."""

    def __init__(self, *returned):
        self.returned = list(returned)

    def encode(self, _):
        """Return the next value."""
        found = self.returned.pop(0)
        if isinstance(found, Exception):
            raise found
        return found


@pytest.mark.parametrize(
    ("returned", "code"),
    [
        pytest.param(RuntimeError(SECRET), "failed", id="raises"),
        pytest.param(EmbeddingError("unreachable"), "unreachable", id="says-why"),
        pytest.param([[1.0, math.nan], [1.0, 1.0]], "not_finite", id="nan"),
        pytest.param([[1.0, -math.inf], [1.0, 1.0]], "not_finite", id="infinite"),
        pytest.param([[1e39, 1.0], [1.0, 1.0]], "not_finite", id="too-large"),
        pytest.param([[1.0, 1.0]], "wrong_shape", id="too-few"),
        pytest.param([[1.0, 1.0]] * 3, "wrong_shape", id="too-many"),
        pytest.param([[1.0], [1.0, 1.0]], "wrong_shape", id="ragged"),
        pytest.param([[[1.0]], [[1.0]]], "wrong_shape", id="three-dimensions"),
        pytest.param([[], []], "wrong_shape", id="no-values"),
        pytest.param(None, "wrong_shape", id="nothing"),
        pytest.param([["a"], ["b"]], "wrong_shape", id="no-numbers"),
        pytest.param(1.0, "wrong_shape", id="one-number"),
    ],
)
def test_invalid_vectors_are_an_error(returned, code):
    """The error has a code, and nothing of the texts."""
    with pytest.raises(EmbeddingError) as caught:
        CheckedEmbedder(Returns(returned)).encode([SECRET, SECRET])
    assert caught.value.code == code
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None


def test_rows_are_floats_of_32_bits():
    """This holds for any input type; zero vectors are allowed."""
    for rows in ([[1, 2]], np.array([[1.0, 2.0]]), [np.float16([1, 2])], np.zeros((1, 2))):
        vectors = CheckedEmbedder(Returns(rows)).encode(["x"])
        assert (vectors.shape, vectors.dtype) == ((1, 2), np.float32)


def test_all_rows_have_one_length():
    """This also holds for a second call."""
    embedder = CheckedEmbedder(Returns([[1.0, 2.0]], [[1.0, 2.0, 3.0]]))
    embedder.encode(["x"])
    with pytest.raises(EmbeddingError, match="wrong_shape, 1 x 3 for 1 texts"):
        embedder.encode(["x"])


def test_without_texts_the_embedder_is_not_called():
    """The result has no rows."""
    embedder = CheckedEmbedder(Returns([[1.0, 2.0]]))
    assert embedder.encode([]).shape == (0, 0)
    embedder.encode(["x"])
    assert embedder.encode([]).shape == (0, 2)


def test_an_embedder_that_hangs_times_out():
    """The call ends, while the embedder continues in its thread."""
    released = threading.Event()

    class Hanging:
        def encode(self, _):
            released.wait()
            return [[1.0]]

    try:
        with pytest.raises(EmbeddingError, match="timeout"):
            CheckedEmbedder(Hanging(), timeout_s=0.05).encode(["x"])
    finally:
        released.set()


def test_without_a_limit_there_is_no_thread():
    """A caller without a limit waits anyway."""

    class Here:
        def encode(self, texts):
            assert threading.current_thread() is threading.main_thread()
            return [[1.0]] * len(texts)

    assert CheckedEmbedder(Here(), timeout_s=None).encode(["x"] * 10_000).shape == (10_000, 1)


def test_names():
    """It is the embedder's own, or that of its class."""
    assert CheckedEmbedder(Returns()).name == "Returns"
    named = Returns()
    named.name = "ours"
    assert CheckedEmbedder(named).name == "ours"
    named.name = 7
    assert CheckedEmbedder(named).name == "Returns"
