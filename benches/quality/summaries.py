"""Support and contradictions, on summaries with one edit."""

from collections.abc import Iterator
from pathlib import Path

from plain import containment
from ranking import Ranking, areas, balanced_accuracy, gain
from sets import Summary, read_summaries

from groundwire._engine import sentences
from groundwire.calibration import Rate
from groundwire.citations.support import Passages, Support

__all__ = ["summary_tables"]


def _supports(summaries: list[Summary]) -> list[list[Support]]:
    """What the document has of each sentence of each summary."""
    prepared = {summary.document: Passages([summary.document]) for summary in summaries}
    return [
        prepared[summary.document].support([summary.text[start:end] for start, end in sentences(summary.text)])
        for summary in summaries
    ]


def _least(supports: list[Support]) -> float:
    """A summary is as well supported as its worst sentence."""
    return min((support.scores[0] or 0.0 for support in supports), default=0.0)


def summary_tables(folder: Path) -> Iterator[str]:
    """Yield the lines of the table."""
    summaries = read_summaries(folder)
    ranking = Ranking.of([summary.is_consistent for summary in summaries], [summary.number for summary in summaries])
    supports = _supports(summaries)
    plain = [containment(summary.text, [summary.document]) for summary in summaries]
    scores = [_least(sentences) for sentences in supports]
    yield "| measure | AUROC | balanced accuracy |"
    yield "| --- | ---: | ---: |"
    yield f"| containment | {areas(ranking, plain)} | {balanced_accuracy(ranking, plain):.3f} |"
    yield f"| support, worst sentence | {areas(ranking, scores)} | {balanced_accuracy(ranking, scores):.3f} |"
    yield f"| gain | {gain(ranking, scores, plain)} | |"
    yield ""
    found = [any(support.contradictions[0] for support in sentences) for sentences in supports]
    wrong = [not summary.is_consistent for summary in summaries]
    right = sum(one and other for one, other in zip(found, wrong, strict=True))
    yield f"Contradictions: precision {Rate(right, sum(found))}, recall {Rate(right, sum(wrong))}."
