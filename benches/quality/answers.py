"""The rules against people: which answers, and which claims, are not all that their sources say."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from ranking import Ranking, areas, balanced_accuracy, gain
from sets import Answer, Claim, read_answers, read_claims

from groundwire.calibration import Rate
from groundwire.citations import RiskLevel, assess_citations, detect_hallucination

__all__ = ["answer_tables", "rule_tables"]

_DOUBTFUL = ("uncited", "unsupported", "misattributed", "contradicted")


def _literal(answer: Answer) -> float:
    """The printed ratio as the printed rule takes it: one, if it is more."""
    return 1 - float(detect_hallucination(answer.text, list(answer.results))["hallucination_risk_score"])


def _coverage(answer: Answer) -> float:
    return float(assess_citations(answer.text, answer.results).citation_coverage)


def answer_tables(folder: Path) -> Iterator[str]:
    """Yield the lines of the table: literal ratio against coverage."""
    answers = read_answers(folder)
    literal, coverage = [_literal(answer) for answer in answers], [_coverage(answer) for answer in answers]
    yield "| answers are good if | so many | literal ratio | coverage | gain | balanced accuracy: literal, coverage |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    everything = np.ones(len(answers), np.bool_)
    several = np.asarray([len(answer.claims) > 1 for answer in answers])
    numbers = np.asarray([answer.question for answer in answers])
    for name, keep, is_good in (
        ("each judged claim is Complete", everything, _is_complete),
        ("… even questions", numbers % 2 == 0, _is_complete),
        ("… odd questions", numbers % 2 == 1, _is_complete),
        ("… of two judged claims or more", several, _is_complete),
        ("four of five judged claims are", everything, lambda answer: _share(answer) >= 0.8),
        ("no judged claim is Missing", everything, _has_sources),
    ):
        ranking = Ranking.of([is_good(answer) for answer in answers], [answer.question for answer in answers])
        cells = [areas(ranking, literal, keep), areas(ranking, coverage, keep), gain(ranking, coverage, literal, keep)]
        # The cut is chosen on one half of the questions and tried on the other.
        halves = [keep & ranking.half(parity) for parity in (0, 1)]
        has_both = all(half.any() for half in halves)
        balance = [
            f"{balanced_accuracy(ranking, scores, keep):.3f}" if has_both else "–" for scores in (literal, coverage)
        ]
        so_many = f"{ranking.is_good[keep].sum()} of {keep.sum()}"
        yield f"| {name} | {so_many} | {' | '.join(map(str, cells))} | {', '.join(balance)} |"


def _is_complete(answer: Answer) -> bool:
    return _share(answer) == 1


def _has_sources(answer: Answer) -> bool:
    return all(claim.support != "Missing" for claim in answer.claims)


def _share(answer: Answer) -> float:
    return sum(claim.support == "Complete" for claim in answer.claims) / len(answer.claims)


def rule_tables(folder: Path) -> Iterator[str]:
    """Yield the lines of the table: what the rules warn of, and what people did not find supported."""
    yield "| the rules warn of | precision | recall | of the others warned of |"
    yield "| --- | ---: | ---: | ---: |"
    claims = read_claims(folder)
    yield _row("a claim", _judged(claims))
    yield _row("a claim with a passage", _judged(claim for claim in claims if claim.has_passage))
    answers = read_answers(folder)
    reports = [assess_citations(answer.text, answer.results) for answer in answers]
    bad = [_share(answer) < 1 for answer in answers]
    for name, levels in (
        ("an answer: high", {RiskLevel.HIGH}),
        ("an answer: high or moderate", {RiskLevel.HIGH, RiskLevel.MODERATE}),
    ):
        yield _row(name, zip((report.level in levels for report in reports), bad, strict=True))


def _judged(claims: Iterable[Claim]) -> Iterator[tuple[bool, bool]]:
    for claim in claims:
        report = assess_citations(claim.text, claim.results)
        yield any(record.status in _DOUBTFUL for record in report.claims), claim.support != "Complete"


def _row(name: str, pairs: Iterable[tuple[bool, bool]]) -> str:
    cases = list(pairs)
    warned, bad = sum(said for said, _ in cases), sum(is_bad for _, is_bad in cases)
    right = sum(said and is_bad for said, is_bad in cases)
    return f"| {name} | {Rate(right, warned)} | {Rate(right, bad)} | {Rate(warned - right, len(cases) - bad)} |"
