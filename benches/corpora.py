"""Reads real texts from beside the project; they are not part of it."""

import os
from pathlib import Path

from groundwire.benchmarks.corpus import Corpus

__all__ = ["CORPORA", "english"]

SHARED = Path(os.environ.get("GROUNDWIRE_SHARED", Path(__file__).resolve().parents[2] / "shared"))
CORPORA = SHARED / "data" / "corpora"

# Two novels are a million characters; a podcast and the Bible come after them where more is asked for.
_FILES = (
    "en_novel_Emma.txt",
    "en_novel_TheMysteriousAffairAtStyles.txt",
    "en_changelog_concat_5mb.txt",
    "en_kjv_bible.txt",
)

# A novel by another author: its quotes share only the language with the text.
_ELSEWHERE = ("en_novel_NightAndDay.txt",)


def english() -> Corpus:
    """Return the corpus of real English, or of made-up English where the files are not there."""
    files, elsewhere = (tuple(CORPORA / name for name in names) for names in (_FILES, _ELSEWHERE))
    return Corpus(files, elsewhere) if all(file.is_file() for file in (*files, *elsewhere)) else Corpus()
