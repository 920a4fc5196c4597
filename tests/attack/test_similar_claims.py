"""Batches of similar claims: no verdict depends on their number, and the work grows linearly."""

import asyncio
from collections.abc import Callable, Sequence
from random import Random

from effort import effort
from groundwire.ingestion import IngestionValidator, MemoryClaim, MemoryRecord, ValidationResult
from groundwire.ingestion.duplicates import conflicts


def _word(number: int) -> str:
    """Return a made-up word for each number."""
    number += 1_000
    letters = []
    while number:
        letters.append("bcdfghklmnprstvz"[number % 16] + "aeiou"[number % 5])
        number //= 16
    return "".join(letters)


KINDS: dict[str, Callable[[int], str]] = {
    "a number changes": lambda place: f"The service in region west uses port {place} for internal traffic",
    "a date changes": lambda place: f"The clinic moved to Leeds in {1800 + place} and stayed there",
    "a word changes": lambda place: f"The garden of the clinic grows wonderful {_word(place)} every spring",
    "two words change": lambda place: f"The {_word(place % 97)} of the clinic grows {_word(place // 97)} every spring",
    "a name changes": lambda place: f"The team in Leeds reports to {_word(place).capitalize()} on Mondays",
    "a negation comes and goes": lambda place: f"The clinic does {'not ' * (place % 2)}open on day {place // 2} at all",
    "the same rare words": lambda place: (
        f"Zymurgy quokka {_word(place)} {_word(place * 7 + 1)} {_word(place * 13 + 5)}"
    ),
    "a long text with a word that changes": lambda place: " ".join(map(_word, range(60))) + f" {_word(place + 100)}",
    "words in another order": lambda place: " ".join(Random(place).sample([_word(each) for each in range(12)], 12)),
    "all identical": lambda _: "The clinic opens at nine",
    "identical but for white space": lambda place: "The  clinic opens at nine" + " " * (place % 50),
    "nothing but punctuation": lambda place: "." * (1 + place % 40),
    "Chinese": lambda place: f"\u8bca\u6240\u5728{place}\u70b9\u5f00\u95e8\u5e76\u4e14\u63a5\u5f85\u75c5\u4eba",
}


class Memories:
    """A provider that returns all of its records for every request, without a filter."""

    def __init__(self) -> None:
        self.records: list[MemoryRecord] = []

    async def candidates(self, content: str, user_id: str, memory_type: str | None = None) -> Sequence[MemoryRecord]:
        """Return all records."""
        del content, user_id, memory_type
        return list(self.records)


class NoCitations:
    """A verifier that expects no requests."""

    async def verify_many(self, citations: Sequence[object]) -> list[object]:
        """Return no results for no citations."""
        assert not citations
        return []


def validate(texts: Sequence[str]) -> list[ValidationResult]:
    """Validate a batch of claims."""
    claims = [MemoryClaim(text, "fact", "user_stated", "anna") for text in texts]
    return asyncio.run(IngestionValidator(Memories(), verifier=NoCitations()).validate_many(claims))


def validate_naively(texts: Sequence[str]) -> list[ValidationResult]:
    """Validate claims one by one, and compare each with all earlier ones that are not blocked."""
    memories, results = Memories(), []
    validator = IngestionValidator(memories, verifier=NoCitations())
    for place, text in enumerate(texts):
        found = asyncio.run(validator.validate(text, "fact", "user_stated", "anna"))
        results.append(found)
        if found.tier.name != "BLOCK":
            memories.records.append(MemoryRecord(id=f"batch:{place}", content=text, memory_type="fact"))
    return results


def shown(results: Sequence[ValidationResult]) -> list[tuple[object, ...]]:
    """Return the parts of a result that must be equal."""
    names = ("tier", "reasons", "duplicate_memory_id", "conflicting_memory_id", "similarity")
    return [tuple(getattr(each, name, None) for name in names) for each in results]


def test_a_batch_has_the_verdicts_of_all_pairs(attack):
    """This holds for each kind of claim, and for random mixtures."""
    for kind, text in KINDS.items():
        with attack.attempt(kind):
            texts = [text(place) for place in range(effort(40, 300))]
            assert shown(validate(texts)) == shown(validate_naively(texts))
    for seed in range(effort(20, 400)):
        with attack.attempt(f"mixed, seed {seed}"):
            random = Random(seed)
            texts = [random.choice(list(KINDS.values()))(random.randrange(12)) for _ in range(30)]
            assert shown(validate(texts)) == shown(validate_naively(texts))


def _texts_read(texts: Sequence[str], monkeypatch) -> int:
    """Return how many times a batch reads a text."""
    count = 0
    read = conflicts.TextContent

    def counted(text: str, language: str) -> object:
        nonlocal count
        count += 1
        return read(text, language)

    with monkeypatch.context() as patched:
        patched.setattr(conflicts, "TextContent", counted)
        validate(texts)
    return count


def test_the_texts_that_are_read_grow_with_the_claims(attack, monkeypatch):
    """A claim is compared with at most 16 others of either kind, and each text is read once."""
    sizes = effort(100, 1_000), effort(400, 4_000)
    for kind, text in KINDS.items():
        with attack.attempt(kind):
            small, large = (_texts_read([text(place) for place in range(size)], monkeypatch) for size in sizes)
            # A text is read again for each language of the texts that it is compared with.
            assert large <= 8 * max(small, sizes[0])
            assert large <= 4 * sizes[1]
