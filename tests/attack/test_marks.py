"""Long runs of combining marks do not take quadratic time in any public function."""

import random
from collections.abc import Callable
from functools import partial

import pyarrow as pa
import pytest

from effort import effort
from groundwire import Source, normalize, partial_ratio
from groundwire._engine import JaccardIndex, MinHashIndex
from groundwire.bulk import claims_batch, dedup_batch, ground_batch
from groundwire.citations import assess_citations
from groundwire.citations.support import support_of
from groundwire.evidence import assess_quotes, normalize_for_quote_match, quotes_in
from groundwire.faithfulness import ClaimExtractor
from groundwire.ingestion import CitationDetector, HedgeDetector, jaccard_similarity
from groundwire.review import word_diff
from groundwire.transcripts import read_transcript, speaker_key
from growth import SHARE_MAX, growth

MARKS = effort(20_000, 250_000)

MIXED = "\u0301\u0323\u0345\u0334\u05b0\u0f71\u3099\u0e38"
RUNS: dict[str, Callable[[int], str]] = {
    "one-mark": lambda count: "a" + "\u0301" * count,
    "no-letter": lambda count: "\u0301" * count,
    "two-classes": lambda count: "a" + "\u0301\u0323" * (count // 2),
    "falling-classes": lambda count: "a" + "\u0345" * (count // 2) + "\u0334" * (count // 2),
    "mixed": lambda count: "a" + "".join(random.Random(count).choices(MIXED, k=count)),
    "marks-of-marks": lambda count: "a" + "\u0344\u0323" * (count // 2),
    "decomposing-starters": lambda count: "a" + "\u0f73\u0334" * (count // 2),
    "halfwidth": lambda count: "\uff76" + "\uff9e\u0301" * (count // 2),
    "on-a-bracket": lambda count: "<" + "\u0338\u0323" * (count // 2) + ">",
    "spacing-marks": lambda count: "\u0995" + "\u09be" * count,
    "hangul": lambda count: "\u1100\u1161\u11a8" * (count // 3),
    "hangul-vowels": lambda count: "\u1100" + "\u1161" * count,
    "sigma": lambda count: "a\u03a3" + "\u0345" * count + "\u03a3",
    "many-sigmas": lambda count: "a" + "\u03a3\u0301\u0323" * (count // 3),
    "ignorable": lambda count: "a" + "\u034f\u0301" * (count // 2),
}


def rows(*names: str, text: str) -> pa.RecordBatch:
    """Return one row with the text in each column."""
    return pa.record_batch({name: pa.array([text]) for name in names})


CALLS: dict[str, Callable[[str], object]] = {
    "normalize": normalize,
    "normalize-typographic": partial(normalize, profile="typographic"),
    "normalize_for_quote_match": normalize_for_quote_match,
    "Source": lambda text: Source(text).normalized,
    "find": lambda text: Source("a b").find(text),
    "find-fuzzy": lambda text: Source("a b" + text).find("a b c", mode="fuzzy"),
    "find_all": lambda text: Source(text).find_all(text),
    "partial_ratio": lambda text: partial_ratio("a b c", text),
    "JaccardIndex": lambda text: JaccardIndex(floor=0.5).insert(text),
    "MinHashIndex": lambda text: MinHashIndex(threshold=0.5).insert(text),
    "jaccard_similarity": lambda text: jaccard_similarity(text, text),
    "HedgeDetector": lambda text: HedgeDetector().analyze(text),
    "CitationDetector": lambda text: CitationDetector().detect(text),
    "assess_citations": lambda text: assess_citations(text, [{"id": "1"}]),
    "support_of": lambda text: support_of(text, [text]),
    "assess_quotes-source": lambda text: assess_quotes(["a b c"], text),
    "assess_quotes-quote": lambda text: assess_quotes([text], "a b c"),
    "quotes_in": quotes_in,
    "read_transcript": lambda text: read_transcript(f"A: b\n{text}: c\n"),
    "speaker_key": speaker_key,
    "ClaimExtractor": lambda text: ClaimExtractor().extract({"bio": text}),
    "word_diff": lambda text: word_diff(text, "a b c"),
    "ground_batch": lambda text: ground_batch(rows("quote", "source", text=text)),
    "dedup_batch": lambda text: dedup_batch(rows("text", text=text)),
    "claims_batch": lambda text: claims_batch(rows("claim", text=text)),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_time_grows_with_the_run(attack, name):
    """This holds for any marks on any base character."""
    CALLS[name]("a\u0301\u0323 b")
    for kind, make in RUNS.items():
        with attack.attempt(f"{name} {kind}"):
            found = growth(lambda count, make=make: partial(CALLS[name], make(count)), MARKS)
            assert found <= SHARE_MAX, f"grows by {found:.1f}"
