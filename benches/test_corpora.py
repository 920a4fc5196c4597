"""Repeats the comparisons on real texts, which lie beside the project and are not part of it."""

from dataclasses import dataclass

import pytest

from contest import time_contestant
from corpora import CORPORA
from groundwire.benchmarks.cases import Benchmark
from groundwire.benchmarks.search_tasks import Find
from groundwire.benchmarks.tasks import Normalize

# A meeting with events in tags, a long podcast, an old book, and four other scripts.
FILES = (
    "en_qmsum_academic_test_Bmr006.txt",
    "en_changelog_concat_5mb.txt",
    "en_novel_Emma.txt",
    "ru_play_turgenev-mesjats-v-derevne.txt",
    "zh_vcsum_dev_218.txt",
    "ja_aozora_773_ruby_5968.txt",
    "ar_xquad.txt",
)


@dataclass(frozen=True)
class RealText:
    """A file of the corpora."""

    name: str

    def read(self) -> str:
        """Return the file's text."""
        return (CORPORA / self.name).read_text(encoding="utf-8")


WHY = "made-up texts may flatter; real ones do not"
CASES = [
    case
    for text in map(RealText, FILES)
    for case in (
        Benchmark(f"corpora/normalize/{text.name}", "normalise a real text", Normalize(text), WHY),
        Benchmark(f"corpora/find/{text.name}", "find a quote of 40 characters in its middle", Find(text), WHY),
    )
]


@pytest.mark.parametrize(
    ("case", "engine"),
    [pytest.param(case, engine, id=f"{case.name}-{engine}") for case in CASES for engine in case.task.engines],
)
def test_real_text(benchmark, case, engine):
    """The engine gives the right answer, and takes this long."""
    if not (CORPORA / case.task.text_name).is_file():
        pytest.skip(f"no {case.task.text_name} in {CORPORA}; GROUNDWIRE_SHARED names the folder that holds data/")
    time_contestant(benchmark, case, engine)
