"""Whatever is done in whatever order, the store says what a plain list of memories says."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from effort import effort
from groundwire.errors import MemoryNotFoundError
from groundwire.memory import MemoryStatus, MemoryStore
from memory.claims import HOUR, NOON, claim, ids

USERS = st.sampled_from(["anna", "bob"])
SOURCES = st.sets(st.sampled_from(["ADR-003", "ADR-007", "#12"]), max_size=2).map(sorted).map(tuple)
NUMBERS = st.integers(0, 12)


class AgainstAList(RuleBasedStateMachine):
    """The oracle: a list of all memories ever, and which of them are still there."""

    def __init__(self, location: str) -> None:
        super().__init__()
        self.store = MemoryStore(location)
        self.known = {}
        self.there = {}

    @rule(user=USERS, sources=SOURCES, parents=st.sets(NUMBERS, max_size=2), hours=st.none() | st.integers(0, 3))
    def add(self, user, sources, parents, hours):
        """Parents that the user has not got are refused."""
        memory = claim(
            f"m{len(self.known)}",
            user_id=user,
            source_ids=sources,
            parents=tuple(f"m{number}" for number in sorted(parents)),
            validity_horizon=None if hours is None else NOON + hours * HOUR,
        )
        mine = {parent for parent in memory.parents if self.is_active(parent, user)}
        try:
            self.store.add(memory, time=NOON)
        except MemoryNotFoundError:
            assert mine != {*memory.parents}
        else:
            assert mine == {*memory.parents}
            self.known[memory.id] = self.there[memory.id] = memory

    @rule(number=NUMBERS, user=USERS, status=st.sampled_from(MemoryStatus))
    def set_status(self, number, user, status):
        """Of a memory of one's own."""
        memory = self.there.get(f"m{number}")
        call = self.store.approve
        extra = {}
        if status is MemoryStatus.REVIEW:
            call, extra = self.store.send_to_review, {"reason": "doubt"}
        try:
            changed = call(f"m{number}", user, time=NOON, **extra)
        except MemoryNotFoundError:
            assert memory is None or memory.user_id != user
        else:
            assert changed is (memory.status is not status)
            self.there[memory.id] = replace(memory, status=status)

    @rule(source=st.sampled_from(["ADR-003", "ADR-007", "#12"]))
    def revoke(self, source):
        """Everything that rests on it, by whatever way."""
        expected = [memory.id for memory in self.active() if self.rests_on(memory.id, source)]
        assert self.store.revoke_source(source, time=NOON) == expected
        for memory_id in expected:
            self.there[memory_id] = replace(self.there[memory_id], status=MemoryStatus.REVIEW)

    @rule(number=NUMBERS, user=USERS)
    def erase(self, number, user):
        """Of a memory of one's own."""
        memory = self.there.get(f"m{number}")
        try:
            self.store.erase(f"m{number}", user, time=NOON)
        except MemoryNotFoundError:
            assert memory is None or memory.user_id != user
        else:
            assert self.there.pop(memory.id).user_id == user

    @rule(hours=st.integers(0, 3))
    def erase_expired(self, hours):
        """What is out of date."""
        time = NOON + hours * HOUR
        expected = [
            memory.id for memory in self.there.values() if memory.validity_horizon and memory.validity_horizon <= time
        ]
        assert self.store.erase_expired(time=NOON, expired_at=time) == expected
        for memory_id in expected:
            del self.there[memory_id]

    @rule(user=USERS)
    def erase_user(self, user):
        """All of a user's."""
        expected = [memory.id for memory in self.there.values() if memory.user_id == user]
        assert self.store.erase_user(user, time=NOON) == expected
        for memory_id in expected:
            del self.there[memory_id]

    @rule(user=USERS | st.none(), source=st.none() | st.just("ADR-003"), hours=st.integers(0, 3))
    def find(self, user, source, hours):
        """By user, source and time."""
        time = NOON + hours * HOUR - timedelta(microseconds=1)
        expected = [
            memory.id
            for memory in self.active()
            if (user is None or memory.user_id == user)
            and (source is None or source in memory.source_ids)
            and (memory.validity_horizon is None or memory.validity_horizon > time)
        ]
        assert ids(self.store.find(user, source_id=source, valid_at=time)) == expected

    @invariant()
    def is_sound(self):
        """All that is there is there, in its order, and the audit fits."""
        assert self.store.find(None, status=None) == list(self.there.values())
        assert self.store.integrity_errors() == []

    def teardown(self):
        """Each run has a database of its own."""
        self.store.close()

    def active(self):
        """Memories that may be recalled."""
        return [memory for memory in self.there.values() if memory.status is MemoryStatus.ACTIVE]

    def is_active(self, memory_id, user) -> bool:
        """Whether it may be a parent."""
        memory = self.there.get(memory_id)
        return memory is not None and memory.user_id == user and memory.status is MemoryStatus.ACTIVE

    def rests_on(self, memory_id, source) -> bool:
        """By its own sources, or those of a memory it was derived from, erased or not."""
        memory = self.known[memory_id]
        return source in memory.source_ids or any(self.rests_on(parent, source) for parent in memory.parents)


@pytest.mark.parametrize(("kind", "runs"), [("sqlite", effort(15, 300)), ("postgres", effort(5, 50))])
def test_the_store_agrees_with_a_list(request, kind, runs):
    """On both databases, each run on an empty one."""
    clear = request.getfixturevalue("clear_postgres") if kind == "postgres" else lambda: ":memory:"
    run_state_machine_as_test(
        lambda: AgainstAList(clear()),
        settings=settings(
            max_examples=runs,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
