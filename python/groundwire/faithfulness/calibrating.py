"""From labelled claims to what cosines of an embedder are worth."""

from collections.abc import Callable, Sequence
from statistics import median
from typing import TYPE_CHECKING

from groundwire.calibration.curve import COSINES, Calibration, calibrate
from groundwire.calibration.pairs import LabelledPairs
from groundwire.faithfulness.claims import Claim, ClaimKind
from groundwire.faithfulness.prepared import Part, parts_of
from groundwire.faithfulness.scales import RelatednessScale
from groundwire.faithfulness.sources.reading import SourceData
from groundwire.faithfulness.support.relatedness import Relatedness
from groundwire.faithfulness.support.topic import Topic

if TYPE_CHECKING:
    from groundwire.embedding.protocol import Embedder

__all__ = ["calibrate_claims", "pair_cosines", "scale_of"]

_LEAST_STEP = 0.01


def pair_cosines(
    pairs: LabelledPairs, embedder: "Embedder", *, on_progress: Callable[[int], None] = lambda _: None
) -> list[float]:
    """
    Return for each claim the highest threshold at which its context supports it by relatedness.

    That is the best cosine of its windows, those left out in which a number, a name or a
    denial differs; 0.0 if nothing is left.

    Args:
        pairs: Claims as statements, and their contexts.
        embedder: Who makes vectors.
        on_progress: Called with the number of claims just done.

    Raises:
        EmbeddingError: There are none.
        SourceDataError: A context cannot be read.
    """
    relatedness = Relatedness(embedder)
    topics = [Topic(_statement(text)) for text in pairs.quotes]
    vectors = relatedness.claim_vectors(topics)
    cosines = [0.0] * len(topics)
    for place, context in enumerate(pairs.sources):
        members = [number for number, at in enumerate(pairs.at) if at == place]
        for part in _parts(context):
            found = relatedness.best_cosines(part, [topics[number] for number in members], vectors)
            for number, cosine in zip(members, found, strict=True):
                cosines[number] = max(cosines[number], cosine)
        on_progress(len(members))
    return cosines


def calibrate_claims(
    cosines: Sequence[float], labels: Sequence[bool], name: str, max_false_accept: float
) -> Calibration:
    """Return the errors of taking claims for supported from each cosine on, from 0.00 to 0.99."""
    policy = f"relatedness by {name}"
    return calibrate(
        cosines, labels, policy=policy, max_false_accept=max_false_accept, what="claim", thresholds=COSINES
    )


def scale_of(
    calibration: Calibration, cosines: Sequence[float], labels: Sequence[bool], name: str
) -> RelatednessScale | None:
    """
    Return the scale that comes out of a calibration: its recommendation becomes 0.6.

    None if there is no recommendation.
    """
    point = calibration.recommended
    if point is None:
        return None
    unrelated = median(cosine for cosine, label in zip(cosines, labels, strict=True) if not label)
    # Below the threshold, however few pairs there are.
    unrelated = round(min(unrelated, point.threshold - _LEAST_STEP), 4)
    return RelatednessScale(name, point.threshold, unrelated, point.false_accepts, point.false_rejects)


def _statement(text: str) -> Claim:
    return Claim(text, "claim", text, ClaimKind.STATEMENT, "")


def _parts(context: str) -> list[Part]:
    return list(parts_of(SourceData([("context", context)]).units()))
