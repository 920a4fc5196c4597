"""The texts of memories, found by what they have in common with a claim."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from groundwire._engine import JaccardIndex
from groundwire.ingestion.config import DEDUP_METHODS
from groundwire.ingestion.duplicates_finders import Finder, Sketches, Vectors, Words
from groundwire.labels import show
from groundwire.language import LANGUAGES, read_section
from groundwire.thresholds import DUPLICATE_THRESHOLD

if TYPE_CHECKING:
    from groundwire.embedding.protocol import Embedder
    from groundwire.ingestion.config import DedupMethod
    from groundwire.ingestion.duplicates import TokenRule

Prepared = tuple[str, Any]
"""A text, and what the finder of an index makes of it."""

__all__ = ["CONFLICT_FLOOR", "MOST_CONFLICTS", "MemoryIndex", "TextIndex"]

CONFLICT_FLOOR = 0.5
"""From this similarity on, of what is left without negations, numbers, dates and names, two may be a conflict (C2)."""

MOST_CONFLICTS = 16
"""So many of them are read, the most similar ones."""


class TextIndex:
    """
    Texts by number: which of them say the same as another, and which may contradict it.

    Arguments are those of `DedupChecker`. Numbers count from 0; those of removed texts
    are given again. `sys.getsizeof` counts the whole index.
    """

    __slots__ = ("_conflicts", "_same")

    def __init__(
        self,
        threshold: float = DUPLICATE_THRESHOLD,
        *,
        method: "DedupMethod" = "jaccard",
        tokens: "TokenRule" = "unicode",
        embedder: "Embedder | None" = None,
    ) -> None:
        if method not in DEDUP_METHODS:
            given = show(method) if isinstance(method, str) else type(method).__name__
            raise ValueError(f"method must be one of {', '.join(DEDUP_METHODS)}; got {given}")
        self._same: Finder
        self._conflicts: JaccardIndex | None = None
        if method == "minhash":
            # For long texts: all of their words would take more memory than their sketches.
            self._same = Sketches(threshold, tokens)
        elif method == "jaccard" and tokens != "spec":
            self._conflicts = JaccardIndex(floor=threshold, core_floor=CONFLICT_FLOOR, tokens=tokens, aside=_aside())
            self._same = Words(self._conflicts, threshold)
        else:
            # What is set aside is known of Unicode's words alone: small letters have no names.
            self._conflicts = JaccardIndex(floor=1.0, core_floor=CONFLICT_FLOOR, aside=_aside())
            literal = JaccardIndex(floor=threshold, tokens=tokens)
            self._same = Vectors(embedder, threshold) if method == "vector" else Words(literal, threshold)

    def empty(self) -> "TextIndex":
        """Return an index like this without a text; the lists of words are not read again."""
        index = object.__new__(TextIndex)
        index._same = same = self._same.empty()
        index._conflicts = None
        if self._conflicts is not None:
            is_shared = self._conflicts is self._same.index
            index._conflicts = same.index if is_shared and isinstance(same, Words) else self._conflicts.empty()
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
        """Add *texts* and return their numbers; embeddings are asked for once."""
        return [self.insert(prepared) for prepared in self.prepare(texts)]

    def prepare(self, texts: Sequence[str]) -> "list[Prepared]":
        """
        Return *texts* as this index, and any other like it, inserts them; embeddings are asked for once.

        Raises:
            DedupCheckError: There are no embeddings.
        """
        return list(zip(texts, self._same.prepare(texts), strict=True))

    def insert(self, prepared: "Prepared") -> int:
        """Add what `prepare` returned for a text, and return its number."""
        text, form = prepared
        number = self._same.insert(form)
        if self._conflicts is not None and self._conflicts is not self._same.index:
            self._conflicts.insert(text)
        return number

    def remove(self, number: int) -> None:
        """Remove a text; `KeyError` if there is none."""
        self._same.index.remove(number)
        if self._conflicts is not None and self._conflicts is not self._same.index:
            self._conflicts.remove(number)

    def same(self, text: str) -> list[tuple[int, float]]:
        """
        Return (number, similarity) of what reaches the threshold, the most similar first, at most `MOST_DUPLICATES`.

        By "minhash" what may reach it, with estimates.
        """
        return self._same.find(text)

    def near(self, text: str) -> list[tuple[int, float]]:
        """
        Return (number, similarity) of what may contradict *text*, the most similar first, at most `MOST_CONFLICTS`.

        By "minhash" nothing but `same` is known.
        """
        return [] if self._conflicts is None else self._conflicts.query_core(text, limit=MOST_CONFLICTS)

    def similar(self, text: str) -> list[int]:
        """Return the numbers of both, `same` and then `near`, each once."""
        return list(dict.fromkeys(number for number, _ in (*self.same(text), *self.near(text))))


class MemoryIndex:
    """
    The memories of all users, each user's in an index of their own.

    A store adds what it stores, removes what it forgets, and answers
    `MemoryProvider.candidates` with the few memories that `similar` names. Arguments are
    those of the `DedupChecker` that asks; its conflicts and duplicates are then those
    among all memories.

    `sys.getsizeof` counts the indexes of texts, not the objects that name the memories.
    """

    __slots__ = ("_empty", "_names", "_places", "_texts")

    def __init__(
        self,
        threshold: float = DUPLICATE_THRESHOLD,
        *,
        method: "DedupMethod" = "jaccard",
        tokens: "TokenRule" = "unicode",
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
        """Add a memory; one of the same name is replaced."""
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
        """Remove a memory; `KeyError` if there is none of this name."""
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
def _aside() -> tuple[str, ...]:
    """The words that may be all that a correction changes, of every language that has a lexicon."""
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
            # English says no with forms of do: does not use, where it says uses.
            groups.append(function["auxiliaries_do"])
            words.update(f"{verb}n't" for verb in " ".join([*verbs, *modality["modals"]]).split() if verb.isalpha())
        listed = {word for group in groups for word in group.split()}
        contractions = read_section(language, "contractions")
        words.update(word for word, parts in contractions.items() if not listed.isdisjoint(parts.split()))
        words.update(listed)
    return tuple(sorted(word for word in words if word and " " not in word and "_" not in word))


def _compounds(numbers: Mapping[str, Any]) -> Iterator[str]:
    """Yield the numerals that a language writes as one word of two, as far as its lexicon says how."""
    rule = numbers.get("compounds", {})
    ones = rule.get("ones", "").split()
    joined = [*(rule.get("joiner", "") + ten for ten in rule.get("tens", "").split()), *rule.get("scales", "").split()]
    yield from (one + end for one in ones for end in joined)
