"""Quotes in Daft: frames whose batches are grounded in Arrow's form."""

import daft
import pyarrow as pa

from groundwire.bulk import Grounder

rows = daft.from_pydict(
    {
        "quote": ["i can't sleep", "I feel hopeless", "take 15 mg"],
        "source": ["Anna: I can’t  sleep at night.", "Anna: I can’t  sleep at night.", "Ben: Take 15 mg of it."],
    }
)
# It keeps the sources that it has prepared from one batch to the next.
grounder = Grounder(mode="fuzzy", workers=2)
tables = (pa.Table.from_batches([batch]) for batch in rows.to_arrow_iter())
grounded = daft.from_arrow([pa.table(grounder.ground(table)) for table in tables])
found = grounded.select("quote", "grounded", "kind").to_pydict()
print(found)
assert found["grounded"] == [True, False, True]
