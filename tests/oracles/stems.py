"""Words, postings and what a sentence shares with a claim, as a plain program finds them."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set

from groundwire.faithfulness.support.words import Role, Word, denials_in, described

__all__ = ["PostingsNaive", "read_words_naive", "shared_naive"]

_WORD = re.compile(
    r"[\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff]+|[eE]-?mails?\b|[^\W_\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)
_CLAUSE_END = re.compile(r"[,;:.!?()—–。！？；，、：]")


def read_words_naive(text: str) -> list[Word]:
    """Return the words of *text*, as `read_words` does."""
    return list(_words(text))


def _words(text: str) -> Iterator[Word]:
    clause, done, at = 0, None, 0
    while match := _WORD.search(text, at):
        start, end = match.start(), _with_apostrophe(text, match)
        clause += done is not None and _CLAUSE_END.search(text, done, start) is not None
        done = at = end
        if "\u3041" <= text[start] <= "\ufaff":
            for place in range(start, max(start + 1, end - 1)):
                pair = text[place : min(place + 2, end)]
                yield Word(pair, pair, place, place + len(pair), clause)
        else:
            lower, stem, roles = described(text[start:end], False)
            clause += bool(roles & Role.BEGINS_CLAUSE)
            yield Word(lower, stem, start, end, clause)


def _with_apostrophe(text: str, match: re.Match[str]) -> int:
    """Where the word ends that *match* begins: an apostrophe and letters belong to it, but to `email` and Han."""
    end = match.end()
    is_run = not re.fullmatch(r"[eE]-?mails?|[\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff]+", match[0])
    if not is_run or text[end : end + 1] not in ("'", "’") or not text[end : end + 1]:
        return end
    last = end + 1
    while last < len(text) and text[last].isalpha():
        last += 1
    return last if last > end + 1 else end


def shared_naive(words: Sequence[Word], stems: Set[str]) -> tuple[int, int, bool, bool] | None:
    """Return what `WordReader.shared` does of a sentence with these words."""
    common = [word for word in words if word.stem in stems]
    if not common:
        return None
    denials = denials_in(words)
    clauses = {word.clause for word in common}
    return (
        common[0].start,
        common[-1].end,
        any(words[place].clause in clauses for place in denials),
        any(words[place].stem in stems for reach in denials.values() for place in reach),
    )


class PostingsNaive:
    """Sentences, each as a set of stems."""

    def __init__(self, sentences: Sequence[Set[str]]) -> None:
        self.sentences = sentences
        self.places: defaultdict[str, list[int]] = defaultdict(list)
        for number, stems in enumerate(sentences):
            for stem in stems:
                self.places[stem].append(number)

    def nearest(self, weights: Mapping[str, float], least: float, limit: int) -> list[tuple[int, float]]:
        """Return what `StemIndex.nearest` does of these weights."""
        ordered = sorted(weights, key=lambda stem: (-weights[stem], stem))
        total = 0.0
        for stem in ordered:
            total += weights[stem]
        left, shares = total, dict[int, float]()
        for stem in ordered:
            for number in self.places.get(stem, ()):
                if left >= least * total or number in shares:
                    shares[number] = shares.get(number, 0.0) + weights[stem]
            left -= weights[stem]
        ranked = sorted((-round(share / total, 9), number) for number, share in shares.items())
        return [(number, min(1.0, -share)) for share, number in ranked if -share >= least][:limit]

    def with_both(self, stems: Set[str], others: Set[str]) -> list[int]:
        """Return what `StemIndex.with_both` does."""
        return [number for number, own in enumerate(self.sentences) if own & stems and own & others]
