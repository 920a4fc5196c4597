"""A judge's own quotes are checked like anybody's (ruling B12)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from groundwire.evidence import assess_quotes
from groundwire.judge.passages import read_passages
from groundwire.judgement import Issue, Judgement
from groundwire.sources import Sources

__all__ = ["ground_issues"]


def ground_issues(judgement: Judgement, results: Sequence[Mapping[str, object]]) -> Judgement:
    """
    Return *judgement* with every quote of its issues looked up in the results' texts and titles.

    An issue whose quote no result has, as the guarded verdict on quotes says, is void.
    Issues that have been looked up already, or quote nothing, stay as they are.

    Raises:
        TypeError: *results* is no sequence of mappings.
    """
    open_ = [issue for issue in judgement.issues if issue.evidence is not None and issue.grounded is None]
    if not open_:
        return judgement
    found = dict(zip(map(id, open_), _are_grounded([issue.evidence or "" for issue in open_], results), strict=True))
    looked_up = [
        replace(issue, grounded=found[id(issue)]) if id(issue) in found else issue for issue in judgement.issues
    ]
    void = tuple(issue for issue in looked_up if _is_void(issue))
    valid = tuple(issue for issue in looked_up if not _is_void(issue))
    return replace(judgement, issues=valid, void_issues=judgement.void_issues + void)


def _is_void(issue: Issue) -> bool:
    return issue.grounded is False


def _are_grounded(quotes: list[str], results: Sequence[Mapping[str, object]]) -> list[bool]:
    passages = read_passages(results)
    texts = [text for passage in passages for text in (passage.text, passage.title) if text]
    if not texts:
        return [False] * len(quotes)
    return [verdict.accepted for verdict in assess_quotes(quotes, Sources(texts))]
