"""MinHashIndex: candidates among long texts."""

import random
import sys

import pytest

from groundwire._engine import MinHashIndex


def edited(words: list[str], count: int, chance: random.Random) -> str:
    """Return the words with *count* of them replaced."""
    words = list(words)
    for place in chance.sample(range(len(words)), count):
        words[place] = f"other{place}"
    return " ".join(words)


@pytest.mark.parametrize(("threshold", "replaced"), [(0.92, 38), (0.8, 105), (0.5, 320)])
def test_texts_as_similar_as_the_threshold_are_found(threshold, replaced):
    """All hundred texts just above the threshold are found, with good estimates, and hardly any dissimilar one."""
    chance = random.Random(replaced)
    index = MinHashIndex(threshold=threshold)
    texts = [[f"word{text}x{place}" for place in range(1000)] for text in range(100)]
    for words in texts:
        index.insert(" ".join(words))
    similarity = (1000 - replaced) / (1000 + replaced)
    for number, words in enumerate(texts):
        found = index.query(edited(words, replaced, chance))
        assert [number] == [other for other, _ in found]
        assert found[0][1] == pytest.approx(similarity, abs=0.2)


def test_texts_leave_all_buckets_when_removed():
    """A removed text leaves all of its buckets, at any position."""
    index = MinHashIndex(threshold=0.92, tokens="spec")
    assert [index.insert("a b c") for _ in range(5)] == [0, 1, 2, 3, 4]
    for number, left in ((2, [0, 1, 3, 4]), (4, [0, 1, 3]), (0, [1, 3])):
        index.remove(number)
        assert index.query("a b c") == [(other, 1.0) for other in left]
    assert index.insert("A b C") == 0
    assert index.query("a b c") == [(0, 1.0), (1, 1.0), (3, 1.0)]
    for number in (0, 1, 3):
        index.remove(number)
    assert (len(index), index.query("a b c")) == (0, [])
    with pytest.raises(KeyError):
        index.remove(1)


def test_a_text_without_a_token_is_like_no_other():
    """Two such texts are not similar either, as for the exact similarity."""
    index = MinHashIndex(threshold=0.5)
    assert (index.insert(""), index.insert("  "), index.query(" ")) == (0, 1, [])
    index.remove(0)
    assert index.insert("a") == 0


def test_the_size_does_not_depend_on_the_texts():
    """It is about 1.2 KB per text, of ten words or ten thousand."""
    sizes = []
    for count in (10, 10_000):
        index = MinHashIndex(threshold=0.92)
        for text in range(200):
            index.insert(" ".join(f"t{text}w{place}" for place in range(count)))
        sizes.append(sys.getsizeof(index))
    assert sizes[0] == sizes[1] < 200 * 1300


@pytest.mark.parametrize("threshold", [0, 1.5, float("nan")])
def test_wrong_thresholds(threshold):
    """Above 0 and at most 1."""
    with pytest.raises(ValueError, match="threshold must be above 0"):
        MinHashIndex(threshold=threshold)
