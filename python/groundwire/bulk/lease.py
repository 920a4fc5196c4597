"""
The sign that a run is at an output behind a URL, where no file can be locked.

A run writes an object of its own, and only then looks whether there are others: of two
runs at least the one that looks last sees the other, so that never both go on. The
object is written anew every few seconds. One that stays as it is for a minute is of a run
that is gone, which is why nobody has to take it away after a crash; no clocks of several
machines are compared. In its turn a run that has not managed to write for half a minute
takes itself for gone.

What remains: a run that stands still for longer than that (a suspended machine) between
looking for its object and writing something else. It writes the same bytes as the other
one does, unless that was begun with `--no-resume` and other options.
"""

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import msgspec
import pyarrow.fs as pafs

from groundwire.errors import BulkError

__all__ = ["Lease", "Pace"]


_LOOKS_A_BEAT = 10


class Pace(NamedTuple):
    """How often a sign is given, after how long the own one is not relied on, and another's counts as left."""

    beat_seconds: float = 5.0
    hold_seconds: float = 30.0
    left_seconds: float = 60.0


class _Sign(msgspec.Struct):
    """Who is there: a process, and the machine as far as processes have the same numbers."""

    process: int
    machine: str | None


@dataclass(slots=True)
class _Watched:
    """Another run's sign: when it was last written, how often anew, and how often it was looked at since."""

    written: int
    beats: int = 0
    looks: int = 0

    def look(self, written: int) -> None:
        """Note that it is as it was, or was written anew."""
        if written == self.written:
            self.looks += 1
        else:
            self.written, self.beats, self.looks = written, self.beats + 1, 0


class Lease:
    """
    One run's sign.

    Args:
        filesystem, folder: Where signs are.
        output: What they are for, as messages show it.
        pace: How often, and how long.
        sleep: What waits.
    """

    def __init__(
        self,
        filesystem: Any,
        folder: str,
        output: str,
        *,
        pace: Pace | None = None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._filesystem, self._folder, self._output = filesystem, folder, output
        self._pace, self._sleep = pace or Pace(), sleep
        self._path = f"{folder}/{uuid4().hex}.json"
        self._written = 0.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="groundwire-bulk-lease", daemon=True)

    def take(self) -> None:
        """
        Give the sign, and wait until no other one is left.

        Raises:
            BulkError: Another run is there.
            OSError: Nothing can be written there.
        """
        self._write()
        self._thread.start()
        try:
            self._wait_for_others()
        except BaseException:
            self.release()
            raise

    def check(self) -> None:
        """
        Raise unless the sign still stands.

        Raises:
            BulkError: It does not; another run may be there now.
            OSError: Nobody knows.
        """
        if self._is_late() or self._filesystem.get_file_info(self._path).type != pafs.FileType.File:
            raise BulkError(
                f"this run could not say in time that it still writes `{self._output}`; another one may do so now",
                "the same call goes on from there, once no other run does",
            )

    def release(self) -> None:
        """Take the sign away."""
        self._ended.set()
        if self._thread.ident is not None:
            self._thread.join()
        self._delete(self._path)

    def others(self) -> dict[str, int]:
        """Return the signs of other runs, and when each was last written by the clock of the server."""
        found = self._filesystem.get_file_info(pafs.FileSelector(self._folder, allow_not_found=True))
        return {
            info.path: info.mtime_ns for info in found if info.type == pafs.FileType.File and info.path != self._path
        }

    def _wait_for_others(self) -> None:
        watched: dict[str, _Watched] = {}
        # Looks are counted, and not seconds: of those this run may have slept through many.
        looks_until_left = _LOOKS_A_BEAT * self._pace.left_seconds / self._pace.beat_seconds
        while others := self.others():
            for path, written in others.items():
                other = watched.setdefault(path, _Watched(written))
                other.look(written)
                # Of two that wait for each other one gives up first, and the other one goes on.
                if other.beats > (0 if path < self._path else 2):
                    raise self._taken(path)
                if other.looks > looks_until_left or _is_gone(self._sign(path)):
                    self._delete(path)
            self._sleep(self._pace.beat_seconds / _LOOKS_A_BEAT)

    def _taken(self, path: str) -> BulkError:
        sign = self._sign(path)
        who = "" if sign is None else f" (process {sign.process})"
        return BulkError(f"another run{who} writes `{self._output}`", "wait for its end, or write elsewhere")

    def _sign(self, path: str) -> _Sign | None:
        """Return what a sign says; None if it is gone or cut off."""
        try:
            with self._filesystem.open_input_stream(path) as opened:
                return msgspec.json.decode(opened.read(), type=_Sign)
        except (OSError, msgspec.MsgspecError):
            return None

    def _is_late(self) -> bool:
        return _seconds() - self._written > self._pace.hold_seconds

    def _beat(self) -> None:
        while not self._ended.wait(self._pace.beat_seconds) and not self._is_late():
            # What fails now is tried again; `check` counts the seconds.
            with suppress(OSError):
                if self._filesystem.get_file_info(self._path).type == pafs.FileType.File:
                    self._write()

    def _write(self) -> None:
        now = _seconds()
        with self._filesystem.open_output_stream(self._path) as opened:
            opened.write(msgspec.json.encode(_Sign(os.getpid(), _machine())))
        self._written = now

    def _delete(self, path: str) -> None:
        with suppress(OSError):
            self._filesystem.delete_file(path)


def _seconds() -> float:
    """Return the seconds of a clock that goes on while the machine sleeps, where there is one."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


def _machine() -> str | None:
    """Return what is the same for processes that see each other's numbers, and for no others; None if nothing is."""
    try:
        return f"{Path('/proc/sys/kernel/random/boot_id').read_text().strip()} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return None


def _is_gone(sign: _Sign | None) -> bool:
    """Tell whether a process of this machine has ended; False where nobody knows."""
    if sign is None or sign.machine is None or sign.machine != _machine():
        return False
    try:
        os.kill(sign.process, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
