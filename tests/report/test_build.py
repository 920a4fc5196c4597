"""From quotes and texts to verdicts and counts."""

import pytest

from groundwire.report import QuoteEntry, build_report
from groundwire.report.check import model
from groundwire.report.check.builder import batches
from report.samples import report_of, transcript


@pytest.mark.parametrize(
    ("quote", "mode", "status"),
    [
        pytest.param("I can’t sleep", "substring", "exact", id="exact"),
        pytest.param("i can't  SLEEP", "substring", "normalized", id="normalized"),
        pytest.param("I can't slepe", "substring", "absent", id="slip-as-substring"),
        pytest.param("I can't slepe", "fuzzy", "fuzzy", id="slip-fuzzy"),
        pytest.param("I can’t sleep", "fuzzy", "exact", id="exact-in-fuzzy-mode"),
        pytest.param("<sigh>", "fuzzy", "blank", id="blank"),
    ],
)
def test_status_is_the_kind_of_the_match(quote, mode, status):
    """A quote without a match is absent, or blank when it has no words."""
    (result,) = report_of("Well, I can’t sleep.", [quote], mode=mode).quotes
    assert result.status == status
    assert result.grounded == (status not in ("absent", "blank"))


def test_span_cuts_the_original_text():
    """The passage is the text from start to end, tags and white space included."""
    text = "Max: I can’t <pause>\n sleep."
    (place,) = report_of(text, ["I can't sleep"]).quotes[0].places
    assert text[place.start : place.end] == place.passage == "I can’t <pause>\n sleep"


def test_best_place_comes_first():
    """Exact before normalized before fuzzy; of equals the first transcript."""
    texts = ["I can't slepe at night", "I CAN'T SLEEP AT NIGHT", "I can't sleep at night", "I can't sleep at night!"]
    (result,) = report_of(texts, ["I can't sleep at night"], mode="fuzzy").quotes
    assert [(place.kind, place.transcript) for place in result.places] == [
        ("exact", 3),
        ("exact", 4),
        ("normalized", 2),
        ("fuzzy", 1),
    ]


def test_counts_add_up():
    """Statuses add up to the quotes, domains add up to the grounded ones."""
    summary = report_of("a b c", {"x": ["a", "A", "q"], "y": [""], "z": []}).summary
    assert (summary.quotes, summary.grounded, summary.rejected, summary.rate) == (4, 2, 2, 0.5)
    assert sum(getattr(summary, status) for status in model.STATUSES) == summary.quotes
    assert sum(count.grounded for count in summary.by_domain) == summary.grounded
    assert [count.domain for count in summary.by_domain] == ["x", "y", "z"]


def test_threshold_is_reported_only_where_it_is_used():
    """In substring mode there is none."""
    assert report_of("a", ["a"], threshold=0.7).settings.threshold is None
    assert report_of("a", ["a"], threshold=0.7, mode="fuzzy").settings.threshold == 0.7


@pytest.mark.parametrize("text_chars", [0, 1, 50_000, 10**7, 10**12])
@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 4096, 4097, 10_000])
def test_each_quote_is_in_one_batch(count, text_chars):
    """For any size of text, each quote is in one batch."""
    numbers = list(range(count))
    assert [number for batch in batches(count, text_chars) for number in numbers[batch]] == numbers


def test_progress_counts_every_pair():
    """Progress adds up to quotes times transcripts."""
    steps = []
    build_report([transcript("a"), transcript("b")], [QuoteEntry("a")] * 5000, on_progress=steps.append)
    assert sum(steps) == 10_000
    assert len(steps) > 2
