"""Types for structured output: what passes, what an error says, and where the source comes from."""

from typing import Annotated

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from groundwire import Source, Sources, read_transcript
from groundwire.evidence import QuotePolicy, QuoteStatus
from groundwire.pydantic import CitableResults, GroundedClaim, GroundedIn, GroundedQuote

TEXT = "Anna: I can’t  sleep at night.\nBen: Take 15 mg of it. If needed."
RESULTS = [
    {"id": "mill", "text": "The mill sold forty loaves on Friday."},
    {"id": "anna", "text": "Anna never sleeps before a storm."},
    {"id": "scan"},
]


class Theme(BaseModel):
    """The output of a model that codes an interview."""

    quotes: list[GroundedQuote]


def refusal(quote: object, context: object) -> str:
    """Return the message of the error for a quote that is not accepted."""
    with pytest.raises(ValidationError) as failure:
        Theme.model_validate({"quotes": [quote]}, context=context)
    [error] = failure.value.errors()
    assert error["type"] == "quote_not_grounded"
    return error["msg"]


def test_a_quote_says_where_it_was_found():
    """The span, the words and the speaker are those of the source; the text is that of the model."""
    [quote] = Theme.model_validate({"quotes": ["I can't sleep"]}, context={"source": read_transcript(TEXT)}).quotes
    assert TEXT[slice(*quote.span)] == quote.passage == "I can’t  sleep"
    assert (quote.text, quote.speaker, quote.page) == ("I can't sleep", "Anna", None)
    assert quote.verdict.status is QuoteStatus.NORMALIZED


@pytest.mark.parametrize("source", [TEXT, Source(TEXT), read_transcript(TEXT), Sources({"one": TEXT, "two": "Other."})])
def test_sources_are_those_of_assess_quotes(source):
    """A text, a prepared source, a transcript or several of them."""
    [quote] = Theme.model_validate({"quotes": [{"text": "at night"}]}, context={"source": source}).quotes
    assert quote.passage == "at night"
    assert quote.source == ("one" if isinstance(source, Sources) else None)


def test_an_error_says_what_the_source_has_instead():
    """The next answer of the model can copy it."""
    message = refusal("Take 50 mg of it", {"source": TEXT})
    assert message == "The passage says 15 mg; the quote says 50 mg. The source has: “Take 15 mg of it”"


def test_a_speaker_and_a_page_are_checked():
    """Both names are claims about the source, as the words are."""
    transcript = read_transcript(TEXT)
    message = refusal({"text": "I can't sleep", "speaker": "Ben"}, {"source": transcript})
    assert message.startswith("Found, but spoken by someone else: Anna.")
    assert "has no pages" in refusal({"text": "I can't sleep", "page": 2}, {"source": transcript})


@pytest.mark.parametrize("quote", ["", "   ", "I feel hopeless", "…"])
def test_words_that_the_source_lacks_are_refused(quote):
    """An empty quote is no evidence either."""
    assert refusal(quote, {"source": TEXT})


@pytest.mark.parametrize(
    "quote", [5, None, ["at night"], {}, {"text": 5}, {"text": "at night", "page": 0}, {"text": "at night", "more": 1}]
)
def test_a_quote_of_another_shape_is_an_error_of_pydantic(quote):
    """Its own errors say what is wrong with the shape."""
    with pytest.raises(ValidationError):
        Theme.model_validate({"quotes": [quote]}, context={"source": TEXT})


@pytest.mark.parametrize("context", [None, {}, {"source": None}, "text"])
def test_validation_without_a_source_is_an_error_of_the_program(context):
    """Asking the model again would not help, so it is no ValidationError."""
    with pytest.raises(TypeError, match="there is no source"):
        Theme.model_validate({"quotes": ["at night"]}, context=context)


def test_a_field_may_be_bound_to_its_source():
    """A bound source needs no context, and each field may have another one."""

    class Report(BaseModel):
        quote: Annotated[GroundedQuote, GroundedIn(TEXT)]
        words: Annotated[str, GroundedIn(Source("Ben is here."))]

    report = Report.model_validate({"quote": "at night", "words": "Ben is here"})
    assert (report.quote.passage, report.words) == ("at night", "Ben is here")
    with pytest.raises(ValidationError) as failure:
        Report.model_validate({"quote": "Ben is here", "words": "at night"}, context={"source": "at night Ben is here"})
    assert [error["loc"] for error in failure.value.errors()] == [("quote",), ("words",)]


def test_the_policy_decides_what_is_accepted():
    """It comes with the source, or from the context."""
    policy = QuotePolicy(min_words=3)
    assert "the policy requires at least 3 words" in refusal("at night", {"source": TEXT, "policy": policy})
    bound = TypeAdapter(Annotated[str, GroundedIn(TEXT, policy=policy)])
    with pytest.raises(ValidationError, match="at least 3 words"):
        bound.validate_python("at night")


def test_the_marker_refuses_other_types_and_wrong_sources():
    """Both are errors when the model is defined, not at the first answer."""
    with pytest.raises(TypeError, match="str or GroundedQuote"):
        TypeAdapter(Annotated[int, GroundedIn(TEXT)])
    with pytest.raises(TypeError, match="source must be"):
        GroundedIn(5)


def test_a_quote_goes_out_and_in_again():
    """A validated quote is valid as JSON, with the passages that were found."""
    context = {"source": read_transcript(TEXT)}
    theme = Theme.model_validate({"quotes": ["at night"]}, context=context)
    again = Theme.model_validate_json(theme.model_dump_json(), context=context)
    assert (
        again.model_dump()
        == theme.model_dump()
        == {"quotes": [{"text": "at night", "speaker": "Anna", "source": None, "page": None}]}
    )


def test_the_schema_tells_a_model_what_to_write():
    """It describes each field, and needs only the text."""
    schema = GroundedQuote.model_json_schema()
    assert schema["description"] == "A quote, copied word for word from its source."
    assert schema["required"] == ["text"]
    assert all("description" in field for field in schema["properties"].values())


def claim(text: str, *ids: str) -> GroundedClaim:
    """Return a claim that was validated against the results."""
    return GroundedClaim.model_validate({"text": text, "citations": ids}, context={"results": RESULTS})


def test_a_claim_that_its_citations_support_passes():
    """Its record has the support, 0.0 to 1.0."""
    found = claim("The mill sold 40 loaves on Friday.", "mill")
    assert found.record.valid == ("mill",)
    assert found.record.support > 0.5


@pytest.mark.parametrize(
    ("text", "ids", "expected"),
    [
        ("The mill sold 50 loaves on Friday.", ["mill"], "The passage says “forty”; the claim says 50."),
        ("The mill sold 40 loaves on Friday.", ["anna"], "but “mill” does."),
        ("The mill sold 40 loaves on Friday.", ["mill", "nine"], "Ids that may be cited: mill, anna, scan."),
        ("The mill sold 40 loaves on Friday.", ["scan"], "The cited results have no text"),
        ("Whales sing in the Pacific Ocean.", ["mill"], "No cited passage supports it"),
    ],
)
def test_a_claim_is_refused_with_what_would_help(text, ids, expected):
    """Another value, a better source, the ids that exist."""
    with pytest.raises(ValidationError) as failure:
        claim(text, *ids)
    [error] = failure.value.errors()
    assert error["type"] == "claim_not_supported"
    assert expected in error["msg"]


def test_a_claim_needs_citations_and_results():
    """No citation is an error of the answer, no results one of the program."""
    with pytest.raises(ValidationError):
        claim("The mill sold 40 loaves on Friday.")
    with pytest.raises(TypeError, match="there are no results"):
        GroundedClaim.model_validate({"text": "So.", "citations": ["1"]})


def test_results_may_be_prepared_once():
    """The same results in both forms give the same record."""
    prepared = {"results": CitableResults(RESULTS)}
    data = {"text": "The mill sold 40 loaves on Friday.", "citations": ["mill"]}
    assert GroundedClaim.model_validate(data, context=prepared).record == claim(data["text"], "mill").record
