"""
Checks that the output of a language model is grounded in its sources.

This package has the engine's names; the four systems are subpackages. Importing groundwire loads only the native
module: subpackages and their names are imported on first use (PEP 562).
"""

from groundwire._engine import (
    UNICODE_VERSION,
    Alignment,
    Match,
    Patterns,
    QuoteAlignment,
    Source,
    __version__,
    build_info,
    normalize,
    partial_ratio,
    partial_ratio_alignment,
    partial_ratio_many,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.documents.document import Document
    from groundwire.documents.reading import read_document
    from groundwire.sources import Sources
    from groundwire.transcripts.reader import read_transcript
    from groundwire.transcripts.transcript import Transcript

__all__ = [
    "UNICODE_VERSION",
    "Alignment",
    "Document",
    "Match",
    "Patterns",
    "QuoteAlignment",
    "Source",
    "Sources",
    "Transcript",
    "__version__",
    "build_info",
    "normalize",
    "partial_ratio",
    "partial_ratio_alignment",
    "partial_ratio_many",
    "read_document",
    "read_transcript",
]

_SUBPACKAGES = frozenset(
    {
        "agents",
        "bulk",
        "citations",
        "documents",
        "embedding",
        "errors",
        "evidence",
        "faithfulness",
        "ingestion",
        "judge",
        "langchain",
        "mcp",
        "memory",
        "providers",
        "pydantic",
        "reference",
        "report",
        "review",
        "settings",
        "sources",
        "streaming",
        "testing",
        "transcripts",
    }
)
_HOMES = {
    "Document": "groundwire.documents.document",
    "Sources": "groundwire.sources",
    "Transcript": "groundwire.transcripts.transcript",
    "read_document": "groundwire.documents.reading",
    "read_transcript": "groundwire.transcripts.reader",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None and name not in _SUBPACKAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    if home is None:
        return import_module(f"{__name__}.{name}")
    value: object = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_SUBPACKAGES, *_HOMES})
