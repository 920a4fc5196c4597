"""Overlapping spans cut into segments that do not overlap."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.report.spans import Segment, Span, split_spans

LENGTH = 12
spans_strategy = st.lists(st.tuples(st.integers(0, LENGTH), st.integers(0, LENGTH)).map(sorted), max_size=6)


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        pytest.param([], [Segment(0, 9, (), ())], id="none"),
        pytest.param(
            [Span(0, 6, 1), Span(2, 4, 2)],
            [Segment(0, 2, (1,), (1,)), Segment(2, 4, (1, 2), (2,)), Segment(4, 6, (1,), ()), Segment(6, 9, (), ())],
            id="nested",
        ),
        pytest.param(
            [Span(3, 9, 1), Span(0, 6, 2)],
            [Segment(0, 3, (2,), (2,)), Segment(3, 6, (1, 2), (1,)), Segment(6, 9, (1,), ())],
            id="crossing",
        ),
        pytest.param([Span(0, 9, 2), Span(0, 9, 1)], [Segment(0, 9, (1, 2), (1, 2))], id="equal"),
        pytest.param([Span(4, 4, 1)], [Segment(0, 9, (), ())], id="empty"),
    ],
)
def test_spans_are_cut_where_one_starts_or_ends(spans, expected):
    """Nested, crossing and equal spans become one sequence of segments."""
    assert list(split_spans(9, spans)) == expected


@given(spans_strategy, st.sets(st.integers(0, LENGTH)))
def test_segments_have_the_owners_of_each_character(spans, cuts):
    """Each character is in one segment, with exactly the quotes whose span covers it."""
    named = [Span(start, end, owner) for owner, (start, end) in enumerate(spans, start=1)]
    segments = list(split_spans(LENGTH, named, cuts))
    assert [(segment.start, segment.end) for segment in segments] == list(
        zip([0, *(segment.end for segment in segments[:-1])], [segment.end for segment in segments], strict=True)
    )
    for segment in segments:
        for offset in range(segment.start, segment.end):
            assert segment.owners == tuple(span.owner for span in named if span.start <= offset < span.end)
        assert not any(segment.start < cut < segment.end for cut in cuts)
    opened = sorted(owner for segment in segments for owner in segment.opening)
    assert opened == [span.owner for span in named if span.start < span.end]
