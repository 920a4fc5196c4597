"""
Reads the text of an answer and its citations from the response of a provider.

A response is plain data (the JSON of the HTTP interface) or an object of the provider's SDK; fields are read by name
from either. Sources of the formats: the reference documentation of the Anthropic Messages, OpenAI Chat Completions and
Responses, Gemini `generateContent`, Cohere Chat, Mistral Chat interfaces, and LangChain's content blocks.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

__all__ = ["RawCitation", "ResponseError", "read_response"]


class ResponseError(ValueError):
    """A response has an unknown format. The message names types and keys, never texts."""


class RawCitation(NamedTuple):
    """
    A citation as a provider gives it.

    Attributes:
        start, end: The span of the answer that cites, in code points; None if the provider's offsets are invalid.
        number: The number of the cited document in the request, from 0; None if the provider gives none.
        names: The names of the cited document: id, title, file name, URL.
        quote: The words that the provider took from the document; None if it gives none.
        span: Their offsets in the document, in code points.
        blocks: The first block of a document of several blocks, and the block after the last one.
        pages: The first and the last page, from 1.
        text: The text of the document, if the response contains it.
    """

    start: int | None
    end: int | None
    number: int | None = None
    names: tuple[str, ...] = ()
    quote: str | None = None
    span: tuple[int, int] | None = None
    blocks: tuple[int, int] | None = None
    pages: tuple[int, int] | None = None
    text: str | None = None


class AnswerText(NamedTuple):
    """The text of an answer and its citations, in the order of the response."""

    text: str
    citations: list[RawCitation]


def read_response(response: object) -> AnswerText:
    """
    Return the text of *response* and its citations.

    Raises:
        ResponseError: The response has the format of no known provider.
    """
    for key, read in _READERS.items():
        if _get(response, key) is not None and (found := read(response)) is not None:
            return found
    keys = sorted(map(str, response)) if isinstance(response, Mapping) else []
    found_keys = f" with the keys {', '.join(keys[:12])}" if keys else ""
    raise ResponseError(f"the response has the format of no known provider: {type(response).__name__}{found_keys}")


def _get(value: object, name: str) -> object:
    """Return a field of a mapping or an object, by its name in snake case or camel case; None without one."""
    first, *others = name.split("_")
    camel = first + "".join(map(str.capitalize, others))
    if isinstance(value, Mapping):
        found = value.get(name)
        return value.get(camel) if found is None else found
    return getattr(value, name, None)


def _items(value: object, name: str) -> list[object]:
    """Return a field that is a list; an empty list for any other field."""
    found = _get(value, name)
    return list(found) if isinstance(found, list | tuple) else []


def _text(value: object, name: str) -> str | None:
    found = _get(value, name)
    return found if isinstance(found, str) else None


def _int(value: object, name: str) -> int | None:
    found = _get(value, name)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def _pair(value: object, first: str, last: str) -> tuple[int, int] | None:
    start, end = _int(value, first), _int(value, last)
    return None if start is None or end is None or not 0 <= start < end else (start, end)


def _names(value: object, *fields: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found for field in fields if (found := _text(value, field))))


class _Pieces:
    """Joins the texts of an answer, and keeps the citations with their offsets in the whole."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._citations: list[RawCitation] = []
        self._length = 0

    def add(self, text: str, citations: Iterable[RawCitation]) -> None:
        """Append *text* with its *citations*, whose offsets are relative to *text*."""
        for each in citations:
            if each.start is None or each.end is None or not 0 <= each.start <= each.end <= len(text):
                self._citations.append(each._replace(start=None, end=None))
            else:
                self._citations.append(each._replace(start=each.start + self._length, end=each.end + self._length))
        self._texts.append(text)
        self._length += len(text)

    def answer(self) -> AnswerText:
        return AnswerText("".join(self._texts), self._citations)


def _read_blocks(blocks: Iterable[object]) -> AnswerText | None:
    """Read blocks of text with citations: Anthropic, Mistral and LangChain."""
    pieces, is_known = _Pieces(), False
    for block in blocks:
        kind, text = _text(block, "type"), _text(block, "text")
        if text is not None and kind in ("text", "output_text", None):
            cited = [*_items(block, "citations"), *_items(block, "annotations")]
            pieces.add(text, [_of_block(each, text) for each in cited])
            is_known = True
        elif kind in ("reference", "tool_reference"):
            pieces.add("", _mistral(block))
            is_known = True
    return pieces.answer() if is_known else None


def _of_block(citation: object, text: str) -> RawCitation:
    """Return a citation of a block, which cites as a whole unless the citation says otherwise."""
    kind = _text(citation, "type") or ""
    if kind in ("file_citation", "url_citation", "container_file_citation", "citation", "non_standard_annotation"):
        return _annotation(citation, text)
    pages = _pair(citation, "start_page_number", "end_page_number")
    number = _int(citation, "document_index")
    return RawCitation(
        0,
        len(text),
        number=_int(citation, "search_result_index") if number is None else number,
        names=_names(citation, "document_title", "source", "title", "url", "file_id"),
        quote=_text(citation, "cited_text"),
        span=_pair(citation, "start_char_index", "end_char_index"),
        blocks=_pair(citation, "start_block_index", "end_block_index"),
        # The last page is exclusive.
        pages=None if pages is None else (pages[0], pages[1] - 1),
    )


def _annotation(annotation: object, text: str) -> RawCitation:
    """Return an annotation of OpenAI or LangChain. OpenAI gives files one offset, right behind the text that cites."""
    fields = _get(annotation, _text(annotation, "type") or "") or annotation
    start, end = _int(fields, "start_index"), _int(fields, "end_index")
    if start is None or end is None:
        index = _int(fields, "index")
        start, end = (0, len(text)) if index is None else (index, index)
    return RawCitation(
        start,
        end,
        names=_names(fields, "file_id", "filename", "url", "title", "id"),
        quote=_text(fields, "cited_text") or _text(fields, "quote"),
    )


def _mistral(block: object) -> Iterator[RawCitation]:
    """Yield the references of a block, which follows the text that it belongs to: they have no span."""
    ids = _items(block, "reference_ids")
    for id_ in ids:
        yield RawCitation(0, 0, number=id_ if isinstance(id_, int) else None, names=(str(id_),))
    if not ids:
        yield RawCitation(0, 0, names=_names(block, "url", "title", "source"))


def _anthropic(response: object) -> AnswerText | None:
    return _read_blocks(_items(response, "content"))


def _langchain(response: object) -> AnswerText | None:
    return _read_blocks(_items(response, "content_blocks"))


def _responses(response: object) -> AnswerText | None:
    """Read OpenAI's Responses: messages among other items."""
    pieces, is_known = _Pieces(), False
    for item in _items(response, "output"):
        if (found := _read_blocks(_items(item, "content"))) is not None:
            pieces.add(found.text, found.citations)
            is_known = True
    return pieces.answer() if is_known else None


def _choices(response: object) -> AnswerText | None:
    """Read the first choice of a chat completion: OpenAI, Mistral, and all that copy them."""
    choices = _items(response, "choices")
    return _message(_get(choices[0], "message")) if choices else None


def _message(message: object) -> AnswerText | None:
    text = _text(message, "content")
    if text is None:
        found = _read_blocks(_items(message, "content"))
        cohere = [_cohere(each) for each in _items(message, "citations")]
        if found is None or not cohere:
            return found
        pieces = _Pieces()
        pieces.add(found.text, cohere)
        return pieces.answer()
    pieces = _Pieces()
    pieces.add(text, [_of_block(each, text) for each in _items(message, "annotations")])
    return pieces.answer()


def _cohere_message(response: object) -> AnswerText | None:
    return _message(_get(response, "message"))


def _cohere_text(response: object) -> AnswerText | None:
    """Read version 1 of Cohere's interface."""
    text = _text(response, "text")
    if text is None or _get(response, "citations") is None:
        return None
    pieces = _Pieces()
    pieces.add(text, [_cohere(each) for each in _items(response, "citations")])
    return pieces.answer()


def _cohere(citation: object) -> RawCitation:
    """Return a citation of Cohere. Its first source counts; each source has an id and sometimes the document."""
    sources = _items(citation, "sources")
    source = sources[0] if sources else None
    document = _get(source, "document")
    ids = [id_ for id_ in _items(citation, "document_ids") if isinstance(id_, str)]
    return RawCitation(
        _int(citation, "start"),
        _int(citation, "end"),
        names=(*_names(source, "id"), *ids, *_names(document, "id", "title", "url")),
        text=_text(document, "text") or _text(document, "snippet") or _text(document, "content"),
    )


def _gemini(response: object) -> AnswerText | None:
    """Read the first candidate of Gemini, whose offsets count the bytes of a part in UTF-8."""
    candidates = _items(response, "candidates")
    if not candidates:
        return None
    parts = [_text(part, "text") or "" for part in _items(_get(candidates[0], "content"), "parts")]
    metadata = _get(candidates[0], "grounding_metadata")
    chunks = _items(metadata, "grounding_chunks")
    by_part: dict[int, list[RawCitation]] = {}
    for support in _items(metadata, "grounding_supports"):
        segment = _get(support, "segment")
        place = _int(segment, "part_index") or 0
        encoded = parts[place].encode("utf-8", "surrogatepass") if 0 <= place < len(parts) else b""
        start = _char_offset(encoded, _int(segment, "start_index") or 0)
        end = _char_offset(encoded, _int(segment, "end_index"))
        for index in _items(support, "grounding_chunk_indices"):
            chunk = chunks[index] if isinstance(index, int) and 0 <= index < len(chunks) else None
            by_part.setdefault(place, []).append(_gemini_chunk(chunk, start, end))
    pieces = _Pieces()
    for place, text in enumerate(parts):
        pieces.add(text, by_part.pop(place, []))
    for citations in by_part.values():
        pieces.add("", [each._replace(start=None, end=None) for each in citations])
    return pieces.answer()


def _gemini_chunk(chunk: object, start: int | None, end: int | None) -> RawCitation:
    context = _get(chunk, "retrieved_context")
    inner = _get(chunk, "web") if context is None else context
    return RawCitation(start, end, names=_names(inner, "document_name", "uri", "title"), text=_text(context, "text"))


def _char_offset(encoded: bytes, offset: int | None) -> int | None:
    """Return an offset in bytes as an offset in code points; None if it is outside or inside a character."""
    if offset is None or not 0 <= offset <= len(encoded):
        return None
    try:
        return len(encoded[:offset].decode("utf-8", "surrogatepass"))
    except UnicodeDecodeError:
        return None


_READERS: dict[str, Callable[[object], AnswerText | None]] = {
    "candidates": _gemini,
    "output": _responses,
    "choices": _choices,
    "message": _cohere_message,
    # LangChain's messages have both fields; the blocks have one format for all providers.
    "content_blocks": _langchain,
    "content": _anthropic,
    "text": _cohere_text,
}
