"""Nothing that comes from a caller becomes SQL."""

import pytest

from groundwire.errors import MemoryNotFoundError
from groundwire.memory import queries
from memory.claims import HOSTILE, NOON, claim, ids


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_texts(store, text):
    """They are stored, found, revoked and erased as they are, and find nothing else."""
    store.add(claim("m1"), time=NOON)
    for call in (store.get, lambda *ids: store.erase(*ids, time=NOON)):
        for memory_id, user_id in ((text, "anna"), ("m1", text)):
            with pytest.raises(MemoryNotFoundError):
                call(memory_id, user_id)
    assert store.find(text, status=None) == []
    for name in ("content", "memory_type", "source", "source_id", "after"):
        assert store.find("anna", **{name: text}) == []
    for name in ("confidence", "status"):
        with pytest.raises(ValueError, match=f"{name} must be one of"):
            store.find("anna", **{name: text})
    assert store.audit(text) == []
    assert store.erase_user(text, time=NOON) == []
    assert store.revoke_source(text, time=NOON) == []
    odd = claim("m2", content=text, user_id=text, source_ids=(text,), metadata={text: text})
    store.add(odd, time=NOON, actor=text)
    assert store.find(text, content=text, source_id=text) == [odd]
    assert [entry.actor for entry in store.audit("m2")] == [text]
    assert store.revoke_source(text, time=NOON) == ["m2"]
    assert store.erase_user(text, time=NOON) == ["m2"]
    assert ids(store.find(None)) == ["m1"]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("name", ["id", "memory_type", "source", "confidence", "status"])
def test_names_are_no_texts(name, text):
    """What is a label or one of a few words cannot be anything else."""
    with pytest.raises(ValueError, match=r"."):
        claim(**{"memory_id" if name == "id" else name: text})


def test_values_are_never_part_of_a_statement():
    """The conditions of a search have a mark for each value, and no value in them."""
    filters = queries.MemoryFilter(
        user_id="'", memory_id="'", memory_type="'", source="'", confidence="'", content_hash="'", source_hash="'",
        valid_at=NOON,
    )  # fmt: skip
    conditions = list(filters.conditions())
    assert len(conditions) == 8
    assert all(condition.count("?") == 1 and "'" not in condition.replace("''", "") for condition, _ in conditions)
