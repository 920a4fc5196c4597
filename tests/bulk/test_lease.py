"""The sign of a run at an output behind a URL: of two runs never both go on, and nobody waits for one that is gone."""

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from bulk.corpora import rows, write_parquet
from bulk.object_store import BUCKET, ObjectStore
from groundwire.bulk import BulkError, ground_file
from groundwire.bulk.lease import Lease, Pace

# A server tells when an object was written to the second.
QUICK = Pace(beat_seconds=1.2, hold_seconds=20.0, left_seconds=6.0)


def lease(store: ObjectStore, name: str, pace: Pace = QUICK) -> Lease:
    """A sign at an output."""
    return Lease(store.filesystem, f"{BUCKET}/{name}/lease", name, pace=pace)


def test_two_runs_on_one_output(store, tmp_path):
    """The second one is told who is at it, and leaves everything as it is."""
    source = write_parquet(tmp_path / "in.parquet", rows(20))
    first = lease(store, "two/out.parquet.groundwire")
    first.take()
    with pytest.raises(
        BulkError, match=rf"another run \(process {os.getpid()}\) writes `s3://{BUCKET}/two/out.parquet`"
    ):
        ground_file(source, store.url("two/out.parquet"))
    assert len(store.names("two")) == 1
    first.release()
    ground_file(source, store.url("two/out.parquet"))
    assert store.names("two") == ["out.parquet", "out.parquet.manifest.json"]


def test_of_two_that_come_at_once_one_goes_on(store):
    """Each has written its sign before it looks: both see each other, and one gives up."""
    both = [lease(store, "at-once"), lease(store, "at-once")]
    with ThreadPoolExecutor(2) as pool:
        errors = [future.exception() for future in [pool.submit(each.take) for each in both]]
    assert sorted(type(error) for error in errors if error is not None) == [BulkError]
    for each, error in zip(both, errors, strict=True):
        if error is None:
            each.check()
            each.release()
    assert store.names("at-once") == []


def test_a_sign_of_another_machine_that_is_not_renewed_is_taken_away(store):
    """What a run left that is gone keeps nobody away for longer than a while, and who left it notices."""
    left = lease(store, "left", Pace(beat_seconds=60.0, hold_seconds=60.0, left_seconds=60.0))
    left.take()
    name = store.names("left/lease")[0]
    sign = json.loads(store.read(f"left/lease/{name}")) | {"machine": "another"}
    store.write(f"left/lease/{name}", json.dumps(sign).encode())
    next_one = lease(store, "left")
    next_one.take()
    next_one.check()
    with pytest.raises(BulkError, match="could not say in time"):
        left.check()
    left.release()
    next_one.release()
    assert store.names("left") == []


def test_a_run_that_stood_still_takes_itself_for_gone(store):
    """It does not even look: another one may have come meanwhile."""
    still = lease(store, "still", Pace(beat_seconds=60.0, hold_seconds=0.05, left_seconds=60.0))
    still.take()
    time.sleep(0.1)
    with pytest.raises(BulkError, match="could not say in time"):
        still.check()
    still.release()
