"""Limits the process that reads documents: its memory, the files that it writes, and its life."""

import os
import threading
import time
from contextlib import suppress

__all__ = ["end_with_parent", "limit_process"]

_LOOK_FOR_PARENT_S = 1.0
_STACK_BYTES = 256 << 10


def limit_process(memory_bytes: int) -> None:
    """Limit the memory of this process, and forbid it to write files. Windows has no such limits, only the deadline."""
    with suppress(ImportError):
        import resource

        for kind, limit in (
            (resource.RLIMIT_AS, memory_bytes),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
        ):
            with suppress(ValueError, OSError):
                resource.setrlimit(kind, (limit, limit))


def end_with_parent() -> None:
    """
    End this process soon after its parent has ended.

    The parent enforces the deadline. If it is killed, nothing else would stop a reading that never ends. This does
    nothing on Windows, where a process keeps the number of its parent.
    """

    def look(parent: int) -> None:
        while os.getppid() == parent:
            time.sleep(_LOOK_FOR_PARENT_S)
        os._exit(1)

    # The limit of memory counts the stack.
    threading.stack_size(_STACK_BYTES)
    threading.Thread(target=look, args=(os.getppid(),), daemon=True).start()
