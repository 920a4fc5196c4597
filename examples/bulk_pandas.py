"""Quotes in a pandas DataFrame."""

import pandas as pd
import pyarrow as pa

from groundwire.bulk import ground_table

frame = pd.DataFrame(
    {
        "quote": ["i can't sleep", "I feel hopeless", "take 15 mg"],
        "source": ["Anna: I can’t  sleep at night.", "Anna: I can’t  sleep at night.", "Ben: Take 15 mg of it."],
    }
)
grounded = ground_table(pa.Table.from_pandas(frame)).to_pandas()
print(grounded[["quote", "grounded", "kind"]].to_string())
assert grounded["grounded"].tolist() == [True, False, True]
