"""Citations in the answers of providers: each format is read, and each citation is looked up."""

from types import SimpleNamespace
from typing import Any

import pytest

from groundwire import Source, Sources, read_document
from groundwire.providers import CitedAnswer, ProviderCitationStatus, ResponseError, read_citations
from groundwire.providers.citations import STATUSES

MILL = "The mill stands by the river. It sold forty loaves on Friday."
ANNA = "Anna: I never sleep before a storm. My mother did not either."
ANSWER = "The mill sold forty loaves."


def as_object(value: object) -> object:
    """Return plain data as objects with attributes, as an SDK gives them."""
    if isinstance(value, dict):
        return SimpleNamespace(**{key: as_object(each) for key, each in value.items()})
    return [as_object(each) for each in value] if isinstance(value, list) else value


def anthropic(*citations: dict[str, Any], text: str = ANSWER) -> dict[str, Any]:
    """Return a message of Anthropic with one block that cites."""
    blocks = [{"type": "text", "text": "Bread: "}, {"type": "text", "text": text, "citations": list(citations)}]
    return {"type": "message", "role": "assistant", "content": blocks, "stop_reason": "end_turn"}


def char_location(quote: str, start: int, **fields: object) -> dict[str, Any]:
    """Return a citation of Anthropic by characters."""
    span = {"start_char_index": start, "end_char_index": start + len(quote)}
    return {"type": "char_location", "cited_text": quote, "document_index": 0, "document_title": None, **span, **fields}


def status(answer: CitedAnswer) -> ProviderCitationStatus:
    """Return the status of the only citation."""
    [citation] = answer.citations
    return citation.status


QUOTE = "It sold forty loaves on Friday."


@pytest.mark.parametrize("form", [dict, as_object], ids=["plain", "object"])
def test_anthropic_cites_characters(form):
    """The block cites as a whole, and the quote is where the offsets say."""
    answer = read_citations(form(anthropic(char_location(QUOTE, MILL.index(QUOTE)))), [MILL])
    [citation] = answer.citations
    assert answer.text == f"Bread: {ANSWER}"
    assert answer.text[slice(*citation.answer_span)] == citation.claim == ANSWER
    assert MILL[slice(*citation.source_span)] == citation.passage == citation.quote == QUOTE
    assert (citation.status, citation.is_ours, answer.accepted) == (ProviderCitationStatus.VERIFIED, False, True)


def test_an_answer_shows_no_text():
    """Its repr may end up in a log."""
    answer = read_citations(anthropic(char_location(QUOTE, MILL.index(QUOTE))), {"loaves.txt": MILL})
    assert "loaves" not in repr(answer)


@pytest.mark.parametrize(
    ("citation", "expected"),
    [
        (char_location(QUOTE, 2), ProviderCitationStatus.MOVED),
        (char_location("It sold fifty loaves on Friday.", 30), ProviderCitationStatus.ALTERED),
        (char_location("Whales sing.", 0), ProviderCitationStatus.ABSENT),
        (char_location(QUOTE, 30, document_index=7), ProviderCitationStatus.UNKNOWN_SOURCE),
        (char_location(QUOTE, 30, document_index=1), ProviderCitationStatus.UNREAD),
    ],
)
def test_a_quote_is_looked_up_where_the_provider_says(citation, expected):
    """A wrong offset, a changed word, an invented quote, a document that is not there or has no text."""
    assert status(read_citations(anthropic(citation), [MILL, ""])) is expected


def test_anthropic_cites_pages():
    """The last page of a page location is exclusive; without pages in the document, its page is the provider's."""
    location = {"type": "page_location", "cited_text": QUOTE, "document_index": 0, "document_title": "mill.pdf"}
    response = anthropic({**location, "start_page_number": 3, "end_page_number": 4})
    [citation] = read_citations(response, [MILL]).citations
    assert (citation.page, citation.status) == (3, ProviderCitationStatus.VERIFIED)


def test_anthropic_cites_blocks():
    """A quote in another block than the cited one was moved."""
    blocks = ["The mill stands by the river.", QUOTE, "It closed in May."]
    location = {"type": "content_block_location", "cited_text": QUOTE, "document_index": 0, "document_title": None}
    right = anthropic({**location, "start_block_index": 1, "end_block_index": 2})
    wrong = anthropic({**location, "start_block_index": 2, "end_block_index": 3})
    assert status(read_citations(right, [blocks])) is ProviderCitationStatus.VERIFIED
    assert status(read_citations(wrong, [blocks])) is ProviderCitationStatus.MOVED


def test_anthropic_cites_search_results():
    """A result is known by its source, whatever its place."""
    location = {"type": "search_result_location", "cited_text": QUOTE, "source": "https://mill.example/bread"}
    response = anthropic(
        {**location, "title": "Bread", "search_result_index": 0, "start_block_index": 0, "end_block_index": 1}
    )
    results = [{"url": "https://anna.example", "text": ANNA}, {"url": "https://mill.example/bread/", "text": MILL}]
    [citation] = read_citations(response, results).citations
    assert (citation.status, citation.passage) == (ProviderCitationStatus.VERIFIED, QUOTE)


@pytest.mark.parametrize("form", [dict, as_object], ids=["plain", "object"])
def test_openai_responses_cite_files_and_urls(form):
    """A file has one offset, right behind the text that cites; a URL has the span of its mark."""
    text = f"{ANSWER} Anna never sleeps before a storm ([Anna](https://anna.example))."
    annotations = [
        {"type": "file_citation", "file_id": "file-1", "filename": "mill.txt", "index": len(ANSWER)},
        {"type": "url_citation", "url": "https://anna.example", "title": "Anna", "start_index": 61, "end_index": 91},
    ]
    assert text[61:91] == "([Anna](https://anna.example))"
    message = {"type": "message", "content": [{"type": "output_text", "text": text, "annotations": annotations}]}
    response = form({"output": [{"type": "file_search_call", "queries": []}, message]})
    documents = {"mill.txt": MILL, "https://anna.example": ANNA}
    mill, anna = read_citations(response, documents).citations
    assert (mill.document, mill.claim, mill.status) == ("mill.txt", ANSWER, ProviderCitationStatus.SUPPORTED)
    assert mill.is_ours
    assert "sold forty loaves" in mill.passage
    assert (anna.document, anna.status) == ("https://anna.example", ProviderCitationStatus.SUPPORTED)
    assert anna.claim.startswith("Anna never sleeps")


def test_openai_chat_completions_cite_urls():
    """The annotation nests its fields."""
    citation = {"url": "https://mill.example", "title": "Bread", "start_index": 0, "end_index": len(ANSWER)}
    message = {
        "role": "assistant",
        "content": ANSWER,
        "annotations": [{"type": "url_citation", "url_citation": citation}],
    }
    response = {"choices": [{"message": message}]}
    answer = read_citations(response, [{"url": "https://mill.example", "text": MILL.replace("forty", "fifty")}])
    assert status(answer) is ProviderCitationStatus.CONTRADICTED
    assert not answer.accepted


@pytest.mark.parametrize("is_camel", [True, False])
def test_gemini_counts_bytes(is_camel):
    """Offsets are those of UTF-8, so characters before the segment take more than one."""
    before = "Über Brot – 🍞: "
    names = {
        "grounding_metadata": "groundingMetadata",
        "grounding_chunks": "groundingChunks",
        "grounding_supports": "groundingSupports",
        "retrieved_context": "retrievedContext",
        "start_index": "startIndex",
        "end_index": "endIndex",
        "grounding_chunk_indices": "groundingChunkIndices",
    }
    start = len(before.encode())
    segment = {"start_index": start, "end_index": start + len(ANSWER)}
    metadata = {
        "grounding_chunks": [{"retrieved_context": {"title": "mill.txt", "uri": "gs://x", "text": MILL}}],
        "grounding_supports": [{"segment": segment, "grounding_chunk_indices": [0]}],
    }
    candidate = {"content": {"parts": [{"text": before + ANSWER}]}, "grounding_metadata": metadata}

    def named(value: Any) -> Any:
        if isinstance(value, dict):
            return {names.get(key, key) if is_camel else key: named(each) for key, each in value.items()}
        return [named(each) for each in value] if isinstance(value, list) else value

    response = named({"candidates": [candidate]})
    for documents in ({"mill.txt": MILL}, []):
        [citation] = read_citations(response, documents).citations
        assert (citation.claim, citation.status) == (ANSWER, ProviderCitationStatus.SUPPORTED)


@pytest.mark.parametrize("offset", [1, 400, -1])
def test_gemini_offsets_inside_a_character_are_invalid(offset):
    """A citation without valid offsets supports nothing, and it is not dropped."""
    support = {"segment": {"startIndex": offset, "endIndex": 500}, "groundingChunkIndices": [0]}
    metadata = {
        "groundingChunks": [{"web": {"uri": "https://a.example", "title": "a"}}],
        "groundingSupports": [support],
    }
    response = {"candidates": [{"content": {"parts": [{"text": "🍞"}]}, "groundingMetadata": metadata}]}
    [citation] = read_citations(response, {"a": MILL}).citations
    assert (citation.answer_span, citation.status) == (None, ProviderCitationStatus.INVALID_SPAN)


def test_gemini_texts_and_parts_may_be_odd():
    """Half of a surrogate pair takes three bytes, and a part that does not exist has no valid offsets."""
    before = "Bread \ud83c: "
    start = len(before) + 2
    segments = [{"startIndex": start, "endIndex": start + len(ANSWER)}, {"partIndex": -2, "endIndex": 1}]
    metadata = {
        "groundingChunks": [{"retrievedContext": {"title": "mill.txt"}}],
        "groundingSupports": [{"segment": each, "groundingChunkIndices": [0]} for each in segments],
    }
    response = {"candidates": [{"content": {"parts": [{"text": before + ANSWER}]}, "groundingMetadata": metadata}]}
    mill, nowhere = read_citations(response, {"mill.txt": MILL}).citations
    assert (mill.claim, mill.status) == (ANSWER, ProviderCitationStatus.SUPPORTED)
    assert (nowhere.answer_span, nowhere.status) == (None, ProviderCitationStatus.INVALID_SPAN)


@pytest.mark.parametrize(("start", "end"), [(-5, 26), (0, 400), (26, 9)])
@pytest.mark.parametrize("is_second", [True, False], ids=["version-2", "version-1"])
def test_cohere_offsets_outside_of_the_answer_are_invalid(start, end, is_second):
    """A citation without valid offsets supports nothing."""
    citations = [{"start": start, "end": end, "sources": [{"id": "mill"}]}]
    message = {"content": [{"type": "text", "text": ANSWER}], "citations": citations}
    response = {"message": message} if is_second else {"text": ANSWER, "citations": citations}
    [citation] = read_citations(response, {"mill": MILL}).citations
    assert (citation.answer_span, citation.status) == (None, ProviderCitationStatus.INVALID_SPAN)


@pytest.mark.parametrize(
    "response",
    [
        {
            "message": {
                "content": [{"type": "text", "text": ANSWER}],
                "citations": [
                    {
                        "start": 9,
                        "end": 26,
                        "text": "sold forty loaves",
                        "sources": [{"type": "document", "id": "doc_1"}],
                    }
                ],
            }
        },
        {
            "text": ANSWER,
            "citations": [{"start": 9, "end": 26, "text": "sold forty loaves", "document_ids": ["doc_1"]}],
        },
    ],
    ids=["version-2", "version-1"],
)
def test_cohere_cites_by_id(response):
    """Both versions of its interface give the span of the answer."""
    [citation] = read_citations(response, {"doc_0": ANNA, "doc_1": MILL}).citations
    assert (citation.claim, citation.document) == ("sold forty loaves", "doc_1")
    assert citation.status is ProviderCitationStatus.SUPPORTED


@pytest.mark.parametrize("form", [dict, as_object], ids=["plain", "object"])
def test_mistral_cites_the_text_before_a_reference(form):
    """A reference has no span: it cites the sentence that it follows."""
    content = [
        {"type": "text", "text": f"Anna is tired. {ANSWER}"},
        {"type": "reference", "reference_ids": [1]},
        {"type": "text", "text": " That is all."},
    ]
    answer = read_citations(form({"choices": [{"message": {"content": content}}]}), [ANNA, MILL])
    [citation] = answer.citations
    assert answer.text[slice(*citation.answer_span)].strip() == ANSWER
    assert citation.status is ProviderCitationStatus.SUPPORTED


def test_langchain_has_one_format_for_all_providers():
    """Its blocks have annotations with the words of the source."""
    annotation = {"type": "citation", "title": "mill", "start_index": 0, "end_index": len(ANSWER), "cited_text": QUOTE}
    blocks = [{"type": "text", "text": ANSWER, "annotations": [annotation]}]
    message = SimpleNamespace(content_blocks=blocks, content=ANSWER)
    assert status(read_citations(message, {"mill": MILL})) is ProviderCitationStatus.VERIFIED


@pytest.mark.parametrize("documents", [[Source(MILL, name="mill")], Sources({"mill": MILL}), {"mill": Source(MILL)}])
def test_documents_are_sources(documents):
    """A prepared source, several sources, or a mapping of names."""
    assert status(read_citations(anthropic(char_location(QUOTE, 30)), documents)) is ProviderCitationStatus.VERIFIED


def test_a_document_has_pages():
    """The page of the passage is that of the document."""
    document = read_document(f"# Bread\n\n{MILL}\n".encode(), name="mill.md")
    [citation] = read_citations(anthropic(char_location(QUOTE, 39)), [document]).citations
    assert citation.passage == QUOTE
    assert citation.page is None


@pytest.mark.parametrize("response", [{}, {"id": 1}, None, 5, "text", [], {"choices": []}, {"content": "text"}])
def test_another_response_is_an_error(response):
    """An answer whose citations cannot be read is not an answer without citations."""
    with pytest.raises(ResponseError, match="no known provider"):
        read_citations(response, [MILL])


def test_an_error_names_keys_and_no_text():
    """The answer may be private."""
    with pytest.raises(ResponseError) as failure:
        read_citations({"secret_key": "a private text"}, [])
    assert "secret_key" in str(failure.value)
    assert "private" not in str(failure.value)


@pytest.mark.parametrize("documents", ["text", b"text", 5, None])
def test_documents_of_another_type_are_an_error(documents):
    """A single text is not a list of documents."""
    with pytest.raises(TypeError, match="documents must be"):
        read_citations(anthropic(), documents)


def test_an_answer_without_citations_is_not_accepted():
    """It is read, and nothing supports it."""
    answer = read_citations(anthropic(), [MILL])
    assert (answer.citations, answer.accepted) == ((), False)


@pytest.mark.parametrize("value", [None, 5, "x", [], {}, {"type": 5}, {"cited_text": 5, "document_index": "0"}, [[]]])
def test_malformed_citations_are_kept_and_not_accepted(value):
    """A citation of another shape is still a citation that cannot be checked."""
    answer = read_citations(anthropic(value), [MILL])
    assert len(answer.citations) == 1
    assert not answer.accepted


def test_each_status_is_explained():
    """Reports print the words."""
    assert set(STATUSES) == set(ProviderCitationStatus)
