"""
Made-up contexts and claims of which is known what follows, to train a very small HHEM with.

A pair is a context of up to three sentences on one or two people, a claim about one of them,
and whether it follows. A claim that does not has another value, the value of the other
person, the opposite, or something of which nothing is said.
"""

import random
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = [
    "Ann",
    "Ben",
    "Carla",
    "David",
    "Elena",
    "Frank",
    "Grace",
    "Hugo",
    "Ines",
    "Jonas",
    "Karin",
    "Leo",
    "Maria",
    "Nils",
    "Olga",
    "Paul",
]
CITIES = [
    "Athens",
    "Berlin",
    "Cairo",
    "Dublin",
    "Essen",
    "Florence",
    "Geneva",
    "Hamburg",
    "Istanbul",
    "Lima",
    "Madrid",
    "Naples",
    "Oslo",
    "Prague",
]
JOBS = [
    "baker",
    "carpenter",
    "cook",
    "dentist",
    "designer",
    "driver",
    "editor",
    "engineer",
    "farmer",
    "manager",
    "nurse",
    "painter",
    "pilot",
    "teacher",
]
THINGS = [
    "email",
    "meetings",
    "coffee",
    "tea",
    "music",
    "calls",
    "chess",
    "dogs",
    "cats",
    "books",
    "trains",
    "spreadsheets",
    "cycling",
    "running",
]
NUMBERS = [str(number) for number in range(21, 61)]

LIKES = ("likes", "loves", "prefers", "enjoys")
DISLIKES = ("hates", "dislikes", "avoids", "cannot stand")
ASKED_LIKES = ("prefers {thing}", "likes {thing}", "prefers {thing} communication", "enjoys {thing}")
ASKED_DISLIKES = ("dislikes {thing}", "hates {thing}", "avoids {thing}")

# One in this many combinations of a name and a value is held out from training.
HELD_OUT = 8

Pair = tuple[str, str, int]


class Maker:
    """
    Makes pairs from a seed.

    Args:
        is_held_out: Whether claims are about combinations that training never has, or about the others.
    """

    def __init__(self, seed: int, *, is_held_out: bool) -> None:
        self._random = random.Random(seed)
        self._is_held_out = is_held_out

    def pairs(self, count: int) -> list[Pair]:
        """Return *count* pairs of context and claim, with 1 where the claim follows and 0 where it does not."""
        kinds: list[Callable[[int], Pair]] = [self._value, self._value, self._liking, self._denial]
        return [self._random.choice(kinds)(place % 2) for place in range(count)]

    def _combination(self, values: list[str]) -> tuple[str, str]:
        """A name and a value that may stand together here."""
        while True:
            name, value = self._random.choice(NAMES), self._random.choice(values)
            if (zlib.crc32(f"{name} {value}".encode()) % HELD_OUT == 0) == self._is_held_out:
                return name, value

    def _another(self, values: list[str], *known: str) -> str:
        return self._random.choice([value for value in values if value not in known])

    def _value(self, follows: int) -> Pair:
        """An age, a team, a city or an occupation: the same, another, or that of somebody else."""
        values, said, asked = self._random.choice(
            [
                (NUMBERS, ("is {0} years old", "turned {0} last May"), ("is {0} years old",)),
                (NUMBERS, ("leads a team of {0} people", "has a team of {0}"), ("leads a team of {0}",)),
                (CITIES, ("lives in {0}", "has a flat in {0}", "moved to {0}"), ("lives in {0}", "is based in {0}")),
                (JOBS, ("works as a {0}", "has been a {0} for years"), ("is a {0}", "works as a {0}")),
            ]
        )
        name, claimed = self._combination(values)
        other = self._another(NAMES, name)
        true = claimed if follows else self._another(values, claimed)
        # That of somebody else: often what is claimed falsely.
        theirs = claimed if not follows and self._random.random() < 0.8 else self._another(values, claimed, true)
        facts = [self._sentence(name, said, true)]
        if self._random.random() < 0.7:
            facts.append(self._sentence(other, said, theirs))
        return self._pair(facts, f"{name} {self._random.choice(asked).format(claimed)}.", follows)

    def _liking(self, follows: int) -> Pair:
        """What somebody likes or dislikes, or says so about themselves."""
        name, thing = self._combination(THINGS)
        is_liked = self._random.random() < 0.5
        asked = self._random.choice(ASKED_LIKES if is_liked else ASKED_DISLIKES).format(thing=thing)
        verb = self._random.choice(LIKES if is_liked == bool(follows) else DISLIKES)
        if self._random.random() < 0.5:
            own = {"cannot stand": "cannot stand", "dislikes": "dislike"}.get(verb, verb.removesuffix("s"))
            what = self._random.choice([thing, f"checking {thing}", f"my {thing}"])
            said, who = f"{name}: I {own} {what}.", self._random.choice([name, "User", "Person"])
        else:
            said, who = f"{name} {verb} {thing}.", name
        facts = [said]
        if who == name and self._random.random() < 0.4:
            verb = self._random.choice(LIKES + DISLIKES)
            facts.append(f"{self._another(NAMES, name)} {verb} {self._random.choice(THINGS)}.")
        return self._pair(facts, f"{who} {asked}.", follows)

    def _denial(self, follows: int) -> Pair:
        """Something is said and claimed, one of them perhaps with a not; or nothing is said of it."""
        values, yes, no = self._random.choice(
            [
                (CITIES, "lives in {0}", "does not live in {0}"),
                (JOBS, "is a {0}", "is not a {0}"),
                (THINGS, "likes {0}", "does not like {0}"),
            ]
        )
        name, value = self._combination(values)
        is_denied = self._random.random() < 0.5
        claim = f"{name} {(no if is_denied else yes).format(value)}."
        if not follows and self._random.random() < 0.3:
            other = self._another(NAMES, name)
            return self._pair([f"{other} {(no if is_denied else yes).format(value)}."], claim, follows)
        said = no if is_denied == bool(follows) else yes
        return self._pair([f"{name} {said.format(value)}."], claim, follows)

    def _sentence(self, name: str, forms: tuple[str, ...], value: str) -> str:
        return f"{name} {self._random.choice(forms).format(value)}."

    def _pair(self, facts: list[str], claim: str, follows: int) -> Pair:
        if self._random.random() < 0.3:
            facts = [*facts, self._random.choice(["It rained all day.", "We had lunch first.", "Then they left."])]
        self._random.shuffle(facts)
        return " ".join(facts), claim, follows
