"""Support of sentences whose source is known: their own page, another one, and their own with a number changed."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

from ranking import SEED
from sets import read_claims

from groundwire._engine import sentences
from groundwire.calibration import Rate
from groundwire.citations.risk_rules import RiskThresholds
from groundwire.citations.support import Support, support_of

__all__ = ["known_tables"]

_SENTENCES = 1_000
_SENTENCE_CHARS = range(40, 300)
_PAGE_CHARS = 400
# Between spaces, so that it is no reference, no place in a list and no part of a formula.
_NUMBER = re.compile(r"(?<= )\d{2,}(?= )")


def known_tables(folder: Path) -> Iterator[str]:
    """Yield the lines of the table."""
    chance = random.Random(SEED)
    results = [result for claim in read_claims(folder) for result in claim.results]
    pages = list(dict.fromkeys(result["content"] for result in results if len(result["content"]) > _PAGE_CHARS))
    drawn = [(page, sentence) for page in pages for sentence in _sentences(page)]
    pairs = chance.sample(drawn, min(_SENTENCES, len(drawn)))
    own = [support_of(sentence, [page]) for page, sentence in pairs]
    other = [support_of(sentence, [chance.choice(pages)]) for _, sentence in pairs]
    changed = [support_of(text, [page]) for page, sentence in pairs if (text := _changed(sentence)) != sentence]
    limits = RiskThresholds()
    yield f"| a sentence against | supported | score < {limits.weak_from} | contradicted |"
    yield "| --- | ---: | ---: | ---: |"
    for name, supports in (
        ("the page it stands in", own),
        ("another page", other),
        ("its page, after a number in it was changed", changed),
    ):
        yield _row(name, supports, limits)


def _sentences(page: str) -> Iterator[str]:
    text = page.partition("\n")[2]
    for start, end in sentences(text):
        sentence = text[start:end].strip()
        if len(sentence) in _SENTENCE_CHARS:
            yield sentence


def _changed(sentence: str) -> str:
    """The sentence with seven more in its first number of two digits or more."""
    return _NUMBER.sub(lambda match: str(int(match[0]) + 7), sentence, count=1)


def _row(name: str, supports: list[Support], limits: RiskThresholds) -> str:
    scores = [support.scores[0] or 0.0 for support in supports]
    shares = (
        sum(support.statuses[0] == "supported" for support in supports),
        sum(score < limits.weak_from for score in scores),
        sum(support.contradictions[0] is not None for support in supports),
    )
    return f"| {name} | {' | '.join(str(Rate(share, len(supports))) for share in shares)} |"
