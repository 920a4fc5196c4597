"""What the layers say of claims that a person made, of edits of them, and of facts on the person."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from measured import LAYERS, RIVALS, Scores, scores_of
from planted import Edit, Planted, planted_claims, read_interview

from groundwire.calibration import Rate
from groundwire.calibration.measures import area_under_curve
from groundwire.faithfulness import FaithfulnessValidator, PreparedSources
from groundwire.support_score import SUPPORTED_FROM

__all__ = ["OTHER_FACTS", "fact_tables", "planted_tables"]

_EDITS = (Edit.NUMBER, Edit.NEGATION, Edit.NAME, Edit.INVENTED)
# Another value of the same field, of which the interview says nothing.
OTHER_FACTS = {
    "first_name": "Marek",
    "last_name": "Okafor",
    "age": 47,
    "sex": "Female",
    "ethnicity": "Norwegian",
    "city": "Milwaukee",
    "state": "WI",
    "party_identification": "Strong republican",
    "residence_at_16": "Brazil",
    "marital_status": "Divorced",
    "work_status": "Retired",
    "religion": "Buddhist",
    "highest_degree_received": "High school",
    "total_wealth": "$5,000,000",
}


def planted_tables(folder: Path) -> Iterator[str]:
    """Yield the lines of two tables: how many edits are found, and how well each measure ranks."""
    interview = read_interview(folder)
    planted = planted_claims(interview)
    sources = PreparedSources([("interview", interview.text)])
    validator = FaithfulnessValidator(policies={"first_name": "synthetic"})
    persona = {"first_name": interview.speaker, "facts": [each.text for each in planted]}
    by_path = scores_of(validator.validate(persona=persona, source_data=sources), interview.text)
    scores = [by_path[f"facts[{place}]#0"] for place in range(len(planted))]
    yield "| claims | supported | contradicted |"
    yield "| --- | ---: | ---: |"
    for edit in Edit:
        chosen = [score for each, score in zip(planted, scores, strict=True) if each.edit is edit]
        supported = sum(score.combined >= SUPPORTED_FROM for score in chosen)
        contradicted = sum(score.is_contradicted for score in chosen)
        yield f"| {edit} | {Rate(supported, len(chosen))} | {Rate(contradicted, len(chosen))} |"
    yield ""
    yield "AUROC, untouched claims against each kind of edit:"
    yield ""
    yield f"| measure | {' | '.join(_EDITS)} | all |"
    yield f"| --- |{' ---: |' * (len(_EDITS) + 1)}"
    for name, column in _columns(scores).items():
        yield f"| {name} | {' | '.join(_areas(planted, column))} |"


def _columns(scores: Sequence[Scores]) -> Mapping[str, list[float]]:
    columns = {f"layer: {name}": [each.layers[name] for each in scores] for name in LAYERS}
    columns["all layers"] = [each.combined for each in scores]
    return columns | {name: [each.rivals[name] for each in scores] for name in RIVALS}


def _areas(planted: Sequence[Planted], column: Sequence[float]) -> Iterator[str]:
    values = np.asarray(column)
    edits = np.asarray([str(each.edit) for each in planted])
    untouched = edits == Edit.NONE
    for kept in (*(edits == edit for edit in _EDITS), ~untouched):
        chosen = untouched | kept
        yield f"{area_under_curve(values[chosen], untouched[chosen]):.3f}"


def fact_tables(folder: Path) -> Iterator[str]:
    """Yield the lines of the table: facts as they are, and with other values."""
    interview = read_interview(folder)
    sources = PreparedSources([("interview", interview.text)])
    yield "| facts | supported | weak | contradicted |"
    yield "| --- | ---: | ---: | ---: |"
    for name, facts in (
        ("as people told them in a questionnaire", interview.facts),
        ("of these, those that are changed below", {key: interview.facts[key] for key in OTHER_FACTS}),
        ("with another value", OTHER_FACTS),
    ):
        result = FaithfulnessValidator().validate(persona=facts, source_data=sources)
        contradicted = sum(each.contradicted for each in result.claim_details)
        cells = (result.supported_claims, result.rates.weak_claims, contradicted)
        yield f"| {name} | {' | '.join(f'{cell} of {result.total_claims}' for cell in cells)} |"
