"""
Checks the claims of personas against the research behind them.

`personas` reads personas, `claims` and `statements` split them into claims, and `fields` decides which fields are
checked. `source_data/` splits research into units, and `search` runs the rule layers of `support/` over them. `models`
adds embedders, classifiers and language models (`hhem` is one of them, `calibration` scales the cosines of embedders).
`validator` combines all of this, and `results` holds levels and rates. Names are imported on first use (PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.errors import HHEMError, HHEMMissingError, ModelError, PersonaError, SourceDataError
    from groundwire.faithfulness.claims import ClaimExtractor, ClaimKind, PersonaClaim
    from groundwire.faithfulness.fields import (
        COMPOSITE_POLICIES,
        DEFAULT_POLICIES,
        FieldPolicies,
        FieldPolicy,
        read_policies,
    )
    from groundwire.faithfulness.hhem import HHEMClassifier
    from groundwire.faithfulness.models import JudgedStatements, JudgeScorer
    from groundwire.faithfulness.personas import read_personas
    from groundwire.faithfulness.results import (
        ClaimResult,
        ClaimStatus,
        FaithfulnessResult,
        Rates,
        SupportLevel,
        rates_of,
    )
    from groundwire.faithfulness.search import PreparedSources
    from groundwire.faithfulness.source_data.reading import SourceData
    from groundwire.faithfulness.source_data.units import Field, Locator, Unit
    from groundwire.faithfulness.support.evidence import Layer, MatchKind, SupportEvidence
    from groundwire.faithfulness.support.source_index import SourceIndex
    from groundwire.faithfulness.support.values import ValueIndex
    from groundwire.faithfulness.support.verbatim import VerbatimIndex
    from groundwire.faithfulness.validator import FaithfulnessValidator
    from groundwire.pair_scorer import PairScorer

__all__ = [
    "COMPOSITE_POLICIES",
    "DEFAULT_POLICIES",
    "ClaimExtractor",
    "ClaimKind",
    "ClaimResult",
    "ClaimStatus",
    "FaithfulnessResult",
    "FaithfulnessValidator",
    "Field",
    "FieldPolicies",
    "FieldPolicy",
    "HHEMClassifier",
    "HHEMError",
    "HHEMMissingError",
    "JudgeScorer",
    "JudgedStatements",
    "Layer",
    "Locator",
    "MatchKind",
    "ModelError",
    "PairScorer",
    "PersonaClaim",
    "PersonaError",
    "PreparedSources",
    "Rates",
    "SourceData",
    "SourceDataError",
    "SourceIndex",
    "SupportEvidence",
    "SupportLevel",
    "Unit",
    "ValueIndex",
    "VerbatimIndex",
    "rates_of",
    "read_personas",
    "read_policies",
]

_NAMES_OF = {
    "groundwire.errors": "HHEMError HHEMMissingError ModelError PersonaError SourceDataError",
    "groundwire.faithfulness.claims": "PersonaClaim ClaimExtractor ClaimKind",
    "groundwire.faithfulness.fields": "COMPOSITE_POLICIES DEFAULT_POLICIES FieldPolicies FieldPolicy read_policies",
    "groundwire.faithfulness.hhem": "HHEMClassifier",
    "groundwire.faithfulness.models": "JudgeScorer JudgedStatements",
    "groundwire.pair_scorer": "PairScorer",
    "groundwire.faithfulness.personas": "read_personas",
    "groundwire.faithfulness.search": "PreparedSources",
    "groundwire.faithfulness.results": "ClaimResult ClaimStatus FaithfulnessResult Rates SupportLevel rates_of",
    "groundwire.faithfulness.source_data.reading": "SourceData",
    "groundwire.faithfulness.source_data.units": "Field Locator Unit",
    "groundwire.faithfulness.support.evidence": "SupportEvidence Layer MatchKind",
    "groundwire.faithfulness.support.source_index": "SourceIndex",
    "groundwire.faithfulness.support.values": "ValueIndex",
    "groundwire.faithfulness.support.verbatim": "VerbatimIndex",
    "groundwire.faithfulness.validator": "FaithfulnessValidator",
}
_HOMES = {name: home for home, names in _NAMES_OF.items() for name in names.split()}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
