"""
Provides texts and quotes to measure on.

Synthetic transcripts come from a seed: words follow Zipf's law, speakers take turns, some sentences carry a tag, and
English is plain ("english") or as word processors leave it, with curly quotes and some no-break spaces ("curly"). The
same arguments give the same text under every version of Python. `Corpus` reads real texts from files. `Quotes` are
drawn from either kind of text, with known scores.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from random import Random
from string import ascii_lowercase
from typing import Protocol

from groundwire import normalize, partial_ratio, partial_ratio_many
from groundwire.benchmarks.words import LANGUAGES, Language
from groundwire.errors import GroundwireError
from groundwire.files import read_file

__all__ = [
    "CUTOFF",
    "BenchmarkError",
    "Corpus",
    "Kind",
    "Quotes",
    "Synthetic",
    "Text",
    "altered",
    "passages",
    "transcript",
]

_TAGS = ("<laughter>", "<pause>", "<sigh>", "<sync>", "<clears throat>")


class Text(Protocol):
    """Provides a text that benchmarks run on."""

    @property
    def name(self) -> str:
        """Describe the text in a few words."""

    def read(self) -> str:
        """Return the text."""


@dataclass(frozen=True, slots=True)
class Synthetic:
    """Describes a synthetic transcript of *chars* characters in *style*: a language, or "curly"."""

    style: str
    chars: int
    seed: int = 0

    @property
    def name(self) -> str:
        """Return style and size."""
        return f"{self.style}, {self.chars:,} characters"

    def read(self) -> str:
        """Return the text, which is generated only once."""
        return transcript(self.style, self.chars, self.seed)


# This file calls only random(), because Python keeps only that sequence stable across versions.
@cache
def transcript(style: str, chars: int, seed: int = 0) -> str:
    """
    Return a transcript of exactly *chars* characters; the last turn may be cut off.

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
    """Return the common words, followed by rare words made of syllables."""
    random = Random(0)
    rare = (
        "".join(_pick(language.syllables, random) for _ in range(1 + int(3 * random.random())))
        for _ in range(language.rare)
    )
    return [*language.common, *rare]


def _sentence(language: Language, vocabulary: Sequence[str], random: Random) -> str:
    """Return 4 to 18 words, a full stop or another end mark, and sometimes a tag."""
    words = []
    for _ in range(4 + int(15 * random.random())):
        # Zipf's law: the logarithm of a word's rank is distributed evenly.
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
    """Make most apostrophes curly, add some quotation marks, and replace some blanks by no-break spaces."""
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
    """Return *count* slices of *chars* characters, spread evenly over *text*, without tags or outer white space."""
    return [text[start : start + chars] for start in _starts(text, count, chars)]


def _starts(text: str, count: int, chars: int) -> Iterator[int]:
    for number in range(count):
        start = (len(text) - chars) * number // count
        while not _is_plain(text[start : start + chars]):
            start += 1
        yield start


def _is_plain(passage: str) -> bool:
    return passage == passage.strip() and not {"<", ">"} & {*passage}


def altered(quote: str, share: float) -> str:
    """Return *quote* with about *share* of its characters changed, dropped or doubled."""
    random = Random("altered 0")
    return "".join(
        character if random.random() >= share else _pick(("", "x", character * 2), random) for character in quote
    )


class BenchmarkError(GroundwireError):
    """Reports that a measurement would be meaningless: a wrong answer, a debug build, or a corpus that is too short."""


# Normalising shortens a synthetic text by less than this factor.
_SPARE = 1.3

# Absent quotes of a shorter text would not differ.
_MIN_OTHER_CHARS = 10_000


@dataclass(frozen=True, slots=True)
class Corpus:
    """
    Provides English: real texts if files are given, otherwise synthetic ones.

    Targets refer to real texts. These are not part of the package.

    Attributes:
        files: Read one after the other until the text is long enough. Without files, the text is synthetic.
        elsewhere: Sources of quotes that the text does not contain; none of these is in *files*.
    """

    files: tuple[Path, ...] = ()
    elsewhere: tuple[Path, ...] = ()

    def text(self, chars: int, *, is_normalized: bool = True) -> Text:
        """Return the first *chars* characters."""
        return _English(self.files, chars, chars, is_normalized, 0)

    def other(self, chars: int, *, is_normalized: bool = True) -> Text:
        """Return the first *chars* characters of other texts, or all of a shorter one with at least 10,000."""
        return _English(self.elsewhere, chars, min(chars, _MIN_OTHER_CHARS), is_normalized, 1)


@dataclass(frozen=True, slots=True)
class _English:
    """Describes the beginning of some files, or a synthetic transcript without files."""

    files: tuple[Path, ...]
    chars: int
    min_chars: int
    is_normalized: bool
    seed: int

    @property
    def name(self) -> str:
        """Return the names of the files, the size and the form."""
        names = " and ".join(file.stem for file, _ in _needed(self.files, self.chars)) if self.files else "synthetic"
        form = "normalised" if self.is_normalized else "as it is"
        return f"{names}, {self.chars:,} characters, {form}"

    def read(self) -> str:
        """
        Return the text, which is generated only once.

        Raises:
            BenchmarkError: The files are too short, or one is not UTF-8.
        """
        return _written(self)


@cache
def _written(text: _English) -> str:
    if text.files:
        raw = "\n".join(read for _, read in _needed(text.files, text.chars))
        if len(raw) < text.min_chars:
            names = " and ".join(file.name for file in text.files)
            raise BenchmarkError(f"{names}: needs at least {text.min_chars:,} characters, got {len(raw):,}")
    else:
        raw = transcript("english", int(text.chars * _SPARE), text.seed)
    return (normalize(raw) if text.is_normalized else raw)[: text.chars]


@cache
def _needed(files: tuple[Path, ...], chars: int) -> tuple[tuple[Path, str], ...]:
    """Return the first of *files* and their texts, until these have *chars* characters when normalised."""
    return tuple(_read_until(files, chars))


def _read_until(files: tuple[Path, ...], chars: int) -> Iterator[tuple[Path, str]]:
    left = chars
    for file in files:
        try:
            text = read_file(file).decode("utf-8")
        except UnicodeDecodeError as error:
            raise BenchmarkError(f"{file.name} is not UTF-8: invalid byte at offset {error.start}") from None
        yield file, text
        left -= len(normalize(text))
        if left <= 0:
            return


CUTOFF = 85.0
"""Minimum score (0 to 100) of a quote that counts as present."""

# Minimum score of a near miss.
_NEAR = 70.0

# Share of characters that typos change.
_TYPO_SHARE = 0.05

# Number of quotes drawn at a time, until each kind has enough.
_BATCH = 64


class Kind(StrEnum):
    """Names how a quote is made, and the score that follows."""

    VERBATIM = "verbatim"
    """An unchanged passage."""
    TYPOS = "typos"
    """A passage with some characters changed, dropped or added: 85 or more."""
    NEAR = "near"
    """A passage with more changes, which scores 70 to 84."""
    ABSENT = "absent"
    """A passage of another text, below 85."""

    @property
    def is_present(self) -> bool:
        """Tell whether such quotes score 85 or more."""
        return self in (Kind.VERBATIM, Kind.TYPOS)


@dataclass(frozen=True, slots=True)
class Quotes:
    """
    Describes quotes for a text; they are drawn from a seed.

    Quotes are normalised, like the texts that they come from, so that a direct comparison and a `Source` give the same
    score.

    Attributes:
        text: The normalised text that is searched.
        other: The normalised text that absent quotes come from.
        count: Number of quotes.
        chars: Lengths of the quotes, in rotation; each is used once for every kind.
        kinds: Kinds of the quotes, in rotation.
    """

    text: Text
    other: Text
    count: int
    chars: tuple[int, ...]
    kinds: tuple[Kind, ...] = (Kind.TYPOS, Kind.NEAR, Kind.ABSENT)

    def read(self) -> tuple[str, ...]:
        """
        Return the quotes, which are drawn only once.

        Raises:
            ValueError: One of the texts is not normalised.
        """
        return _drawn(self)

    def kind(self, index: int) -> Kind:
        """Return the kind of the quote at *index*."""
        return self.kinds[index % len(self.kinds)]

    def length(self, index: int) -> int:
        """Return the number of characters of the quote at *index*."""
        return self.chars[index // len(self.kinds) % len(self.chars)]


@cache
def _drawn(quotes: Quotes) -> tuple[str, ...]:
    for text in (quotes.text, quotes.other):
        # Cutting may have left a blank at the end.
        if normalize(text.read()) != text.read().strip():
            raise ValueError(f"quotes need a normalised text, got {text.name}")
    sorts = [(quotes.kind(index), quotes.length(index)) for index in range(quotes.count)]
    pools = {sort: _of_kind(quotes, *sort, sorts.count(sort)) for sort in dict.fromkeys(sorts)}
    return tuple(pools[sort].pop() for sort in sorts)


def _of_kind(quotes: Quotes, kind: Kind, chars: int, count: int) -> list[str]:
    """Return *count* different quotes of one kind and length."""
    random = Random(f"{kind} {chars}")
    text = quotes.text.read()
    found: dict[str, None] = {}
    while len(found) < count:
        drawn = [_draw(quotes, kind, chars, random) for _ in range(min(_BATCH, 2 * count))]
        scores = partial_ratio_many(drawn, text, score_cutoff=CUTOFF)
        found |= {quote: None for quote, score in zip(drawn, scores, strict=True) if (score > 0) == kind.is_present}
    return [*found][:count]


def _draw(quotes: Quotes, kind: Kind, chars: int, random: Random) -> str:
    """Return a quote that is of *kind* compared with its own passage."""
    text = (quotes.other if kind is Kind.ABSENT else quotes.text).read()
    while True:
        start = int(max(0, len(text) - 2 * chars) * random.random())
        passage = text[start : start + 2 * chars]
        quote = passage[:chars] if kind in (Kind.VERBATIM, Kind.ABSENT) else _changed(passage, kind, chars, random)
        # A typo that drops a word of one letter leaves two blanks.
        if quote is not None and quote == normalize(quote):
            return quote


def _changed(passage: str, kind: Kind, chars: int, random: Random) -> str | None:
    """Return the first *chars* characters of *passage* with typos; None if the score does not fit *kind*."""
    quote = passage
    for _ in range(max(1, round(chars * _TYPO_SHARE))):
        quote = _typo(quote, chars, random)
    while kind is Kind.NEAR and partial_ratio(quote[:chars], passage) >= CUTOFF:
        quote = _typo(quote, chars, random)
    # The passage of a short text may have become shorter than the quote.
    quote = quote[:chars].ljust(chars, "x")
    low, high = (_NEAR, CUTOFF) if kind is Kind.NEAR else (CUTOFF, 101.0)
    return quote if low <= partial_ratio(quote, passage) < high else None


def _typo(quote: str, chars: int, random: Random) -> str:
    """Return *quote* with one of its first *chars* characters changed, dropped or doubled by another."""
    at = int(chars * random.random())
    letter = ascii_lowercase[int(26 * random.random())]
    written, resumed = ((letter, at + 1), ("", at + 1), (letter, at))[int(3 * random.random())]
    return quote[:at] + written + quote[resumed:]
