"""Claims of answers against the passages that they cite, as experts judged them."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from measured import LAYERS, RIVALS, Scores, is_reported, validated
from plain import without_citations
from ranking import Ranking, areas, gain
from sets import Claim, read_claims

from groundwire.faithfulness import PreparedSources

__all__ = ["judged_tables"]


def judged_tables(folder: Path) -> Iterator[str]:
    """Yield the lines of the table."""
    claims = [claim for claim in read_claims(folder) if claim.results and claim.has_passage]
    scores = [_scores(claim) for claim in claims]
    ranking = Ranking.of([claim.support == "Complete" for claim in claims], [claim.question for claim in claims])
    reported = np.asarray([is_reported(str(claim.question)) for claim in claims])
    columns = {"all layers": [each.combined for each in scores]}
    columns |= {f"layer: {name}": [each.layers[name] for each in scores] for name in LAYERS}
    columns |= {name: [each.rivals[name] for each in scores] for name in RIVALS}
    plain = columns["containment"]
    good = ranking.is_good
    yield f"| AUROC | all: {good.sum()} of {len(claims)} Complete | gain on containment | held-out questions | gain |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for name, column in columns.items():
        cells = []
        for kept in (reported | True, reported):
            cells += [
                str(areas(ranking, column, kept)),
                "" if column is plain else str(gain(ranking, column, plain, kept)),
            ]
        yield f"| {name} | {' | '.join(cells)} |"


def _scores(claim: Claim) -> Scores:
    passages = [(str(place), result["content"]) for place, result in enumerate(claim.results)]
    text = " ".join(without_citations(claim.text).split())
    return validated(text, PreparedSources(passages), "\n".join(content for _, content in passages))
