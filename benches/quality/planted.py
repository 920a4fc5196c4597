"""Claims made by rule out of what a person says in an interview, and edits of them, drawn by a seed."""

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from plain import words_of
from ranking import SEED

from groundwire._engine import sentences
from groundwire.faithfulness import SourceData, Unit

__all__ = ["Edit", "Interview", "Planted", "planted_claims", "read_interview"]

_WORDS = range(5, 19)
_LEAST_TELLING = 3
_MOST_EDITS = 2
"""Edits of one kind and claim, each with another word in the place."""

_LEAD = re.compile(r"(?:(?:so|and|but|well|yeah|yes|actually|obviously|certainly|again|then),?\s+)+", re.IGNORECASE)
_FILLERS = re.compile(
    r",?\s*\b(?:you know|i mean|sort of|kind of|basically|actually|or so|i think|i guess)\b,?", re.IGNORECASE
)
_HE = {"i": "he", "i'm": "he is", "i've": "he has", "i'd": "he would", "my": "his", "me": "him", "mine": "his"} | {
    "myself": "himself",
    "we": "they",
    "our": "their",
    "us": "them",
    "am": "is",
}
_AUXILIARY = frozenset({"can", "could", "would", "will", "should", "may", "might", "must", "did", "had", "was", "is"})
_ADVERBS = frozenset(
    {"really", "usually", "always", "never", "also", "just", "generally", "mostly", "definitely", "still"}
)
_THIRD = {
    "have": "has",
    "do": "does",
    "don't": "does not",
    "go": "goes",
    "try": "tries",
    "was": "was",
    "haven't": "has not",
}
_PRESENT = """
add appreciate believe buy care check come draw drive enjoy feel find follow get joke keep know like live need rent see
sleep skip spend take think travel trust use vote want work
"""
_VERBS = frozenset(_PRESENT.split())
_NAMES = re.compile(r"(?<=[a-z,] )(?!I\b)[A-Z][a-z]{2,}(?: [A-Z][a-z]+)*(?=[ .,]|\Z)")
_COUNTS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_COUNT = re.compile(rf"\b(?:{'|'.join(_COUNTS[1:])}|\d{{1,4}})\b(?!-)")
_NOT = re.compile(r"\b(is|was|has|had|would|can|could|does|do|did|were|are|will) (not|never|n't) |\b(never) ")
_BE = re.compile(r"\b(He|he|his (?:dad|mom)|they|They) (is|was|has|had|would|can|could|does|did|were|are|will)\b")
_OTHER_NAMES = """
Berlin Toronto Chicago Brazil Norway Denver Vienna Princeton Columbia Michigan Portugal Kyoto Oxford Zurich Reddit Maria
Rebecca Spain Seattle Arizona
"""
_INVENTED = """
He teaches yoga on weekends.
He owns two restaurants.
He is married with three children.
He speaks fluent Portuguese.
He trains for marathons every spring.
He worked as a nurse before college.
He collects vintage watches.
He volunteers at an animal shelter.
He drives an electric car to work.
He suffers from migraines.
He inherited a farm from his grandfather.
He hosts a podcast on astronomy.
He served in the navy.
He is allergic to peanuts.
He is writing a cookbook.
He coaches a youth soccer team.
He bought a sailing boat last summer.
He attends church every Sunday.
He has a twin sister.
He prefers oat milk in his coffee.
"""


class Edit(StrEnum):
    """What was done to a claim."""

    NONE = "untouched"
    NUMBER = "changed number"
    NEGATION = "negation"
    NAME = "swapped name"
    INVENTED = "invented attribute"


@dataclass(frozen=True, slots=True)
class Planted:
    """A claim, what was done to it, and the number of the turn that it was made of, -1 where there is none."""

    text: str
    edit: Edit
    unit: int


@dataclass(frozen=True, slots=True)
class Interview:
    """What is said, who is asked, and facts on that person by field."""

    text: str
    speaker: str
    facts: dict[str, object]


def read_interview(folder: Path) -> Interview:
    """Return the interview of the sets."""
    row = json.loads((folder / "interview_with_facts.json").read_text(encoding="utf-8"))
    return Interview("\n".join(row["source"]), row["scratch"]["first_name"], row["scratch"])


def planted_claims(interview: Interview) -> list[Planted]:
    """Return claims as they are said, and the edits of each; the same for the same interview."""
    chance = random.Random(SEED)
    units = list(SourceData([("interview", interview.text)]).units())
    names = sorted({name for unit in units for name in _NAMES.findall(unit.text)} - {interview.speaker})
    found = []
    for number, unit in enumerate(units):
        for claim in dict.fromkeys(_claims(unit, interview.speaker)):
            found.append(Planted(claim, Edit.NONE, number))
            for kind, edit in (
                (Edit.NUMBER, _Recounting(unit.text)),
                (Edit.NEGATION, _denied_otherwise),
                (Edit.NAME, _Renaming(names)),
            ):
                found += [Planted(edited, kind, number) for edited in _edits(claim, edit, chance)]
    return found + [Planted(claim, Edit.INVENTED, -1) for claim in _INVENTED.strip().splitlines()]


def _claims(unit: Unit, speaker: str) -> Iterator[str]:
    if unit.locator.speaker != speaker:
        return
    for start, end in sentences(unit.text):
        plain = " ".join(_LEAD.sub("", _FILLERS.sub(" ", unit.text[start:end]).strip(), count=1).split())
        words = plain.replace("’", "'").split(" ")
        if words[0].lower() in ("i", "i'm", "i've", "my", "we") and len(words) in _WORDS and plain.endswith("."):
            claim = _in_third_person(words)
            # What says nothing by itself cannot be looked for: he did a lot of that.
            if len(words_of(claim)) >= _LEAST_TELLING:
                yield claim


def _in_third_person(words: list[str]) -> str:
    told, is_verb = [], False
    for word in words:
        lower = word.lower()
        bare = lower.rstrip(".,")
        if is_verb and bare not in _ADVERBS:
            is_verb = False
            if bare not in _AUXILIARY:
                third = _THIRD.get(bare) or (f"{bare}s" if bare in _VERBS else bare)
                word = third + lower[len(bare) :]
        elif bare in _HE:
            word = _HE[bare] + lower[len(bare) :]
        is_verb = is_verb or bare == "i"
        told.append(word)
    sentence = " ".join(told)
    return sentence[:1].upper() + sentence[1:]


def _edits(claim: str, edit: "Callable[[str, random.Random], str]", chance: random.Random) -> list[str]:
    edited = [edit(claim, chance) for _ in range(_MOST_EDITS)]
    return [each for each in dict.fromkeys(edited) if each != claim]


class _Recounting:
    """Puts another number in the place of one, which the turn does not say."""

    def __init__(self, turn: str) -> None:
        said = set(re.findall(r"\w+", turn.lower()))
        self._words = [
            word for value, word in enumerate(_COUNTS, 1) if value > 1 and said.isdisjoint({word, str(value)})
        ]
        self._said = said

    def __call__(self, claim: str, chance: random.Random) -> str:
        found = _COUNT.search(claim)
        if found is None:
            return claim
        if found[0].isdigit():
            near = [str(int(found[0]) + step) for step in (2, 3, 4, 6, 9)]
            changed = chance.choice([number for number in near if number not in self._said])
        else:
            changed = chance.choice([word for word in self._words if word != found[0]])
        return claim[: found.start()] + changed + claim[found.end() :]


def _denied_otherwise(claim: str, chance: random.Random) -> str:
    """The claim without its denial, if it has one, else with one."""
    found = _NOT.search(claim)
    if found is not None:
        return claim[: found.start()] + (f"{found[1]} " if found[1] else "") + claim[found.end() :]
    found = _BE.match(claim)
    if found is not None and "n't" not in claim and " not " not in claim:
        return f"{found[0]} {chance.choice(('not', 'never'))}{claim[found.end() :]}"
    verb = re.match(r"He ([a-z]+s) ", claim)
    if verb is not None and verb[1][:-1] in _VERBS:
        base = verb[1][:-1]
        denial = chance.choice((f"does not {base}", f"never {verb[1]}"))
        return f"He {denial} {claim[verb.end() :]}"
    return claim


class _Renaming:
    """Puts another name in the place of one: of the interview itself, or of a list."""

    def __init__(self, names: list[str]) -> None:
        self._names = names

    def __call__(self, claim: str, chance: random.Random) -> str:
        found = _NAMES.search(claim)
        if found is None:
            return claim
        pool = self._names if chance.random() < 0.5 else _OTHER_NAMES.split()
        changed = chance.choice([name for name in pool if name not in claim and name not in found[0]])
        return claim[: found.start()] + changed + claim[found.end() :]
