"""
Provides Pydantic types for structured output: quotes that a source contains, and claims that citations support.

    from groundwire.pydantic import GroundedQuote

    class Theme(BaseModel):
        name: str
        quotes: list[GroundedQuote]

    Theme.model_validate_json(output, context={"source": transcript})

It needs the extra `pydantic`. A quote that the source does not contain fails validation. The error says what the
source has instead, so a framework that asks the model again, such as pydantic-ai or instructor, gets a better answer.
The error therefore quotes the source; do not log it where the source is private. The source comes from the validation
context, or from `GroundedIn` in an annotation.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

try:
    from pydantic import (
        BaseModel,
        ConfigDict,
        Field,
        GetCoreSchemaHandler,
        ModelWrapValidatorHandler,
        PrivateAttr,
        ValidationInfo,
        model_validator,
    )
    from pydantic_core import CoreSchema, PydanticCustomError, core_schema
except ImportError as error:
    raise ImportError(f"these types need {error.name}: pip install 'groundwire[pydantic]'", name=error.name) from error

from groundwire.citations.assessment import assess_claim, check_settings, passages_of
from groundwire.citations.explanations import explain_finding
from groundwire.citations.report import CitedClaimStatus, ClaimRecord
from groundwire.evidence.assessment import assess_quotes
from groundwire.evidence.explanations import correction
from groundwire.evidence.verdicts import Quote, QuotePolicy, QuoteVerdict
from groundwire.sanitize import one_line
from groundwire.search_results import read_results

if TYPE_CHECKING:
    from groundwire import Document, Source, Sources, Transcript
    from groundwire.citations import RiskThresholds
    from groundwire.search_results import SearchResults

__all__ = ["CitableResults", "GroundedClaim", "GroundedIn", "GroundedQuote"]


class GroundedIn:
    """
    Binds a field to a source: `Annotated[GroundedQuote, GroundedIn(source)]`, or `Annotated[str, GroundedIn(source)]`.

    A `str` field stays a str and fails validation if the source does not contain it.

    Args:
        source: A text, or another source of `groundwire.evidence.assess_quotes`. None takes `source` from the
            validation context.
        policy: Rules of acceptance. None takes `policy` from the validation context, or the default.

    Raises:
        TypeError, ValueError: An argument has the wrong type, or the policy does not fit the source.
    """

    __slots__ = ("_policy", "_source")

    def __init__(
        self,
        source: "str | Source | Transcript | Document | Sources | None" = None,
        *,
        policy: QuotePolicy | None = None,
    ) -> None:
        if source is not None or policy is not None:
            # Reports wrong arguments now, not at the first quote.
            assess_quotes([], "" if source is None else source, policy=policy)
        self._source = source
        self._policy = policy

    def __get_pydantic_core_schema__(self, source_type: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of the field with a check behind it."""
        if isinstance(source_type, type) and issubclass(source_type, GroundedQuote):
            return handler(
                type(source_type.__name__, (source_type,), {"grounded_in": self, "__doc__": source_type.__doc__})
            )
        if source_type is not str:
            raise TypeError("GroundedIn is for fields of type str or GroundedQuote")
        return core_schema.with_info_after_validator_function(self._check_text, handler(source_type))

    def check(self, quote: Quote, info: ValidationInfo) -> QuoteVerdict:
        """
        Return the verdict on a quote that is accepted.

        Raises:
            PydanticCustomError: It is not. The message says what the source has instead.
            TypeError: There is no source.
        """
        context = info.context if isinstance(info.context, Mapping) else {}
        source = self._source if self._source is not None else context.get("source")
        if source is None:
            raise TypeError('there is no source: validate with context={"source": ...}, or bind one by GroundedIn')
        policy = self._policy if self._policy is not None else context.get("policy")
        [verdict] = assess_quotes([quote], source, policy=policy)
        if not verdict.accepted:
            raise PydanticCustomError(
                "quote_not_grounded",
                "{explanation}",
                {"explanation": correction(verdict, policy=policy, cited=quote.source), "status": verdict.status.value},
            )
        return verdict

    def _check_text(self, text: str, info: ValidationInfo) -> str:
        self.check(Quote(text), info)
        return text


class GroundedQuote(BaseModel):
    """
    A quote that its source contains.

    Validation accepts a str, or an object with the fields below. `speaker`, `page` and `source` are checked if they are
    given; otherwise they say where the quote was found, as far as the source has such places.

    Attributes:
        text: The quote as written.
        source: Name of the source, if there are several.
        speaker: Speaker of the quote in a transcript.
        page: Page of the quote in a document, from 1.
    """

    model_config = ConfigDict(
        frozen=True, extra="forbid", json_schema_extra={"description": "A quote, copied word for word from its source."}
    )
    grounded_in: ClassVar[GroundedIn] = GroundedIn()

    text: str = Field(description="The quote, copied word for word from the source.")
    source: str | None = Field(default=None, description="The name of the source, if there are several.")
    speaker: str | None = Field(default=None, description="The speaker, if the source is a transcript.")
    page: int | None = Field(default=None, ge=1, description="The page, if the source has pages.")
    _verdict: QuoteVerdict = PrivateAttr()

    @model_validator(mode="wrap")
    @classmethod
    def _ground(cls, data: Any, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo) -> Self:
        given = handler({"text": data} if isinstance(data, str) else data)
        quote = Quote(given.text, speaker=given.speaker, source=given.source, page=given.page)
        verdict = cls.grounded_in.check(quote, info)
        grounded = given.model_copy(
            update={
                "source": given.source or verdict.source,
                "speaker": given.speaker or next(iter(verdict.speakers), None),
                "page": given.page or next(iter(verdict.pages), None),
            }
        )
        grounded._verdict = verdict
        return grounded

    @property
    def verdict(self) -> QuoteVerdict:
        """Return the verdict on the quote, with its passage, differences and reasons."""
        return self._verdict

    @property
    def span(self) -> tuple[int, int]:
        """Return start and end of the passage in the source, in code points."""
        match = self._verdict.match
        if match is None:
            raise ValueError("the quote was accepted without a passage")
        return match.start, match.end

    @property
    def passage(self) -> str:
        """Return the words of the source."""
        match = self._verdict.match
        return self.text if match is None else match.text


class CitableResults:
    """
    Holds search results that claims may cite, prepared once for many claims.

    Args:
        results, settings: See `groundwire.citations.assess_citations`.

    Raises:
        TypeError: See `groundwire.citations.assess_citations`.
    """

    __slots__ = ("_passages", "_results", "_settings")

    def __init__(self, results: "SearchResults", *, settings: "RiskThresholds | None" = None) -> None:
        self._results = read_results(results)
        self._passages = passages_of(self._results)
        self._settings = check_settings(settings)

    def check(self, text: str, ids: list[str]) -> ClaimRecord:
        """
        Return the record of a claim that its citations support.

        Raises:
            PydanticCustomError: They do not. The message says why, and which ids may be cited.
        """
        record = assess_claim(text, ids, self._results, self._passages, self._settings)
        if record.status is CitedClaimStatus.SUPPORTED and not record.invalid:
            return record
        sentences = [explain_finding(each, record, self._settings) for each in record.findings]
        if record.status is CitedClaimStatus.UNREAD:
            sentences.append("The cited results have no text, so nothing supports the claim.")
        if record.invalid or not record.valid:
            sentences.append(f"Ids that may be cited: {', '.join(map(one_line, self._results.citable()))}.")
        raise PydanticCustomError(
            "claim_not_supported",
            "{explanation}",
            {"explanation": " ".join(sentences), "status": record.status.value},
        )


class GroundedClaim(BaseModel):
    """
    A claim that the search results support which it cites.

    Validation needs `context={"results": ...}`: search results as for `groundwire.citations.assess_citations`, or
    `CitableResults` if there are many claims. A claim is accepted if its status is `supported` and each id exists.

    Attributes:
        text: The claim, without citations in brackets.
        citations: The ids of the results that support it.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_extra={"description": "A claim and the search results that support it."},
    )

    text: str = Field(description="The claim in one sentence, without citations.")
    citations: list[str] = Field(min_length=1, description="The ids of the results that support the claim.")
    _record: ClaimRecord = PrivateAttr()

    @model_validator(mode="wrap")
    @classmethod
    def _ground(cls, data: Any, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo) -> Self:
        claim = handler(data)
        results = info.context.get("results") if isinstance(info.context, Mapping) else None
        if results is None:
            raise TypeError('there are no results: validate with context={"results": ...}')
        known = results if isinstance(results, CitableResults) else CitableResults(results)
        claim._record = known.check(claim.text, claim.citations)
        return claim

    @property
    def record(self) -> ClaimRecord:
        """Return the record of the claim, with its support by the cited results."""
        return self._record
