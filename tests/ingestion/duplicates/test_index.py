"""Indexes of memories: they name the memories that the checker would find among all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.ingestion import (
    MemoryIndex,
)
from ingestion.fakes import Letters, Memories, check, record


class Indexed:
    """A store that finds candidates by its index."""

    def __init__(self, **options):
        self.index = MemoryIndex(**options)
        self.records = {}

    def add(self, memory, user_id="user-1"):
        """Store a memory."""
        self.records[memory.id] = memory
        self.index.add(memory.id, memory.content, user_id)

    async def candidates(self, content, user_id, memory_type=None):  # noqa: ARG002
        """Return the memories that the index names."""
        return [self.records[name] for name in self.index.similar(content, user_id)]


words = st.lists(
    st.sampled_from(["we", "use", "not", "3", "4", "Redis", "Kafka", "the", "cache"]), min_size=1, max_size=6
).map(" ".join)


@pytest.mark.parametrize("options", [{}, {"tokens": "spec"}, {"method": "vector", "embedder": Letters()}])
@given(stored=st.lists(words, max_size=6), removed=st.integers(0, 5), content=words)
def test_an_index_of_the_store_changes_no_result(options, stored, removed, content):
    """With all memories, or with those that the index names, the checker has the same result."""
    indexed, plain = Indexed(**options), Memories()
    for place, text in enumerate(stored):
        indexed.add(record(f"mem-{place}", text))
    kept = [record(f"mem-{place}", text) for place, text in enumerate(stored) if place != removed]
    if removed < len(stored):
        indexed.index.remove(f"mem-{removed}")
    plain.records["user-1"] = kept
    by_index, by_all = check(indexed, content, **options), check(plain, content, **options)
    assert (by_all.is_duplicate, by_all.conflict) == (by_index.is_duplicate, by_index.conflict)
    assert by_all.similarity == pytest.approx(by_index.similarity)


def test_an_index_of_memories_is_kept_by_user_and_name():
    """A memory with a known name is replaced; removal forgets it; users see their own."""
    index = MemoryIndex()
    index.add("m1", "We use Redis", "user-1")
    index.add("m1", "The cat sat", "user-1")
    index.add("m2", "We use Redis", "user-2")
    assert (len(index), index.similar("We use Redis", "user-1")) == (2, [])
    assert index.similar("we use redis", "user-2") == ["m2"]
    index.remove("m2")
    assert (len(index), index.similar("We use Redis", "user-2")) == (1, [])
    with pytest.raises(KeyError):
        index.remove("m2")
