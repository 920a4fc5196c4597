"""Claims to hedges: the engine finds the words, the lexicon's rules look at what stands beside them."""

from collections.abc import Sequence
from functools import cache

from groundwire import Patterns
from groundwire.ingestion.hedges.folding import Folded, fold
from groundwire.ingestion.hedges.lexicon import LANGUAGES, HedgePhrase, check_languages, load_lexicon
from groundwire.ingestion.hedges.results import HedgeAction, HedgeCategory, HedgeCue, HedgeResult
from groundwire.ingestion.hedges.unspoken import is_unspoken, unspoken_spans

__all__ = ["HedgeDetector"]

_Chosen = tuple[HedgePhrase, HedgeCategory, int, int]
"""What is a hedge, of which category, and where it stands in the text as it was given."""


class HedgeDetector:
    """
    Find what makes a claim speculative.

    Matching is left to right, the longest phrase first, in whole words (anywhere in
    Chinese and Japanese), whatever the case, the white space, the width of the
    characters or the emphasis around them. What stands in a quotation or in code
    is somebody else's, unless the whole claim does.

    Immutable and safe to share between threads. Detectors of the same lexicons
    share what they have prepared.

    Args:
        lexicons: Languages, of `HedgeDetector.LANGUAGES`; all of them by default, for a
            hedge in a language that nobody expects is a hedge too.
        scientific: Take the words of English research prose for hedges too (`indicates
            that`, `whether`, `putative`): they are none in most other texts (ruling C6).

    Raises:
        ValueError: There is no such lexicon, or none is given.
        TypeError: *lexicons* is one str.
    """

    LANGUAGES = LANGUAGES

    __slots__ = ("_entries", "_patterns")

    def __init__(self, lexicons: Sequence[str] = LANGUAGES, *, scientific: bool = False) -> None:
        names = (*check_languages(lexicons), *(("scientific",) if scientific else ()))
        self._entries, self._patterns = _prepare(names)

    @property
    def patterns(self) -> Patterns:
        """All phrases: without any of them in a folded text in small letters there is no hedge."""
        return self._patterns

    def analyze(self, text: str) -> HedgeResult:
        """
        Return the hedges of *text* and what they lead to.

        Takes time in proportion to the length of *text*, whatever it holds.

        Raises:
            TypeError: *text* is no str.
        """
        if not isinstance(text, str):
            raise TypeError(f"text must be a str, got {type(text).__name__}")
        folded = fold(text)
        found = self._patterns.find_all(folded.lowered)
        chosen = self._chosen(text, folded.plain, found, folded) if found else []
        if not chosen:
            return HedgeResult(False, HedgeAction.CONTINUE)
        cues = tuple(
            HedgeCue(text[first:last], first, last, category, entry.language) for entry, category, first, last in chosen
        )
        return HedgeResult(True, _action(chosen), [cue.text for cue in cues], cues)

    def analyze_plain(self, text: str, found: list[tuple[int, int, int]]) -> tuple[HedgeAction, list[str]]:
        """
        Return what follows from the hedges of *text*, and their words, as `analyze` does.

        Args:
            text: A text that folding leaves as it is, but for curly apostrophes.
            found: What `patterns` find in it when it is folded and in small letters.
        """
        chosen = self._chosen(text, text.replace("\u2019", "'"), found)
        return _action(chosen), [text[first:last] for _, _, first, last in chosen]

    def _chosen(
        self, text: str, plain: str, found: list[tuple[int, int, int]], folded: Folded | None = None
    ) -> list[_Chosen]:
        """
        Choose among what was *found* in the *plain* text, by start, the longest first; *folded* knows the way back.

        An exception hides what stands inside it, a cue what shares characters with
        it; but what blocks is hidden by no cue that goes to review.
        """
        skipped = unspoken_spans(text)
        exception_end = cue_end = block_end = 0
        chosen: list[_Chosen] = []
        for index, start, end in found:
            entry = self._entries[index]
            if end <= exception_end or start < (block_end if entry.blocks else cue_end):
                continue
            if not entry.holds(plain, start):
                continue
            if entry.category is None:
                exception_end = end
                continue
            first, last = (start, end) if folded is None else folded.origin(start, end)
            if skipped and is_unspoken(skipped, first, last):
                continue
            cue_end = max(cue_end, end)
            block_end = end if entry.blocks else block_end
            chosen.append((entry, entry.category, first, last))
        return chosen


def _action(chosen: list[_Chosen]) -> HedgeAction:
    """What follows from these entries."""
    for entry, _, _, _ in chosen:
        if entry.blocks:
            return HedgeAction.BLOCK
    return HedgeAction.REVIEW if chosen else HedgeAction.CONTINUE


@cache
def _prepare(names: tuple[str, ...]) -> tuple[tuple[HedgePhrase, ...], Patterns]:
    """
    Return the entries of all lexicons, the longest first, and the engine's patterns in the same order.

    Matches that begin at the same place come by index, so by length. Of equal words
    exceptions come first, then what blocks.
    """
    entries = [entry for name in names for entry in load_lexicon(name)]
    entries.sort(key=lambda entry: (-len(entry.words), entry.category is not None, not entry.blocks))
    return tuple(entries), Patterns([entry.words for entry in entries], word_boundaries=True)
