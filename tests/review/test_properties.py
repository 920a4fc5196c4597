"""Whatever is done in whatever order, the queue says what a plain model says."""

import asyncio
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from effort import effort
from groundwire.errors import AlreadyDecided, CallbackFailed, NotAllowed, NotFound, QueueFull
from groundwire.memory import MemoryStore
from groundwire.review import QueueState, ReviewQueue
from review.waiting import Clock, Ids, enqueue

USERS = ("anna", "bob")
PEOPLE = (*USERS, "rita")
TEXTS = ("one", "two", "three")
TTL = timedelta(minutes=30)
ASK_AGAIN = timedelta(minutes=90)
PER_USER, TOTAL = 3, 4

people, numbers = st.sampled_from(PEOPLE), st.integers(1, 12)


class StorageError(Exception):
    """What the callback raises."""


class AgainstAModel(RuleBasedStateMachine):
    """A queue beside a dict of dicts: the last place, state, text, ... of each claim."""

    def __init__(self, location: str | None, *, elsewhere: bool, distinct: bool) -> None:
        super().__init__()
        self.clock, self.elsewhere, self.distinct = Clock(), elsewhere, distinct
        self.store = None if location is None else MemoryStore(location)
        self.ids = Ids()
        self.queue = ReviewQueue(
            self.callback if elsewhere else None,
            self.store,
            per_user_limit=PER_USER,
            total_limit=TOTAL,
            ttl_s=TTL.total_seconds(),
            resubmit_after_s=ASK_AGAIN.total_seconds(),
            reviewers=("rita",),
            require_distinct_reviewer=distinct,
            clock=self.clock,
            new_id=self.ids,
        )
        self.known: dict[str, dict] = {}
        self.stored: dict[str, int] = {}
        self.fails = False
        self.place = 0

    async def callback(self, pending) -> str:
        """Store elsewhere, or fail."""
        if self.fails:
            raise StorageError
        self.stored[pending.queue_id] = self.stored.get(pending.queue_id, 0) + 1
        return pending.queue_id

    @initialize()
    def begin(self):
        """Every run begins with a claim."""
        self.submit("anna", "one")

    @rule(user=st.sampled_from(USERS), text=st.sampled_from(TEXTS))
    def submit(self, user, text):
        """Known claims are not asked again; a full queue says so."""
        self.expire_if(self.is_full(user) and self.same(user, text) is None)
        same = self.same(user, text)
        if same is None and self.is_full(user):
            with pytest.raises(QueueFull):
                asyncio.run(enqueue(self.queue, text, user))
            return
        queue_id = asyncio.run(enqueue(self.queue, text, user))
        if same is not None:
            assert self.known[queue_id]["asked"] == text
            assert queue_id == same or self.known[queue_id]["state"] == self.known[same]["state"] == "rejected"
            return
        self.place += 1
        self.known[queue_id] = {
            "user": user,
            "text": text,
            "asked": text,
            "state": "pending",
            "place": self.place,
            "expires": self.clock.now + TTL,
            "decided": None,
            "entries": ["enqueued"],
        }

    @rule(number=numbers, person=people, edited=st.none() | st.sampled_from(TEXTS), fails=st.booleans())
    def approve(self, number, person, edited, fails):
        """Stored once, or an error that says why not."""
        queue_id = self.name(number)
        self.fails = fails and self.elsewhere
        error = self.refusal(queue_id, person) or (CallbackFailed if self.fails else None)
        call = self.queue.approve(queue_id, person, content=edited)
        if error is not None:
            with pytest.raises(error):
                asyncio.run(call)
        else:
            assert asyncio.run(call) == queue_id
        if error in (None, CallbackFailed):
            claim = self.known[queue_id]
            if edited not in (None, claim["text"]):
                claim["text"] = edited
                claim["entries"].append("edited")
            claim["entries"] += ["approving"] if self.elsewhere else []
            claim["entries"].append("stored" if error is None else "failed")
            if error is None:
                self.decide(claim, "stored")

    @rule(number=numbers, person=people)
    def reject(self, number, person):
        """Rejected once."""
        if self.decided_by(self.queue.reject, number, person, "no"):
            claim = self.known[self.name(number)]
            claim["entries"].append("rejected")
            self.decide(claim, "rejected")

    @rule(number=numbers, person=people)
    def skip(self, number, person):
        """Behind all others."""
        if self.decided_by(self.queue.skip, number, person):
            self.place += 1
            self.known[self.name(number)]["place"] = self.place
            self.known[self.name(number)]["entries"].append("skipped")

    @rule(minutes=st.integers(-40, 100))
    def wait(self, minutes):
        """Clocks go on, and are set back."""
        self.clock.now += timedelta(minutes=minutes)

    @rule()
    def sweep(self):
        """Expired claims are marked, all of them."""
        overdue = sum(self.is_overdue(claim) for claim in self.known.values())
        self.expire_if(True)
        assert asyncio.run(self.queue.expire()) == overdue

    @rule(user=st.sampled_from(USERS))
    def erase(self, user):
        """Where a store is, it erases memories and claims of a user; nobody else's."""
        if self.store is not None:
            self.store.erase_user(user, time=self.clock.now)
            self.known = {name: claim for name, claim in self.known.items() if claim["user"] != user}

    @invariant()
    def is_the_same(self):
        """Lists, counts, single claims, audit, memories: all of it."""
        self.expire_if(True)
        for person in PEOPLE:
            for state in ("pending", "stored", "rejected", "expired"):
                found = asyncio.run(self.queue.find(person, state=QueueState(state)))
                assert [one.queue_id for one in found] == self.listed(person, state)
            counts = asyncio.run(self.queue.counts(person))
            assert counts == {state: len(self.listed(person, state)) for state in counts}
        for name, claim in self.known.items():
            one = asyncio.run(self.queue.get_by_id(name, claim["user"]))
            assert (one.state, one.content) == (claim["state"], claim["text"])
            trail = asyncio.run(self.queue.audit_trail(name))
            assert [str(entry.action) for entry in trail] == claim["entries"]
        if self.store is not None and not self.elsewhere:
            memories = {memory.id: memory.content for memory in self.store.find(None)}
            assert memories == {name: claim["text"] for name, claim in self.known.items() if claim["state"] == "stored"}
        assert set(self.stored.values()) <= {1}
        assert asyncio.run(self.queue.integrity_errors()) == []

    def teardown(self):
        """Each run has a queue of its own."""
        self.queue.close()
        if self.store is not None:
            self.store.close()

    def name(self, number) -> str:
        """The id that was given at the *number*-th submission, which may have come to nothing."""
        return f"q{number}"

    def decided_by(self, call, number, person, *arguments) -> bool:
        """Return whether it was done; a refusal has the code of the model."""
        error = self.refusal(self.name(number), person)
        if error is None:
            asyncio.run(call(self.name(number), person, *arguments))
            return True
        with pytest.raises(error):
            asyncio.run(call(self.name(number), person, *arguments))
        return False

    def refusal(self, queue_id, person):
        """Why a person cannot decide on a claim."""
        claim = self.known.get(queue_id)
        if claim is None or person not in (claim["user"], "rita"):
            return NotFound
        if self.distinct and person == claim["user"]:
            return NotAllowed
        return AlreadyDecided if claim["state"] != "pending" or self.is_overdue(claim) else None

    def decide(self, claim, state):
        """It is over."""
        claim.update(state=state, decided=self.clock.now, expires=None)

    def is_overdue(self, claim) -> bool:
        """Whether it expires when somebody looks."""
        return claim["state"] == "pending" and claim["expires"] <= self.clock.now

    def expire_if(self, condition) -> None:
        """What lists and a full queue do."""
        for claim in self.known.values():
            if condition and self.is_overdue(claim):
                self.decide(claim, "expired")
                claim["entries"].append("expired")

    def is_full(self, user) -> bool:
        """Whether the next claim finds no room."""
        waiting = [claim["user"] for claim in self.known.values() if claim["state"] == "pending"]
        return waiting.count(user) >= PER_USER or len(waiting) >= TOTAL

    def same(self, user, text):
        """The claim that answers for this text: it waits, or was rejected not long ago."""
        asked = [name for name, claim in self.known.items() if (claim["user"], claim["asked"]) == (user, text)]
        waiting = [
            name for name in asked if self.known[name]["state"] == "pending" and not self.is_overdue(self.known[name])
        ]
        rejected = [
            name
            for name in asked
            if self.known[name]["state"] == "rejected" and abs(self.clock.now - self.known[name]["decided"]) < ASK_AGAIN
        ]
        return next(iter(waiting + rejected), None)

    def listed(self, person, state) -> list[str]:
        """What a person sees of a state, in the order of places."""
        mine = [
            (claim["place"], name)
            for name, claim in self.known.items()
            if claim["state"] == state and person in (claim["user"], "rita")
        ]
        return [name for _, name in sorted(mine)]


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("elsewhere", [False, True])
@pytest.mark.parametrize(
    ("kind", "runs"), [("memory", effort(15, 300)), ("sqlite", effort(8, 200)), ("postgres", effort(3, 25))]
)
def test_the_queue_agrees_with_a_model(request, kind, runs, elsewhere, distinct):
    """In memory and in both databases, with and without a callback, each run on an empty queue."""
    if kind == "memory" and not elsewhere:
        pytest.skip("a queue in memory always calls back")
    clear = request.getfixturevalue("clear_postgres") if kind == "postgres" else lambda: ":memory:"
    run_state_machine_as_test(
        lambda: AgainstAModel(None if kind == "memory" else clear(), elsewhere=elsewhere, distinct=distinct),
        settings=settings(
            max_examples=runs, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
