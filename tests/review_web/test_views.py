"""What the page marks in a claim."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.ingestion import HedgeCategory, HedgeCue
from groundwire.review import ClaimExcerpt, PendingCitation, PendingMemory, QueueState
from groundwire.review.web.view_models import check_rows, highlighted_excerpt, highlighted_spans
from review.waiting import NOON, evidence

CLAIM = PendingMemory("q1", "anna", "it may be ADR-003", "fact", "user", evidence("it may be ADR-003"), NOON)

EXCERPT = ClaimExcerpt(
    queue_id="q1", user_id="anna", excerpt="", content_chars=0, content_hash="", memory_type="fact", source="user",
    submitted_at=NOON, state=QueueState.PENDING, checks_failed=(), hedges=(), citations=(), assigned_to=None,
    expires_at=None, reviewer=None, decided_at=None, decision_reason=None, memory_id=None, place=1,
)  # fmt: skip


def cue(start: int, end: int) -> HedgeCue:
    """A hedge at this place."""
    return HedgeCue("may", start, end, HedgeCategory.TECHNICAL_HEDGE, "en")


def cited(start: int, end: int) -> PendingCitation:
    """A citation at this place."""
    return PendingCitation(
        type="adr", name="ADR-003", value="003", start=start, end=end, status="refuted", reason="", code="adr_not_found"
    )


@pytest.mark.parametrize(
    ("hedges", "citations", "expected"),
    [
        ((), (), [("it may be ADR-003", "")]),
        (((3, 6),), (), [("it ", ""), ("may", "h"), (" be ADR-003", "")]),
        (((0, 17),), ((10, 17),), [("it may be ", "h"), ("ADR-003", "hc")]),
        ((), ((0, 6), (3, 9)), [("it ", "c"), ("may", "c"), (" be", "c"), (" ADR-003", "")]),
        (((-5, 2), (15, 99)), (), [("it", "h"), (" may be ADR-0", ""), ("03", "h")]),
    ],
    ids=["nothing", "a-hedge", "a-citation-in-a-hedge", "overlapping", "outside"],
)
def test_marks(hedges, citations, expected):
    """Stretches in order, each with what it is a part of."""
    claim = replace(CLAIM, hedges=tuple(cue(*at) for at in hedges), citations=tuple(cited(*at) for at in citations))
    found = [
        (one.text, "h" * (one.hedge is not None) + "c" * (one.citation is not None)) for one in highlighted_spans(claim)
    ]
    assert found == expected


@given(st.text(max_size=30), st.lists(st.tuples(st.integers(-3, 40), st.integers(-3, 40)), max_size=6), st.booleans())
def test_stretches_are_the_text(text, places, are_hedges):
    """Together, and no mark adds or takes away a character."""
    name, make = ("hedges", cue) if are_hedges else ("citations", cited)
    marks = {name: tuple(make(*at) for at in places)}
    claim = replace(CLAIM, content=text, **marks)
    assert "".join(one.text for one in highlighted_spans(claim)) == text
    excerpt = replace(EXCERPT, excerpt=text, content_chars=len(text), **marks)
    short = "".join(one.text for one in highlighted_excerpt(excerpt, 10))
    assert short == (text if len(text) <= 10 else f"{text[:10]}…")
    cut = replace(excerpt, content_chars=len(text) + 1)
    assert "".join(one.text for one in highlighted_excerpt(cut)) == f"{text}…"


def test_many_marks_take_no_time():
    """A hundred thousand of them, of which each is looked at once: the square of it would be hours."""
    hedges = tuple(cue(at, at + 3) for at in range(0, 400_000, 4))
    found = highlighted_spans(replace(CLAIM, content="may " * 100_000, hedges=hedges))
    assert sum(one.hedge is not None for one in found) == 100_000


def test_check_rows():
    """Names with what they mean, and what they are about; a name that nobody knows has no meaning."""
    rows = list(check_rows(("hedge_words_detected: may, might", "ungrounded", "new_check: x: y")))
    assert [(row.name, row.detail, bool(row.meaning)) for row in rows] == [
        ("hedge_words_detected", "may, might", True),
        ("ungrounded", "", True),
        ("new_check", "x: y", False),
    ]
