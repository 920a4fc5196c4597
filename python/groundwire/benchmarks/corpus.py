"""
English to measure on: real texts where files of them are given, else made-up ones.

Promises are about real text, which is no part of the package: whoever has some
names the files.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from groundwire import normalize
from groundwire.benchmarks.texts import Text, transcript
from groundwire.files import read_file

__all__ = ["Corpus"]

# What a made-up text may lose when it is normalised, and more.
_SPARE = 1.3


@dataclass(frozen=True, slots=True)
class Corpus:
    """
    Where English comes from.

    Attributes:
        files: Read one after the other until a text is long enough; none: it is made up.
        elsewhere: Where quotes come from that the text does not hold; never among *files*.
    """

    files: tuple[Path, ...] = ()
    elsewhere: tuple[Path, ...] = ()

    def text(self, chars: int, *, is_normalized: bool = True) -> Text:
        """Return the first *chars* characters."""
        return _English(self.files, chars, is_normalized, 0)

    def other(self, chars: int, *, is_normalized: bool = True) -> Text:
        """Return *chars* characters of other texts, or as many as there are."""
        return _English(self.elsewhere, chars, is_normalized, 1)


@dataclass(frozen=True, slots=True)
class _English:
    """The beginning of some files, or a made-up transcript where there are none."""

    files: tuple[Path, ...]
    chars: int
    is_normalized: bool
    seed: int

    @property
    def name(self) -> str:
        """The files that it comes from, its size and form."""
        names = " and ".join(file.stem for file, _ in _needed(self.files, self.chars)) if self.files else "made up"
        form = "normalised" if self.is_normalized else "as it is"
        return f"{names}, {self.chars:,} characters, {form}"

    def read(self) -> str:
        """Return the text; it is made once."""
        return _written(self.files, self.chars, self.is_normalized, self.seed)


@cache
def _written(files: tuple[Path, ...], chars: int, is_normalized: bool, seed: int) -> str:
    raw = "\n".join(text for _, text in _needed(files, chars)) or transcript("english", int(chars * _SPARE), seed)
    return (normalize(raw) if is_normalized else raw)[:chars]


@cache
def _needed(files: tuple[Path, ...], chars: int) -> tuple[tuple[Path, str], ...]:
    """Return as many of *files*, with what is in them, as make *chars* characters when they are normalised."""
    return tuple(_read_until(files, chars))


def _read_until(files: tuple[Path, ...], chars: int) -> Iterator[tuple[Path, str]]:
    left = chars
    for file in files:
        text = read_file(file).decode("utf-8")
        yield file, text
        left -= len(normalize(text))
        if left <= 0:
            return
