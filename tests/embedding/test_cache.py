"""The cache of vectors by model and text, with several threads and processes, and damaged files."""

import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing

import numpy as np
import pytest

from groundwire.embedding import CachedEmbedder, EmbeddingError

SECRET = "a-text-that-must-not-be-in-the-file"


class Letters:
    """Returns vectors by the letters of a text, and counts the texts."""

    def __init__(self, name="letters", dimensions=4):
        self.name = name
        self.dimensions = dimensions
        self.asked = []

    def encode(self, texts):
        """Return different vectors for different texts."""
        self.asked += texts
        size = self.dimensions
        return [[float(sum(map(ord, text[place::size]))) for place in range(size)] for text in texts]


@pytest.fixture
def path(tmp_path):
    """Return the path of the cache."""
    return tmp_path / "vectors.sqlite3"


def change(path, statement, *values):
    """Change the file directly."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(statement, values)


def test_a_text_is_embedded_once(path):
    """This holds for a repeated text within one call, and for the next process that opens the file."""
    texts = ["one", "two", "one", "", "\ud800", "two"]
    for number in range(3):
        inner = Letters()
        embedder = CachedEmbedder(inner, path)
        np.testing.assert_array_equal(embedder.encode(texts), np.float32(Letters().encode(texts)))
        assert len(inner.asked) == (0 if number else 4)
        assert (embedder.hits, embedder.misses) == ((4, 0) if number else (0, 4))
        assert (embedder.corrupt, embedder.failures) == (0, 0)
    assert embedder.encode([]).shape == (0, 0)


def test_only_missing_texts_are_embedded(path):
    """Every vector is at its position."""
    inner = Letters()
    embedder = CachedEmbedder(inner, path)
    embedder.encode(["b", "d"])
    found = embedder.encode(["a", "b", "c", "d", "e"])
    assert inner.asked == ["b", "d", "a", "c", "e"]
    np.testing.assert_array_equal(found, np.float32(Letters().encode(list("abcde"))))


def test_models_do_not_share_vectors(path):
    """The key has the model's name."""
    CachedEmbedder(Letters("one"), path).encode(["text"])
    other = Letters("other")
    CachedEmbedder(other, path).encode(["text"])
    assert other.asked == ["text"]


def test_another_model_of_the_same_name_is_detected_by_its_dimensions(path):
    """All vectors of the call are then computed again, so that its rows come from one model."""
    CachedEmbedder(Letters(dimensions=4), path).encode(["a", "b"])
    found = CachedEmbedder(Letters(dimensions=3), path).encode(["a", "b", "c"])
    assert found.shape == (3, 3)


def test_the_file_contains_no_text(path):
    """It has only hashes, and nobody else may read it."""
    CachedEmbedder(Letters(), path).encode([SECRET])
    assert SECRET.encode() not in path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("statement", "values"),
    [
        pytest.param("UPDATE vectors SET vector = ?", [b"\0" * 16], id="other-values"),
        pytest.param("UPDATE vectors SET vector = ?", [b"\0" * 7], id="half-a-value"),
        pytest.param("UPDATE vectors SET vector = ?", [b""], id="no-values"),
        pytest.param("UPDATE vectors SET vector = ?", ["text"], id="text"),
        pytest.param("UPDATE vectors SET checksum = checksum + 1", [], id="checksum"),
        pytest.param("UPDATE vectors SET checksum = 'x'", [], id="no-checksum"),
    ],
)
def test_a_corrupt_entry_is_computed_again_and_counted(path, statement, values):
    """The entry is then replaced."""
    expected = CachedEmbedder(Letters(), path).encode(["text"])
    change(path, statement, *values)
    embedder = CachedEmbedder(Letters(), path)
    for _ in range(2):
        np.testing.assert_array_equal(embedder.encode(["text"]), expected)
    assert (embedder.corrupt, embedder.misses, embedder.hits) == (1, 1, 1)


def test_an_entry_moved_to_another_text_is_corrupt(path):
    """The checksum covers key and vector."""
    embedder = CachedEmbedder(Letters(), path)
    embedder.encode(["a", "b"])
    with closing(sqlite3.connect(path)) as database:
        key, other = (row[0] for row in database.execute("SELECT key FROM vectors ORDER BY number"))
    change(path, "DELETE FROM vectors WHERE key = ?", key)
    change(path, "UPDATE vectors SET key = ? WHERE key = ?", key, other)
    np.testing.assert_array_equal(embedder.encode(["a"]), np.float32(Letters().encode(["a"])))
    assert embedder.corrupt == 1


def test_a_damaged_database_is_replaced(path):
    """A counter reports it."""
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    embedder = CachedEmbedder(Letters(), path)
    for _ in range(3):
        np.testing.assert_array_equal(embedder.encode(["text"]), np.float32(Letters().encode(["text"])))
    assert embedder.failures >= 1
    assert embedder.hits >= 1


def test_a_file_that_is_no_database_is_ignored(path):
    """It is not a cache, and keeps its content."""
    path.write_bytes(b"my notes" * 1000)
    embedder = CachedEmbedder(Letters(), path)
    np.testing.assert_array_equal(embedder.encode(["text"]), np.float32(Letters().encode(["text"])))
    assert embedder.failures == 2
    assert path.read_bytes() == b"my notes" * 1000


def test_a_table_of_another_kind_is_ignored(path):
    """The file belongs to another program, and keeps its content."""
    change(path, "CREATE TABLE vectors (other INTEGER)")
    embedder = CachedEmbedder(Letters(), path)
    np.testing.assert_array_equal(embedder.encode(["text"]), np.float32(Letters().encode(["text"])))
    assert embedder.failures == 2


def test_a_file_that_cannot_be_written_is_ignored(tmp_path):
    """Its folder does not exist."""
    embedder = CachedEmbedder(Letters(), tmp_path / "gone" / "vectors.sqlite3")
    np.testing.assert_array_equal(embedder.encode(["text"]), np.float32(Letters().encode(["text"])))
    assert embedder.failures == 2


def test_an_invalid_vector_is_not_stored(path):
    """The next call computes it again."""

    class Failing(Letters):
        def encode(self, texts):
            self.asked += texts
            return [[float("nan")]] * len(texts)

    inner = Failing()
    embedder = CachedEmbedder(inner, path)
    for _ in range(2):
        with pytest.raises(EmbeddingError, match="not_finite"):
            embedder.encode(["text"])
    assert len(inner.asked) == 2


def test_the_size_is_bounded(path):
    """The oldest entry goes first."""
    embedder = CachedEmbedder(Letters(dimensions=64), path, max_bytes=300_000)
    for start in range(0, 5_000, 500):
        embedder.encode([f"text {number}" for number in range(start, start + 500)])
        assert path.stat().st_size < 600_000
    embedder.encode(["text 4999"])
    assert embedder.hits == 1
    embedder.encode(["text 0"])
    assert embedder.misses == 5_001


def test_a_bound_below_one_entry_stores_nothing(path):
    """The call still ends."""
    embedder = CachedEmbedder(Letters(), path, max_bytes=1)
    embedder.encode(["a", "b"])
    embedder.encode(["a"])
    assert (embedder.hits, embedder.failures) == (0, 0)
    with pytest.raises(ValueError, match="max_bytes must be at least 1, got 0"):
        CachedEmbedder(Letters(), path, max_bytes=0)


def test_ten_thousand_texts(path):
    """One call stores them, another reads them."""
    texts = [f"text {number}" for number in range(10_000)]
    embedder = CachedEmbedder(Letters(), path)
    np.testing.assert_array_equal(embedder.encode(texts), embedder.encode(texts[::-1])[::-1])
    assert (embedder.hits, embedder.misses, embedder.failures) == (10_000, 10_000, 0)


def test_threads_share_it(path):
    """Each thread gets the vectors of its texts."""
    embedder = CachedEmbedder(Letters(), path)
    wrong = []

    def work(first):
        for number in range(first, first + 20):
            texts = [f"text {number}", f"text {number + 1}"]
            if not np.array_equal(embedder.encode(texts), np.float32(Letters().encode(texts))):
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(5 * number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert embedder.failures == 0


WRITER = """
import sys
from groundwire.embedding import CachedEmbedder
class Lengths:
    name = "lengths"
    def encode(self, texts):
        return [[float(len(text)), 1.0] for text in texts]
embedder = CachedEmbedder(Lengths(), sys.argv[1])
for number in range(30):
    texts = ["x" * (number + place) for place in range(20)]
    assert [row[0] for row in embedder.encode(texts)] == [float(len(text)) for text in texts]
print(embedder.failures, embedder.corrupt)
"""


def test_processes_share_it(path):
    """They write at the same time without an error."""
    processes = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    assert [process.communicate()[0] for process in processes] == ["0 0\n"] * 3
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT count(*) FROM vectors").fetchone() == (49,)
