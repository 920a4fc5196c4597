"""VectorIndex: a search returns the results of a comparison with every vector."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from groundwire._engine import VectorIndex

finite = st.floats(width=32, allow_nan=False, allow_infinity=False)


def cosine(a, b) -> float:
    """Return the cosine in double precision; 0 if it is undefined."""
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    lengths = np.sqrt(a @ a) * np.sqrt(b @ b)
    return float(a @ b / lengths) if lengths else 0.0


@pytest.mark.parametrize("dimensions", [1, 3, 63, 64, 65, 127, 128, 256, 300])
@pytest.mark.parametrize("threshold", [0.1, 0.5, 0.9, 1.0])
def test_search_is_comparing_with_each(dimensions, threshold):
    """Dimensions around the widths of the processor's vectors, and more vectors than one block."""
    random = np.random.default_rng(dimensions)
    vectors = random.normal(size=(200, dimensions)).astype(np.float32)
    vectors[::7] = vectors[3] + 0.1 * vectors[::7]
    index = VectorIndex(dimensions=dimensions)
    assert [index.insert(vector) for vector in vectors] == list(range(200))
    cosines = [cosine(vectors[3], vector) for vector in vectors]
    found = dict(index.query(vectors[3], threshold))
    assert found[3] == 1.0
    assert {n for n, value in enumerate(cosines) if value >= threshold + 1e-9} <= set(found)
    assert set(found) <= {n for n, value in enumerate(cosines) if value >= threshold - 1e-9}
    assert all(value == pytest.approx(cosines[number], abs=1e-9) for number, value in found.items())
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert list(found.items())[:5] == index.query(vectors[3], threshold, limit=5)


@given(st.lists(st.lists(finite, min_size=3, max_size=3), min_size=1, max_size=8))
@example([[3e38, 3e38, 3e38], [3e38, 3e38, 0.0]])
@example([[1e-45, 0.0, 1e-45], [1e-45, 0.0, 0.0]])
@example([[0.0, 0.0, 0.0]])
def test_neither_huge_nor_tiny_values_are_lost(rows):
    """Single precision would overflow or underflow; the result is that of double precision."""
    vectors = np.array(rows, dtype=np.float32)
    index = VectorIndex(dimensions=3)
    for vector in vectors:
        index.insert(vector)
    for wanted in vectors:
        expected = {n for n, vector in enumerate(vectors) if cosine(wanted, vector) >= 0.5 + 1e-9}
        allowed = {n for n, vector in enumerate(vectors) if cosine(wanted, vector) >= 0.5 - 1e-9}
        assert expected <= {number for number, _ in index.query(wanted, 0.5)} <= allowed


def test_vectors_can_be_inserted_and_removed():
    """Numbers are reused, and a removed vector is not found."""
    index, unit = VectorIndex(dimensions=2), np.eye(2, dtype=np.float32)
    assert [index.insert(unit[0]), index.insert(unit[1])] == [0, 1]
    index.remove(0)
    assert (len(index), index.query(unit[0], 0.5)) == (1, [])
    assert index.insert(unit[1]) == 0
    assert index.query(unit[1], 1) == [(0, 1.0), (1, 1.0)]
    with pytest.raises(KeyError):
        index.remove(2)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        pytest.param(lambda: VectorIndex(dimensions=0), ValueError, "between 1 and", id="no-dimension"),
        pytest.param(lambda: VectorIndex(dimensions=1 << 70), ValueError, "between 1 and", id="too-many"),
        pytest.param(lambda: VectorIndex(dimensions=2.0), TypeError, "must be an int", id="float"),
        pytest.param(
            lambda: VectorIndex(dimensions=2).insert(np.zeros(3, np.float32)), ValueError, "2 finite", id="len"
        ),
        pytest.param(lambda: VectorIndex(dimensions=1).insert(np.float32([np.inf])), ValueError, "1 finite", id="inf"),
        pytest.param(lambda: VectorIndex(dimensions=1).insert(np.zeros(1)), TypeError, "array of float32", id="double"),
        pytest.param(lambda: VectorIndex(dimensions=1).insert("x"), TypeError, "array of float32", id="str"),
        pytest.param(
            lambda: VectorIndex(dimensions=1).query(np.zeros(1, np.float32), 0), ValueError, "above 0", id="0"
        ),
    ],
)
def test_wrong_arguments(call, error, message):
    """Each is named."""
    with pytest.raises(error, match=message):
        call()
