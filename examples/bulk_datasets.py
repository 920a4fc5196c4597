"""Quotes in a data set of Hugging Face: `map` over batches, kept in the library's own cache."""

import pyarrow as pa
from datasets import Dataset, disable_progress_bars

from groundwire.bulk import ground_batch

disable_progress_bars()
rows = Dataset.from_dict(
    {
        "quote": ["i can't sleep", "I feel hopeless", "take 15 mg"],
        "source": ["Anna: I can’t  sleep at night.", "Anna: I can’t  sleep at night.", "Ben: Take 15 mg of it."],
    }
)
# In Arrow's form, batches come and go as they are: no Python object is made for a row.
grounded = rows.with_format("arrow").map(
    lambda table: pa.Table.from_batches([ground_batch(batch) for batch in table.to_batches()]), batched=True
)
print(grounded.with_format(None)["grounded"])
assert list(grounded.with_format(None)["grounded"]) == [True, False, True]
