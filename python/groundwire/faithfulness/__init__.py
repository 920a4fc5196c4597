"""
What a persona claims, and whether the research behind it says so.

Names are imported when they are first touched (PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.errors import HHEMError, HHEMMissingError, ModelError, PersonaError, SourceDataError
    from groundwire.faithfulness.claims import Claim, ClaimExtractor, ClaimKind
    from groundwire.faithfulness.hhem.classifier import HHEMClassifier
    from groundwire.faithfulness.judging import JudgedStatements, JudgeScorer
    from groundwire.faithfulness.levels import ClaimStatus, Rates, SupportLevel, rates_of, status_of
    from groundwire.faithfulness.models import PairScorer
    from groundwire.faithfulness.personas import read_personas
    from groundwire.faithfulness.policies import (
        COMPOSITE_POLICIES,
        DEFAULT_POLICIES,
        FieldPolicies,
        FieldPolicy,
        read_policies,
    )
    from groundwire.faithfulness.prepared import PreparedSources
    from groundwire.faithfulness.results import ClaimResult, FaithfulnessResult
    from groundwire.faithfulness.sources.columns import ColumnSummary
    from groundwire.faithfulness.sources.reading import SourceData
    from groundwire.faithfulness.sources.units import Field, Locator, Unit
    from groundwire.faithfulness.statements import StatementReader, Statements
    from groundwire.faithfulness.support.evidence import Evidence, Layer, MatchKind
    from groundwire.faithfulness.support.source_index import SourceIndex
    from groundwire.faithfulness.support.values import ValueIndex
    from groundwire.faithfulness.support.verbatim import VerbatimIndex
    from groundwire.faithfulness.validator import FaithfulnessValidator

__all__ = [
    "COMPOSITE_POLICIES",
    "DEFAULT_POLICIES",
    "Claim",
    "ClaimExtractor",
    "ClaimKind",
    "ClaimResult",
    "ClaimStatus",
    "ColumnSummary",
    "Evidence",
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
    "PersonaError",
    "PreparedSources",
    "Rates",
    "SourceData",
    "SourceDataError",
    "SourceIndex",
    "StatementReader",
    "Statements",
    "SupportLevel",
    "Unit",
    "ValueIndex",
    "VerbatimIndex",
    "rates_of",
    "read_personas",
    "read_policies",
    "status_of",
]

_HOMES = {
    "COMPOSITE_POLICIES": "groundwire.faithfulness.policies",
    "DEFAULT_POLICIES": "groundwire.faithfulness.policies",
    "Claim": "groundwire.faithfulness.claims",
    "ClaimExtractor": "groundwire.faithfulness.claims",
    "ClaimKind": "groundwire.faithfulness.claims",
    "ClaimResult": "groundwire.faithfulness.results",
    "ClaimStatus": "groundwire.faithfulness.levels",
    "ColumnSummary": "groundwire.faithfulness.sources.columns",
    "Evidence": "groundwire.faithfulness.support.evidence",
    "FaithfulnessResult": "groundwire.faithfulness.results",
    "FaithfulnessValidator": "groundwire.faithfulness.validator",
    "Field": "groundwire.faithfulness.sources.units",
    "FieldPolicies": "groundwire.faithfulness.policies",
    "FieldPolicy": "groundwire.faithfulness.policies",
    "HHEMClassifier": "groundwire.faithfulness.hhem.classifier",
    "HHEMError": "groundwire.errors",
    "HHEMMissingError": "groundwire.errors",
    "JudgeScorer": "groundwire.faithfulness.judging",
    "JudgedStatements": "groundwire.faithfulness.judging",
    "Layer": "groundwire.faithfulness.support.evidence",
    "Locator": "groundwire.faithfulness.sources.units",
    "MatchKind": "groundwire.faithfulness.support.evidence",
    "ModelError": "groundwire.errors",
    "PairScorer": "groundwire.faithfulness.models",
    "PersonaError": "groundwire.errors",
    "PreparedSources": "groundwire.faithfulness.prepared",
    "Rates": "groundwire.faithfulness.levels",
    "SourceIndex": "groundwire.faithfulness.support.source_index",
    "SourceData": "groundwire.faithfulness.sources.reading",
    "SourceDataError": "groundwire.errors",
    "StatementReader": "groundwire.faithfulness.statements",
    "Statements": "groundwire.faithfulness.statements",
    "SupportLevel": "groundwire.faithfulness.levels",
    "Unit": "groundwire.faithfulness.sources.units",
    "ValueIndex": "groundwire.faithfulness.support.values",
    "VerbatimIndex": "groundwire.faithfulness.support.verbatim",
    "rates_of": "groundwire.faithfulness.levels",
    "read_personas": "groundwire.faithfulness.personas",
    "read_policies": "groundwire.faithfulness.policies",
    "status_of": "groundwire.faithfulness.levels",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
