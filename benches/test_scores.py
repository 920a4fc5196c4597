"""Every score of the rows, not only the sample that is timed, is RapidFuzz's to the last bit."""

import pytest
from rapidfuzz import fuzz

from corpora import english
from groundwire import partial_ratio_many
from groundwire.benchmarks.cases import Benchmark, reach
from groundwire.benchmarks.score_tasks import Scores

ROWS = [row for row in reach(english()) if isinstance(row, Benchmark) and isinstance(row.task, Scores)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_score_is_that_of_rapidfuzz(row):
    """Quotes are counted in hundreds, and RapidFuzz takes milliseconds for each."""
    quotes, text, cutoff = row.task.quotes.read(), row.task.quotes.text.read(), row.task.cutoff
    expected = [fuzz.partial_ratio(quote, text, score_cutoff=cutoff) for quote in quotes]
    assert partial_ratio_many(quotes, text, score_cutoff=cutoff).tolist() == expected
