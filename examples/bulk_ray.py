"""Quotes in Ray Data: actors that keep their sources from one batch to the next."""

import logging
import os
import tempfile
from pathlib import Path

# Before Ray is imported, which reads them.
os.environ.update({"RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0", "RAY_USAGE_STATS_ENABLED": "0"})

import pyarrow as pa
import pyarrow.parquet as pq
import ray

from groundwire.bulk import Grounder


class Ground:
    """An actor: it keeps the sources that it has prepared."""

    def __init__(self) -> None:
        self.grounder = Grounder(mode="fuzzy")

    def __call__(self, batch: pa.Table) -> pa.Table:
        return pa.table(self.grounder.ground(batch))


def main() -> None:
    """Ground a file of rows."""
    rows = {
        "number": [0, 1, 2],
        "quote": ["i can't sleep", "I feel hopeless", "take 15 mg"],
        "source": ["Anna: I can’t  sleep at night.", "Anna: I can’t  sleep at night.", "Ben: Take 15 mg of it."],
    }
    ray.init(num_cpus=2, include_dashboard=False, logging_level=logging.ERROR, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    with tempfile.TemporaryDirectory() as folder:
        pq.write_table(pa.table(rows), Path(folder) / "rows.parquet")
        data = ray.data.read_parquet(folder)
        actors = ray.data.ActorPoolStrategy(size=1)
        grounded = data.map_batches(Ground, batch_format="pyarrow", batch_size=1 << 16, compute=actors)
        found = sorted(grounded.take_all(), key=lambda row: row["number"])
    print([row["grounded"] for row in found])
    assert [row["grounded"] for row in found] == [True, False, True]


if __name__ == "__main__":
    main()
