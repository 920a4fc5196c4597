"""Building the text of a document from its parts."""

from groundwire.documents.document import Part, PartKind
from groundwire.errors import DocumentError

__all__ = ["MAX_DOCUMENT_CHARS", "PartsBuilder", "damaged", "not_installed"]

MAX_DOCUMENT_CHARS = 100_000_000
"""The most characters of a document's text."""


class PartsBuilder:
    """Puts parts together as one text, a line end behind each."""

    def __init__(self, name: str | None) -> None:
        self._name = name
        self._pieces: list[str] = []
        self._length = 0
        self.parts: list[Part] = []

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._pieces)

    def add(self, text: str, path: str, kind: PartKind = PartKind.TEXT, *, end: str = "\n") -> None:
        """
        Append a part, if it has any text, and *end* behind it.

        Raises:
            DocumentError: There is more text than `MAX_DOCUMENT_CHARS`.
        """
        text = text.strip("\n")
        if not text.strip():
            return
        self.parts.append(Part(self._length, self._length + len(text), kind, path))
        self._pieces += [text, end]
        self._length += len(text) + len(end)
        if self._length > MAX_DOCUMENT_CHARS:
            raise self.error(
                "too_much_text", f"a document of more than {MAX_DOCUMENT_CHARS:,} characters", "split it first"
            )

    def error(self, code: str, reason: str, hint: str) -> DocumentError:
        """Return an error that names the document."""
        return DocumentError(self._name, code, reason, hint)


def damaged(name: str | None, words: str) -> DocumentError:
    """Return the error for a file that is broken; *words* say what it is, such as "a Word document"."""
    return DocumentError(name, "damaged", f"damaged, or not quite {words}", "open it and save it again")


def not_installed(name: str | None, error: ModuleNotFoundError) -> DocumentError:
    """Return the error for a file whose format needs a library that is not installed."""
    return DocumentError(
        name, "not_installed", f"of a format that needs the library {error.name}", "pip install 'groundwire[documents]'"
    )
