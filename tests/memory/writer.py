"""A process that writes until it is done or killed: `writer.py LOCATION NAME GROUPS`. It says which groups are done."""

import sys
from datetime import UTC, datetime

from groundwire.memory import MemoryStore, StoredMemory

TIME = datetime(2026, 3, 1, tzinfo=UTC)
GROUP = 3


def main(location: str, name: str, groups: str) -> None:
    """Store groups of memories, each in one transaction; of every second group all that was stored is erased again."""
    # Whoever starts several of them starts them at once.
    sys.stdin.readline()
    with MemoryStore(location, timeout_s=60) as store:
        for group in range(int(groups)):
            with store.transaction():
                for number in range(GROUP):
                    store.add(memory(name, group, number), time=TIME, actor=name)
                store.revoke_source(f"source-{name}-{group}", time=TIME)
            print(f"stored {group}", flush=True)
            if group % 2:
                with store.transaction():
                    for number in range(GROUP):
                        store.erase(f"{name}-{group}-{number}", name, time=TIME)
                store.purge()
                print(f"erased {group}", flush=True)


def memory(name: str, group: int, number: int) -> StoredMemory:
    """A memory that rests on a source or on the one before it, long enough to fill some pages."""
    memory_id = f"{name}-{group}-{number}"
    return StoredMemory(
        id=memory_id,
        content=f"text of {memory_id} " * 100,
        memory_type="fact",
        user_id=name,
        source="user",
        capture_time=TIME,
        confidence="high",
        source_ids=() if number else (f"source-{name}-{group}",),
        parents=(f"{name}-{group}-{number - 1}",) if number else (),
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
