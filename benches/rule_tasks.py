"""The rules of citations, timed: against the specification's own lines, and against the same rules in plain Python."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from groundwire.benchmarks.tasks import Contestant, Scale, Task
from groundwire.citations import CitationReport, assess_citations, detect_hallucination
from rule_twin import Assessed, assess_plainly, by_printed_lines

__all__ = ["LINES", "TWIN", "HostileRules", "Rules"]

LINES = "printed lines"
TWIN = "plain Python"
SMALLER = "a tenth of it"

_SEED = 20
_ANSWER_CHARS = 2_000
_PASSAGE_CHARS = 500

# What a source is about, and what it says: each source has a subject of its own, as the results of a search do.
_SUBJECTS = (
    *("harbour of Lisbon", "railway to Bergen", "mill at Ravenna", "library of Tartu", "hospital in Toledo"),
    *(
        "bridge near Avignon",
        "quarry above Trento",
        "vineyards of Tokaj",
        "observatory on Tenerife",
        "market at Gdansk",
    ),
)
_SAYINGS = (
    "The {subject} was opened again in {year}, after repairs that had taken {count} months.",
    "Most visitors arrive by boat during the summer and stay until the evening.",
    "Its owners say that heating costs have risen twice since the drought.",
    "Critics of the {subject} doubt that the town can afford another extension.",
    "About {count} people work there, many of them part of the year.",
    "A painter from the valley decorated the walls of the eastern wing.",
    "The {subject} does not receive money from the province.",
    "Students measured how quickly the water rises after heavy rain, and published their results in {year}.",
    "In winter storms the keeper of the {subject} closes the lower gates.",
    "Old photographs show gardens, stables and a long wall of yellow stone.",
    "No accident has been reported from the {subject} since {year}.",
    "The engineers behind the {subject} later built canals in other countries.",
)
_HAN = "河水上涨磨坊关闭城市医院图书馆铁路桥梁工厂葡萄园采石场天文台居民春天维修选举报纸记者议会"


@dataclass(frozen=True)
class Rules(Task):
    """
    An answer of 2,000 characters with ten results.

    Attributes:
        form: "plain", "markdown" or "chinese".
        policy: By which the rules decide.
        engines: Who takes part.
    """

    form: str
    policy: str = "coverage"
    engines: tuple[str, ...] = ("groundwire", LINES, TWIN)  # type: ignore[misc] # the base declares a plain attribute
    scale = Scale.THREAD_CPU_S

    @property
    def text_name(self) -> str:
        """What the answer is."""
        return f"made-up {self.form} answer, {_ANSWER_CHARS:,} characters"

    def prepare(self, engine: str) -> Contestant:
        """Return a call of *engine*: all count the same, each by its own rules."""
        answer, results = _case(self.form)
        if engine == LINES:
            literal = detect_hallucination(answer, results)
            return Contestant(partial(by_printed_lines, answer, results), partial(_is_literal, literal))
        if engine == TWIN:
            expected = _counted(assess_citations(answer, results))
            return Contestant(partial(assess_plainly, answer, results), lambda found: bool(found == expected))
        literal = detect_hallucination(answer, results)
        counted = partial(_is_spec, literal) if self.policy == "spec" else partial(_is_counted, answer, results)
        return Contestant(partial(assess_citations, answer, results, policy=self.policy), counted)


@dataclass(frozen=True)
class HostileRules(Task):
    """An answer made to be slow, and a tenth of it."""

    piece: str
    pieces: int = 1_000_000
    engines = ("groundwire", SMALLER)
    scale = Scale.THREAD_CPU_S

    @property
    def text_name(self) -> str:
        """The fragment and how often it is repeated."""
        return f"{self.pieces:,} times {self.piece!a}"

    def prepare(self, engine: str) -> Contestant:
        """Return a call with the answer of this size; nothing in it is a valid citation."""
        pieces = self.pieces if engine == "groundwire" else self.pieces // 10
        call = partial(assess_citations, self.piece * pieces, [{"id": "x7"}])
        return Contestant(call, lambda report: not report.valid_citations)


def _case(form: str) -> tuple[str, list[dict[str, str]]]:
    """An answer, and what it cites."""
    chance = random.Random(_SEED)
    passages = ["".join(_until(_PASSAGE_CHARS, partial(_sentence, chance, subject))) for subject in _SUBJECTS]
    make = {
        "plain": partial(_plain, chance, passages),
        "markdown": partial(_markdown, chance, passages),
        "chinese": partial(_chinese, chance),
    }
    parts = _until(_ANSWER_CHARS, make[form])
    results = [{"id": str(number + 1)} for number in range(len(passages))]
    return "".join(parts), results


def _until(chars: int, make: Callable[[], str]) -> list[str]:
    parts: list[str] = []
    while sum(map(len, parts)) < chars:
        parts.append(make())
    return parts


def _sentence(chance: random.Random, subject: str) -> str:
    year, count = chance.randrange(1900, 2020), chance.randrange(3, 90)
    return chance.choice(_SAYINGS).format(subject=subject, year=year, count=count) + " "


def _cited(chance: random.Random, passages: Sequence[str]) -> tuple[str, str]:
    """A sentence, of one of the passages or of none, and a citation of it; sometimes of nothing that is there."""
    place = chance.randrange(len(passages))
    known = passages[place].split(". ")[:-1]
    sentence = chance.choice(known) if chance.randrange(2) else _sentence(chance, _SUBJECTS[place]).rstrip(". ")
    citation = f"[{place + 1}]" if chance.randrange(8) else f"[{place + 40}]"
    return sentence, citation if chance.randrange(5) else ""


def _plain(chance: random.Random, passages: Sequence[str]) -> str:
    sentence, citation = _cited(chance, passages)
    return f"{sentence} {citation}. " if citation else f"{sentence}. "


def _markdown(chance: random.Random, passages: Sequence[str]) -> str:
    sentence, citation = _cited(chance, passages)
    word, _, rest = sentence.partition(" ")
    kind = chance.randrange(5)
    if kind == 0:
        return f"\n## The {chance.choice(_SUBJECTS)}\n\n"
    if kind == 1:
        return f"\nSee the [records](https://example.org/records) on it. {sentence} {citation}.\n\n"
    return f"- **{word}** {rest} {citation}\n"


def _chinese(chance: random.Random) -> str:
    words = "".join(chance.choices(_HAN, k=chance.randrange(12, 40)))
    return f"{chance.randrange(1900, 2020)}年，{words}[{chance.randrange(1, 12)}]。"


def _counted(report: CitationReport) -> Assessed:
    figures = report.figures
    return Assessed(figures.total_claims, figures.covered, figures.uncited, figures.valid, figures.invalid)


def _is_counted(answer: str, results: Sequence[dict[str, str]], report: CitationReport) -> bool:
    return _counted(report) == assess_plainly(answer, results)


def _is_literal(literal: dict[str, Any], found: dict[str, Any]) -> bool:
    lists = ("valid_citations", "invalid_citations")
    return found | {name: sorted(found[name]) for name in lists} == literal


def _is_spec(literal: dict[str, Any], report: CitationReport) -> bool:
    ratio = round(float(literal["citation_ratio"]), 12)
    return report.citation_ratio == ratio and report.valid_citations == literal["valid_citations"]
