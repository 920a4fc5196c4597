"""
Indexes the texts of memories by words, MinHash sketches or embeddings.

`TextIndex` finds the texts that a claim may repeat and those that it may contradict; `MemoryIndex` has a text index for
each user. The searches behind them are exact Jaccard similarity, MinHash for long texts, and the cosine of embeddings.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from groundwire._engine import JaccardIndex, MinHashIndex, VectorIndex
from groundwire.embedding.protocol import CheckedEmbedder, EmbeddingError
from groundwire.errors import DedupCheckError
from groundwire.labels import show
from groundwire.language import LANGUAGES, read_section
from groundwire.thresholds import DUPLICATE_THRESHOLD

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from groundwire.embedding.protocol import Embedder

__all__ = [
    "CONFLICT_THRESHOLD",
    "DEDUP_METHODS",
    "MAX_CONFLICTS",
    "MAX_DUPLICATES",
    "DedupMethod",
    "JaccardSearch",
    "MemoryIndex",
    "MinHashSearch",
    "SimilaritySearch",
    "TextIndex",
    "TokenRule",
    "VectorSearch",
]

T = TypeVar("T")

MAX_DUPLICATES = 16
"""The maximum number of duplicates, the most similar first, that are read to find one that is not a correction."""

Prepared = tuple[str, Any]
"""A text, and its form for the search of an index."""

DedupMethod = Literal["jaccard", "minhash", "vector"]
DEDUP_METHODS: tuple[DedupMethod, ...] = ("jaccard", "minhash", "vector")
TokenRule = Literal["unicode", "spec"]
CONFLICT_THRESHOLD = 0.5
"""The minimum similarity of a possible conflict, apart from negations, numbers, dates and names (ruling C2)."""

MAX_CONFLICTS = 16
"""The maximum number of possible conflicts that are read, the most similar first."""


class SimilarityIndex(Protocol):
    """The common interface of the engine's indexes."""

    def __len__(self) -> int: ...
    def __sizeof__(self) -> int: ...
    def remove(self, number: int) -> None:
        """Remove the text *number*. Raises `KeyError` if it does not exist."""


class SimilaritySearch(Protocol):
    """A method of finding similar texts."""

    @property
    def index(self) -> SimilarityIndex:
        """The index of the texts."""

    def prepare(self, texts: Sequence[str]) -> "Sequence[Any]":
        """Return the argument of `insert` for each of *texts*. Raises any failure before a text is added."""

    def insert(self, prepared: Any) -> int:
        """Add a text that `prepare` returned, and return its number."""

    def find(self, text: str) -> list[tuple[int, float]]:
        """Return (number, similarity) of the texts that reach the threshold, the most similar first."""

    def empty(self) -> "SimilaritySearch":
        """Return an empty search of the same kind."""


class JaccardSearch:
    """Finds texts by exact Jaccard similarity."""

    __slots__ = ("_threshold", "index")

    def __init__(self, index: JaccardIndex, threshold: float) -> None:
        self.index = index
        self._threshold = threshold

    def prepare(self, texts: Sequence[str]) -> Sequence[str]:
        """See `SimilaritySearch`."""
        return texts

    def insert(self, prepared: str) -> int:
        """See `SimilaritySearch`."""
        return self.index.insert(prepared)

    def find(self, text: str) -> list[tuple[int, float]]:
        """See `SimilaritySearch`; at most `MAX_DUPLICATES`."""
        return self.index.query(text, self._threshold, limit=MAX_DUPLICATES)

    def empty(self) -> "JaccardSearch":
        """See `SimilaritySearch`."""
        return JaccardSearch(self.index.empty(), self._threshold)


class MinHashSearch:
    """Finds texts that may reach the threshold, by MinHash, with estimated similarities."""

    __slots__ = ("_arguments", "index")

    def __init__(self, threshold: float, tokens: "TokenRule") -> None:
        self.index = MinHashIndex(threshold=threshold, tokens=tokens)
        self._arguments = (threshold, tokens)

    def prepare(self, texts: Sequence[str]) -> Sequence[str]:
        """See `SimilaritySearch`."""
        return texts

    def insert(self, prepared: str) -> int:
        """See `SimilaritySearch`."""
        return self.index.insert(prepared)

    def find(self, text: str) -> list[tuple[int, float]]:
        """See `SimilaritySearch`; at most `MAX_DUPLICATES`."""
        return self.index.query(text)[:MAX_DUPLICATES]

    def empty(self) -> "MinHashSearch":
        """See `SimilaritySearch`."""
        return MinHashSearch(*self._arguments)


class VectorSearch:
    """Finds texts by the exact cosine of embeddings."""

    __slots__ = ("_embedder", "_index", "_threshold")

    def __init__(self, embedder: "Embedder | None", threshold: float) -> None:
        self._embedder = embedder
        self._threshold = threshold
        self._index: VectorIndex | None = None

    @property
    def index(self) -> SimilarityIndex:
        """See `SimilaritySearch`; the first vector determines the dimensions."""
        return VectorIndex(dimensions=1) if self._index is None else self._index

    def prepare(self, texts: Sequence[str]) -> "Sequence[NDArray[np.float32]]":
        """See `SimilaritySearch`. Raises `DedupCheckError` if the embedder fails."""
        return list(self._embed(texts)) if texts or self._embedder is None else []

    def insert(self, prepared: "NDArray[np.float32]") -> int:
        """See `SimilaritySearch`. Raises `DedupCheckError` if earlier vectors have another length."""
        if self._index is None:
            self._index = VectorIndex(dimensions=len(prepared))
        return self._index.insert(_of_length(self._index.dimensions, prepared))

    def find(self, text: str) -> list[tuple[int, float]]:
        """See `SimilaritySearch`; at most `MAX_DUPLICATES`. Raises as `prepare` and `insert`."""
        [vector] = self._embed([text])
        if self._index is None:
            return []
        return self._index.query(_of_length(self._index.dimensions, vector), self._threshold, limit=MAX_DUPLICATES)

    def empty(self) -> "VectorSearch":
        """See `SimilaritySearch`."""
        return VectorSearch(self._embedder, self._threshold)

    def _embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return a row for each of *texts*."""
        if self._embedder is None:
            raise DedupCheckError("no_embedder", "method 'vector' needs an embedder")
        try:
            return CheckedEmbedder(self._embedder, timeout_s=None).encode(texts)
        except EmbeddingError as error:
            raise DedupCheckError("embedder_failed", error.detail or error.code) from None


def _of_length(dimensions: int, vector: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """Return *vector* if it has as many values as earlier ones; raises `DedupCheckError` otherwise."""
    if len(vector) != dimensions:
        raise DedupCheckError("embedder_failed", f"a vector has {len(vector)} values instead of {dimensions}")
    return vector


class TextIndex:
    """
    Numbered texts, with searches for those that repeat another text and those that may contradict it.

    The arguments are those of `DedupChecker`. Numbers count from 0, and those of removed texts are reused.
    `sys.getsizeof` counts the whole index.
    """

    __slots__ = ("_conflicts", "_same")

    def __init__(
        self,
        threshold: float = DUPLICATE_THRESHOLD,
        *,
        method: DedupMethod = "jaccard",
        tokens: TokenRule = "unicode",
        embedder: "Embedder | None" = None,
    ) -> None:
        if method not in DEDUP_METHODS:
            given = show(method) if isinstance(method, str) else type(method).__name__
            raise ValueError(f"method must be one of {', '.join(DEDUP_METHODS)}; got {given}")
        self._same: SimilaritySearch
        self._conflicts: JaccardIndex | None = None
        if method == "minhash":
            # For long texts: sketches take less memory than all words.
            self._same = MinHashSearch(threshold, tokens)
        elif method == "jaccard" and tokens != "spec":
            self._conflicts = JaccardIndex(
                floor=threshold, stop_free_threshold=CONFLICT_THRESHOLD, tokens=tokens, stop_tokens=_words_set_aside()
            )
            self._same = JaccardSearch(self._conflicts, threshold)
        else:
            # Only the Unicode rule sets words aside: texts in lower case have no names.
            self._conflicts = JaccardIndex(
                floor=1.0, stop_free_threshold=CONFLICT_THRESHOLD, stop_tokens=_words_set_aside()
            )
            literal = JaccardIndex(floor=threshold, tokens=tokens)
            self._same = VectorSearch(embedder, threshold) if method == "vector" else JaccardSearch(literal, threshold)

    async def run(self, work: Callable[..., T], *args: object) -> T:
        """Return the result of *work*, from a thread if it may wait for an embedder, so that other tasks go on."""
        if not isinstance(self._same, VectorSearch):
            return work(*args)
        from asyncio import to_thread

        return await to_thread(work, *args)

    def empty(self) -> "TextIndex":
        """Return an empty index of the same kind, without reading the word lists again."""
        index = object.__new__(TextIndex)
        index._same = same = self._same.empty()
        index._conflicts = None
        if self._conflicts is not None:
            is_shared = self._conflicts is self._same.index
            index._conflicts = same.index if is_shared and isinstance(same, JaccardSearch) else self._conflicts.empty()
        return index

    def __len__(self) -> int:
        return len(self._same.index)

    def __sizeof__(self) -> int:
        indexes = {id(index): index for index in (self._same.index, self._conflicts) if index is not None}
        return object.__sizeof__(self) + sum(index.__sizeof__() for index in indexes.values())

    def add(self, text: str) -> int:
        """Add *text* and return its number."""
        return self.add_all([text])[0]

    def add_all(self, texts: Sequence[str]) -> list[int]:
        """Add *texts* and return their numbers, with one call of the embedder."""
        return [self.insert(prepared) for prepared in self.prepare(texts)]

    def prepare(self, texts: Sequence[str]) -> "list[Prepared]":
        """
        Return *texts* in the form that `insert` takes, for any index of this kind, with one call of the embedder.

        Raises:
            DedupCheckError: The embedder is missing or fails.
        """
        return list(zip(texts, self._same.prepare(texts), strict=True))

    def insert(self, prepared: "Prepared") -> int:
        """Add a text that `prepare` returned, and return its number."""
        text, form = prepared
        number = self._same.insert(form)
        if self._conflicts is not None and self._conflicts is not self._same.index:
            self._conflicts.insert(text)
        return number

    def remove(self, number: int) -> None:
        """Remove the text *number*. Raises `KeyError` if it does not exist."""
        self._same.index.remove(number)
        if self._conflicts is not None and self._conflicts is not self._same.index:
            self._conflicts.remove(number)

    def same(self, text: str) -> list[tuple[int, float]]:
        """
        Return (number, similarity) of texts that reach the threshold, the most similar first, at most `MAX_DUPLICATES`.

        With "minhash", these are candidates with estimated similarities.
        """
        return self._same.find(text)

    def near(self, text: str) -> list[tuple[int, float]]:
        """
        Return (number, similarity) of texts that may contradict *text*, the best first, at most `MAX_CONFLICTS`.

        Always empty with "minhash", where only `same` finds texts.
        """
        return [] if self._conflicts is None else self._conflicts.query_without_stop_tokens(text, limit=MAX_CONFLICTS)

    def similar(self, text: str) -> list[int]:
        """Return the numbers of `same` and then `near`, without repetitions."""
        return list(dict.fromkeys(number for number, _ in (*self.same(text), *self.near(text))))


class MemoryIndex:
    """
    The memories of all users, with an index for each user.

    A store adds the memories that it stores, removes those that it erases, and answers `MemoryProvider.candidates` with
    the few memories that `similar` names. If the arguments are those of the calling `DedupChecker`, its result is the
    same as among all memories.

    `sys.getsizeof` counts the indexes of texts, not the objects that name the memories.
    """

    __slots__ = ("_empty", "_names", "_places", "_texts")

    def __init__(
        self,
        threshold: float = DUPLICATE_THRESHOLD,
        *,
        method: DedupMethod = "jaccard",
        tokens: TokenRule = "unicode",
        embedder: "Embedder | None" = None,
    ) -> None:
        self._empty = TextIndex(threshold, method=method, tokens=tokens, embedder=embedder)
        self._texts: dict[str, TextIndex] = {}
        self._names: dict[str, dict[int, Hashable]] = {}
        self._places: dict[Hashable, tuple[str, int]] = {}

    def __len__(self) -> int:
        return len(self._places)

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + sum(index.__sizeof__() for index in self._texts.values())

    def add(self, memory_id: Hashable, content: str, user_id: str) -> None:
        """Add a memory, replacing one of the same name."""
        if memory_id in self._places:
            self.remove(memory_id)
        index = self._texts.get(user_id)
        if index is None:
            index = self._empty.empty()
        number = index.add(content)
        self._texts[user_id] = index
        self._names.setdefault(user_id, {})[number] = memory_id
        self._places[memory_id] = (user_id, number)

    def remove(self, memory_id: Hashable) -> None:
        """Remove the memory *memory_id*. Raises `KeyError` if it does not exist."""
        user_id, number = self._places.pop(memory_id)
        self._texts[user_id].remove(number)
        del self._names[user_id][number]
        if not self._names[user_id]:
            del self._names[user_id], self._texts[user_id]

    def similar(self, content: str, user_id: str) -> list[Hashable]:
        """Return the names of the memories that *content* may duplicate or contradict, the most similar first."""
        index = self._texts.get(user_id)
        if index is None:
            return []
        names = self._names[user_id]
        return [names[number] for number in index.similar(content)]


@cache
def _words_set_aside() -> tuple[str, ...]:
    """Return the words that a correction may change, of all languages with a lexicon."""
    words: set[str] = set()
    for language in LANGUAGES:
        numbers, dates, polarity, function, modality = (
            read_section(language, name) for name in ("numbers", "dates", "polarity", "function", "modality")
        )
        for name in ("cardinals", "ordinals", "fractions", "multipliers", "scales"):
            words.update(numbers.get(name, ()))
        words.update(_compounds(numbers))
        groups = [*dates["months"], *dates["weekdays"], *dates["references"]]
        groups += [*polarity["near_negations"], polarity["negations"]]
        verbs = [function[f"auxiliaries_{verb}"] for verb in ("be", "have", "do")]
        if language == "en":
            # English negates with forms of do: does not use, uses.
            groups.append(function["auxiliaries_do"])
            words.update(f"{verb}n't" for verb in " ".join([*verbs, *modality["modals"]]).split() if verb.isalpha())
        listed = {word for group in groups for word in group.split()}
        contractions = read_section(language, "contractions")
        words.update(word for word, parts in contractions.items() if not listed.isdisjoint(parts.split()))
        words.update(listed)
    return tuple(sorted(word for word in words if word and " " not in word and "_" not in word))


def _compounds(numbers: Mapping[str, Any]) -> Iterator[str]:
    """Yield the numerals that a language writes as one word, by the rule of its lexicon."""
    rule = numbers.get("compounds", {})
    ones = rule.get("ones", "").split()
    joined = [*(rule.get("joiner", "") + ten for ten in rule.get("tens", "").split()), *rule.get("scales", "").split()]
    yield from (one + end for one in ones for end in joined)
