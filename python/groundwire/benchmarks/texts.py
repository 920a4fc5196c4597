"""
Transcripts made up from a seed: to a search they look like real ones.

Words follow Zipf's law, speakers take turns, some sentences carry a tag, and
English comes plain ("english") or as word processors leave it, with curly marks
and no-break spaces here and there ("curly"). The same arguments give the same
text under every version of Python.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Protocol

from groundwire.benchmarks.words import LANGUAGES, Language

__all__ = ["MadeUp", "Text", "altered", "passages", "transcript"]

_TAGS = ("<laughter>", "<pause>", "<sigh>", "<sync>", "<clears throat>")


class Text(Protocol):
    """A text that benchmarks run on."""

    @property
    def name(self) -> str:
        """What the text is, in a few words."""

    def read(self) -> str:
        """Return the text."""


@dataclass(frozen=True, slots=True)
class MadeUp:
    """A made-up transcript of *chars* characters in *style*: a language, or "curly"."""

    style: str
    chars: int
    seed: int = 0

    @property
    def name(self) -> str:
        """Style and size."""
        return f"{self.style}, {self.chars:,} characters"

    def read(self) -> str:
        """Return the text; it is made once."""
        return transcript(self.style, self.chars, self.seed)


# Nothing but random() is asked of a generator here: of Random's methods it is
# the only one whose sequence is promised to stay the same.
@cache
def transcript(style: str, chars: int, seed: int = 0) -> str:
    """
    Return a transcript of exactly *chars* characters, cut off where they end.

    Raises:
        KeyError: *style* is neither a language nor "curly".
    """
    language = LANGUAGES["english" if style == "curly" else style]
    random = Random(f"{style} {seed}")
    vocabulary = _vocabulary(language)
    turns: list[str] = []
    left = chars
    while left > 0:
        name = language.speakers[len(turns) % 2]
        sentences = (_sentence(language, vocabulary, random) for _ in range(1 + int(4 * random.random())))
        turn = f"{name}: {(language.blank).join(sentences)}\n"
        turns.append(_typeset(turn, random) if style == "curly" else turn)
        left -= len(turns[-1])
    return "".join(turns)[:chars]


def _vocabulary(language: Language) -> Sequence[str]:
    """Return the common words, then rare ones that are put together from syllables."""
    random = Random(0)
    rare = (
        "".join(_pick(language.syllables, random) for _ in range(1 + int(3 * random.random())))
        for _ in range(language.rare)
    )
    return [*language.common, *rare]


def _sentence(language: Language, vocabulary: Sequence[str], random: Random) -> str:
    """Return 4 to 18 words, a stop and now and then a tag."""
    words = []
    for _ in range(4 + int(15 * random.random())):
        # The logarithm of a word's rank is spread evenly: that is Zipf's law.
        words.append(vocabulary[int(len(vocabulary) ** random.random()) - 1])
        words.append(language.comma if random.random() < 0.08 else language.blank)
    words[-1] = _pick(language.stops, random)
    if language.capitals:
        words[0] = words[0][0].upper() + words[0][1:]
    if random.random() < 0.06:
        words.insert(2 * int(len(words) / 2 * random.random()), f"{_pick(_TAGS, random)} ")
    return "".join(words)


def _pick(items: Sequence[str], random: Random) -> str:
    return items[int(len(items) * random.random())]


def _typeset(turn: str, random: Random) -> str:
    """Make most apostrophes curly, put some passages between quotation marks and some blanks fixed."""
    if random.random() < 0.8:
        turn = turn.replace("'", "’")
    head, *words = turn.split(" ")
    if len(words) > 6 and random.random() < 0.3:
        words[2] = f"“{words[2]}"
        words[5] = f"{words[5]}”"
    if random.random() < 0.2:
        head += "\u00a0" + words.pop(0)
    return " ".join([head, *words]).replace("...", "…")


def passages(text: str, count: int, chars: int) -> list[str]:
    """Return *count* slices of *chars* characters, spread evenly over *text*: no white space at an end, no tag."""
    return [text[start : start + chars] for start in _starts(text, count, chars)]


def _starts(text: str, count: int, chars: int) -> Iterator[int]:
    for number in range(count):
        start = (len(text) - chars) * number // count
        while not _is_plain(text[start : start + chars]):
            start += 1
        yield start


def _is_plain(passage: str) -> bool:
    return passage == passage.strip() and not {"<", ">"} & {*passage}


def altered(quote: str, share: float, seed: int = 0) -> str:
    """Return *quote* with about *share* of its characters changed, dropped or doubled."""
    random = Random(f"altered {seed}")
    return "".join(
        character if random.random() >= share else _pick(("", "x", character * 2), random) for character in quote
    )
