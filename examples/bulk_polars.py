"""Quotes in Polars: an expression over a struct, and a lazy frame whose rows come batch by batch."""

import polars as pl

from groundwire.bulk import Grounder

rows = pl.DataFrame(
    {
        "quote": ["i can't sleep", "I feel hopeless", "take 15 mg"],
        "source": ["Anna: I can’t  sleep at night.", "Anna: I can’t  sleep at night.", "Ben: Take 15 mg of it."],
    }
)
# It keeps the sources that it has prepared from one batch to the next.
grounder = Grounder(mode="fuzzy", workers=2)


def ground(batch: pl.DataFrame) -> pl.DataFrame:
    """Return *batch* with the results."""
    return pl.DataFrame(grounder.ground(batch))


schema = {**rows.schema, **ground(rows.clear()).schema}
grounded = rows.lazy().map_batches(ground, schema=schema).collect()
print(grounded.select("quote", "grounded", "kind", "start", "end"))
assert grounded["grounded"].to_list() == [True, False, True]

as_expression = rows.select(
    pl.struct("quote", "source").map_batches(
        lambda pairs: ground(pairs.struct.unnest()).to_series(2), return_dtype=pl.Boolean
    )
)
assert as_expression.to_series().to_list() == [True, False, True]
