"""
Fit the score of support, and measure it on sets that it was not fitted on.

    python benches/quality/support.py --sets FOLDER [-o docs/figures/quality.md]
    python benches/quality/support.py --sets FOLDER --fit

With --fit the coefficients go to python/groundwire/support_score.json. Otherwise every set is left out in
turn: the model is fitted on the others and measured on this one, beside plain measures. Without -o the tables go to
standard output; with it they replace those between the two marks of that page, and the reliability diagram goes to
docs/figures/. No text of the sets is written.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from measured import rivals_of
from page import write_tables
from rapidfuzz.fuzz import token_set_ratio
from support_cases import SETS, Case, read_cases

from groundwire.calibration.measures import (
    BINS,
    Bin,
    Bools,
    Floats,
    area_under_curve,
    bins,
    calibration_error,
    even_weights,
)
from groundwire.calibration.regression import Model, Sample, fit
from groundwire.language import read_passages
from groundwire.support_score import FEATURES, SupportScore, features_of

ROOT = Path(__file__).resolve().parents[2]
SCORE = ROOT / "python/groundwire/support_score.json"
FIGURE = ROOT / "docs/figures/support-reliability.svg"
POOLED = "all sets together"
RIVALS = ("containment", "longest common row", "partial ratio", "token set ratio")
SOURCES = {
    "WiCE": "ODC-BY, CC BY-SA",
    "Q²": "Apache-2.0, MIT",
    "Factcheck-GPT": "Apache-2.0",
    "Breaking NLI": "CC BY-SA",
    "ExpertQA": "MIT; the open half",
    "SummEdits": "Apache-2.0; the open half",
}


class Measured(NamedTuple):
    """
    A set, read.

    Attributes:
        features: Of each sentence of each case, of the passage that has most of it.
        case: The case of each of these rows.
        rivals: What plain measures say of each case.
    """

    features: Floats
    case: np.ndarray
    is_supported: Bools
    is_open: Bools
    rivals: dict[str, Floats]

    def worst(self, scores: Floats) -> Floats:
        """A case is as good as its worst sentence."""
        least = np.full(len(self.is_supported), np.inf)
        np.minimum.at(least, self.case, scores)
        return least

    def sample(self) -> Sample:
        """The rows that may be fitted on."""
        kept = self.is_open[self.case]
        return Sample(self.features[kept], self.is_supported[self.case][kept])


@cache
def measured(folder: Path) -> dict[str, Measured]:
    """Return the sets of *folder*, by name."""
    return {name: _measured(cases) for name, cases in read_cases(folder).items()}


def _measured(cases: Sequence[Case]) -> Measured:
    features, places = [], []
    rivals: dict[str, list[float]] = {name: [] for name in RIVALS}
    for place, case in enumerate(cases):
        rows = read_passages(list(case.passages)).support(case.claims)
        for row in rows:
            features.append(
                max((features_of(each) for each in row if each is not None), default=(0.0,) * len(FEATURES))
            )
            places.append(place)
        for name, score in _rivals(case).items():
            rivals[name].append(score)
    flags = [
        np.asarray([getattr(case, name) for case in cases], dtype=np.bool_) for name in ("is_supported", "is_open")
    ]
    columns = {name: np.asarray(column) for name, column in rivals.items()}
    return Measured(np.asarray(features), np.asarray(places), *flags, columns)


def _rivals(case: Case) -> dict[str, float]:
    """What plain measures say of the whole text and all passages, or of the worst sentence and the best passage."""
    source = "\n".join(case.passages)
    plain = [rivals_of(claim, source) for claim in case.claims]
    least = {name: min((each[name] for each in plain), default=0.0) for name in RIVALS[:-1]}
    ratios = [token_set_ratio(claim.lower(), source.lower()) / 100 for claim in case.claims]
    return least | {RIVALS[-1]: min(ratios, default=0.0)}


def left_out(sets: dict[str, Measured]) -> dict[str, Model]:
    """Return for each set the model of all others."""
    return {name: fit({other: each.sample() for other, each in sets.items() if other != name}) for name in sets}


def area_tables(folder: Path) -> Iterator[str]:
    """Yield how well each measure ranks each set, the score fitted on the others."""
    sets = measured(folder)
    models = left_out(sets)
    columns: dict[str, Callable[[str], Floats]] = {
        name: (lambda rival: lambda name: sets[name].rivals[rival])(name) for name in RIVALS
    }
    columns["support, this set left out"] = lambda name: sets[name].worst(models[name].log_odds(sets[name].features))
    shipped = fit({name: each.sample() for name, each in sets.items()})
    columns["support, as shipped"] = lambda name: sets[name].worst(shipped.log_odds(sets[name].features))
    yield f"| AUROC | {' | '.join(sets)} | mean |"
    yield f"| --- |{' ---: |' * (len(sets) + 1)}"
    cases = " | ".join(f"{each.is_supported.sum()} of {len(each.is_supported)}" for each in sets.values())
    yield f"| supported | {cases} | |"
    for title, scores in columns.items():
        found = [area_under_curve(scores(name), each.is_supported) for name, each in sets.items()]
        yield f"| {title} | {' | '.join(f'{area:.3f}' for area in [*found, float(np.mean(found))])} |"


def model_tables(folder: Path) -> Iterator[str]:
    """Yield the coefficients, of all sets and of each model that leaves one out."""
    sets = measured(folder)
    shipped = fit({name: each.sample() for name, each in sets.items()})
    models = left_out(sets)
    yield "| feature | coefficient | with a set left out |"
    yield "| --- | ---: | ---: |"
    for name in FEATURES:
        values = [model.coefficients[name] for model in models.values()]
        yield f"| {name} | {shipped.coefficients[name]:.2f} | {min(values):.2f} to {max(values):.2f} |"
    intercepts = [model.intercept for model in models.values()]
    yield f"| intercept | {shipped.intercept:.2f} | {min(intercepts):.2f} to {max(intercepts):.2f} |"


def _left_out_bins(folder: Path) -> dict[str, list[Bin]]:
    sets = measured(folder)
    models = left_out(sets)
    columns = {}
    for name, each in sets.items():
        odds = each.worst(models[name].log_odds(each.features))
        columns[name] = (1 / (1 + np.exp(-odds)), each.is_supported, even_weights(each.is_supported))
    columns[POOLED] = tuple(np.concatenate(part) for part in zip(*columns.values(), strict=True))
    return {name: bins(*column) for name, column in columns.items()}


def reliability_tables(folder: Path) -> Iterator[str]:
    """Yield how far probabilities are off, on sets that were left out, and draw it."""
    found = _left_out_bins(folder)
    _draw(found)
    yield f"| | {' | '.join(found)} |"
    yield f"| --- |{' ---: |' * len(found)}"
    yield f"| expected calibration error | {' | '.join(f'{calibration_error(each):.3f}' for each in found.values())} |"
    yield ""
    yield "| score | supported | cases |"
    yield "| --- | ---: | ---: |"
    pooled = found[POOLED]
    total = sum(each.weight for each in pooled)
    for each in pooled:
        low = int(each.probability * BINS) / BINS
        yield f"| {low:.1f}–{low + 1 / BINS:.1f} | {each.share:.3f} | {100 * each.weight / total:.1f} % |"


def _draw(found: dict[str, list[Bin]]) -> None:
    sys.path.append(str(ROOT / "benches"))
    from drawing import draw_reliability

    points = {name: [(each.probability, each.share) for each in line] for name, line in found.items()}
    draw_reliability(points, POOLED, "python benches/quality/support.py, every set left out in turn", FIGURE)


def write_model(folder: Path) -> None:
    """Fit on all that may be fitted on, and write what the package reads."""
    sets = measured(folder)
    model = fit({name: each.sample() for name, each in sets.items()})
    SupportScore(
        "shipped",
        round(model.intercept, 4),
        tuple(round(model.coefficients[name], 4) for name in FEATURES),
        "python benches/quality/support.py --fit",
        tuple((f"{name} ({SETS[name]})", SOURCES[name]) for name in sets),
    ).save(SCORE)


def main() -> None:
    """Fit, or measure and print."""
    if "--fit" in sys.argv[1:]:
        parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("--sets", type=Path, required=True, metavar="FOLDER", help="where the labelled sets are")
        parser.add_argument("--fit", action="store_true", help="write the coefficients that the package reads")
        write_model(parser.parse_args().sets)
        return
    sections = (
        ("Areas, every set left out in turn", area_tables),
        ("Coefficients", model_tables),
        ("Reliability on sets left out", reliability_tables),
    )
    write_tables("support.py", __doc__, sections, None)


if __name__ == "__main__":
    main()
