"""Statements of summaries against their documents, with one threshold."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from measured import LAYERS, RIVALS, Scores, is_reported, validated
from ranking import Ranking, areas
from sets import Summary, read_summaries

from groundwire.calibration import Rate
from groundwire.calibration.measures import Bools, Floats
from groundwire.faithfulness import PreparedSources
from groundwire.support_score import WEAK_FROM

__all__ = ["summary_tables"]

_PUBLISHED = (("SummaC (published)", 0.571), ("QAFactEval (published)", 0.655))
"""Overall balanced accuracy on all ten domains of the set: Laban et al. 2023, SummEdits, table 2."""


class _Measure(NamedTuple):
    name: str
    values: Floats
    cut: float


def summary_tables(folder: Path) -> Iterator[str]:
    """Yield the lines of the table, of the documents that are reported."""
    summaries = read_summaries(folder)
    sources = {each.document: PreparedSources(each.document) for each in summaries}
    scores = [validated(each.text, sources[each.document], each.document) for each in summaries]
    reported = np.asarray([is_reported(each.name) for each in summaries])
    ranking = Ranking.of([each.is_consistent for each in summaries], [each.number for each in summaries])
    measures = list(_measures(scores, ranking, ~reported))
    domains = sorted({each.domain for each in summaries})
    yield f"| measure | cut | {' | '.join(domains)} | all | AUROC |"
    yield f"| --- | ---: |{' ---: |' * (len(domains) + 2)}"
    for measure in measures:
        cells = [_balance(measure, ranking, reported & _of(summaries, domain)) for domain in domains]
        area = areas(ranking, measure.values.tolist(), reported)
        balance = _balance(measure, ranking, reported)
        yield f"| {measure.name} | {measure.cut:.2f} | {' | '.join(cells)} | {balance} | {area} |"
    for name, balance in _PUBLISHED:
        yield f"| {name} | |{' |' * len(domains)} {balance:.3f} | |"
    yield ""
    found = np.asarray([each.is_contradicted for each in scores])[reported]
    wrong = ~ranking.is_good[reported]
    right = int((found & wrong).sum())
    yield f"{reported.sum()} of {len(summaries)} summaries; contradictions there:"
    yield f"precision {Rate(right, int(found.sum()))}, recall {Rate(right, int(wrong.sum()))}."


def _measures(scores: list[Scores], ranking: Ranking, seen: Bools) -> Iterator[_Measure]:
    """Ours with the threshold of the package, each rival with the best one of the half that was looked at."""
    yield _Measure("all layers", np.asarray([each.combined for each in scores]), WEAK_FROM)
    for name in LAYERS:
        values = np.asarray([each.layers[name] for each in scores])
        yield _Measure(f"layer: {name}", values, _best_cut(values, ranking, seen))
    for name in RIVALS:
        values = np.asarray([each.rivals[name] for each in scores])
        yield _Measure(name, values, _best_cut(values, ranking, seen))


def _best_cut(values: Floats, ranking: Ranking, seen: Bools) -> float:
    cuts = np.unique(values[seen])
    return float(max(cuts, key=lambda cut: _balanced(values[seen] >= cut, ranking.is_good[seen])))


def _balance(measure: _Measure, ranking: Ranking, kept: Bools) -> str:
    return f"{_balanced(measure.values[kept] >= measure.cut, ranking.is_good[kept]):.3f}" if kept.any() else "–"


def _balanced(said: Bools, is_good: Bools) -> float:
    return float((said[is_good].mean() + (~said[~is_good]).mean()) / 2)


def _of(summaries: list[Summary], domain: str) -> Bools:
    return np.asarray([each.domain == domain for each in summaries])
