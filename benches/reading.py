"""
Time the reader: English, Chinese, the first load of a lexicon, and the claims of an answer.

    python benches/reading.py

Megabytes of UTF-8 a second, from the text to sentences and typed terms, in Rust; the least of nine rounds. Before
anything is timed, the answers to a few sentences are checked, and the terms of each text are counted by the package,
which has to agree. The texts are those of `shared/data/corpora`.

Then `assess_citations` of an answer of five claims, with five passages that nobody has read before, each time: the
median of 300 rounds, each of which has to give the same verdicts.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from corpora import CORPORA
from groundwire._engine import LanguageReader
from groundwire.benchmarks.runner import refuse_debug_build
from groundwire.citations import assess_citations

ROOT = Path(__file__).resolve().parents[1]
LEXICONS = ROOT / "python" / "groundwire" / "language" / "lexicons"
EXAMPLE = ["cargo", "build", "--release", "--quiet", "--package", "groundwire-language", "--example", "read"]
TEXTS = {"en": ("en_novel_*.txt", 20.0), "zh": ("zh_*.txt", 5.0)}
"""The files of each language, and the least megabytes a second."""
MOST_LOAD_MS = 3.0
CHECKED = {
    ("en", "She paid $1,240 on 3 May."): [("content", 4, 8), ("number", 9, 15), ("date", 19, 24)],
    ("zh", "他没有付三百二十元。"): [("negation", 1, 3), ("number", 4, 9)],
}
"""Sentences, and some of their terms: kind, start, end."""

MOST_CLAIMS_MS = 0.3
PASSAGE_CHARS = (150, 500, 800)
CLAIM_ROUNDS = 300
SUBJECTS = (
    (
        "The Harbour Bridge opened in March 1932 after eight years of work. It carries eight lanes of traffic, "
        "two railway tracks and a path for cyclists. Engineers in London drew the arch, and a firm from "
        "Middlesbrough built it. About 1,400 workers took part, and sixteen of them died. The toll was six pence "
        "for a car in the first year. Painters still work on the steel all year round. Today about 160,000 "
        "vehicles cross the bridge every day, and trains run on the western side. The tunnel below the harbour "
        "took some of the traffic from 1992 on."
    ),
    (
        "Rosa Lindgren founded the bakery in 1987 with a loan of $40,000 from her aunt. She sold rye bread on the"
        " market square until she could rent a shop in Mill Street. The shop employs twelve people and bakes 900 "
        "loaves a day. Her son Emil took over the books in 2009. Customers from the villages around come on "
        "Saturdays for the cardamom buns. In winter the bakery does not open on Mondays. A second shop near the "
        "station closed after two years because the rent had doubled."
    ),
    (
        "Apixaban is given twice a day to patients with atrial fibrillation. The usual dose is 5 mg, and patients"
        " over 80 years of age with low weight take 2.5 mg. In the trial of 18,201 patients, strokes were less "
        "common than under warfarin. Bleeding occurred in 2.1 percent of patients a year. The drug should not be "
        "stopped without a doctor's advice. Kidney function has to be checked before treatment and once a year "
        "after it. No routine blood tests of clotting are needed."
    ),
    (
        "The council approved the budget of 12.4 million euros on 14 November 2023 by 21 votes to 9. Most of the "
        "money goes to schools and to the repair of roads. The mayor said that the swimming pool would stay "
        "closed until the roof is safe. Opponents had asked for a larger share for the library. Property tax will"
        " not rise next year. The report of the auditors is due in April, and the council will discuss it in "
        "public."
    ),
    (
        "The mission launched from Kourou on 5 July 2023 and reached its orbit three weeks later. The telescope "
        "has a mirror of 1.2 metres and two instruments, one for visible light and one for the infrared. It will "
        "map a third of the sky in six years. Ice on a mirror made images darker until engineers heated the "
        "structure. The first results were published in May 2024. About 2,000 scientists from 300 institutes in "
        "Europe, the United States and Japan take part."
    ),
)
"""What the passages speak of; a longer passage goes on to the next subject."""
CLAIMS = {
    "The Harbour Bridge opened in March 1932 after eight years of work [1].": "supported",
    "Rosa Lindgren founded the bakery in 1987 with a loan of $40,000 [2].": "supported",
    "The usual dose of apixaban is 5 mg twice a day [3].": "weak",
    "The council approved a budget of 12.4 million euros by 21 votes to 9 [4].": "supported",
    "The telescope will map half of the sky in six years [5].": "contradicted",
}
"""The claims of the answer, and their verdicts where a passage has all of its subject."""


class Row(NamedTuple):
    """A text of one language, as the example read it."""

    language: str
    chars: int
    sentences: int
    terms: int
    read_ns: int
    load_ns: int


def check(reader: LanguageReader) -> None:
    """Stop unless the sentences of `CHECKED` have their terms."""
    for (language, text), wanted in CHECKED.items():
        found = [term[:3] for term in reader.terms(text, language=language)]
        if not set(wanted) <= set(found):
            raise SystemExit(f"wrong terms in {language}: {found}")


def measure(paths: dict[str, Path]) -> list[Row]:
    """Run the example on *paths*, one text a language."""
    subprocess.run(EXAMPLE, cwd=ROOT, check=True)
    arguments = [part for language, path in paths.items() for part in (language, str(path))]
    command = [str(ROOT / "target" / "release" / "examples" / "read"), str(LEXICONS), *arguments]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return [Row(language, *map(int, numbers)) for language, *numbers in (line.split("\t") for line in lines)]


def passages(chars: int) -> list[dict[str, str]]:
    """Return five passages of about *chars* characters, in whole sentences."""
    texts = [" ".join((*SUBJECTS[place:], *SUBJECTS[:place]))[:chars] for place in range(len(SUBJECTS))]
    return [{"id": str(place), "text": text[: text.rfind(".") + 1]} for place, text in enumerate(texts, 1)]


def claims_ms(chars: int) -> float:
    """Return the median milliseconds for an answer with five claims and five passages of *chars* characters."""
    answer, results = " ".join(CLAIMS), passages(chars)
    verdicts = [claim.status for claim in assess_citations(answer, results).claims]
    if chars >= min(map(len, SUBJECTS)) and verdicts != list(CLAIMS.values()):
        raise SystemExit(f"wrong verdicts with passages of {chars} characters: {verdicts}")
    taken = []
    for _ in range(CLAIM_ROUNDS):
        begin = time.perf_counter()
        report = assess_citations(answer, results)
        taken.append(time.perf_counter() - begin)
        if [claim.status for claim in report.claims] != verdicts:
            raise SystemExit("the verdicts differ")
    return median(taken) * 1e3


def main() -> int:
    """Print a row for each language and each length of passages; 1 if one is slower than it should be."""
    refuse_debug_build()
    reader = LanguageReader(str(LEXICONS))
    check(reader)
    slow = 0
    with tempfile.TemporaryDirectory() as folder:
        texts = {
            language: "\n\n".join(path.read_text("utf-8") for path in sorted(CORPORA.glob(pattern)))
            for language, (pattern, _) in TEXTS.items()
        }
        paths = {language: Path(folder) / f"{language}.txt" for language in texts}
        for language, path in paths.items():
            path.write_text(texts[language], "utf-8", newline="")
        for row in measure(paths):
            if row.terms != len(reader.terms(texts[row.language], language=row.language)):
                raise SystemExit(f"the package reads other terms in {row.language}")
            speed = len(texts[row.language].encode()) / row.read_ns * 1e3
            load = row.load_ns / 1e6
            print(f"{row.language}: read {speed:6.1f} MB/s ({row.terms:,} terms), lexicon loaded in {load:.1f} ms")
            slow += speed < TEXTS[row.language][1] or load > MOST_LOAD_MS
    for chars in PASSAGE_CHARS:
        taken = claims_ms(chars)
        print(f"claims: five with five passages of {chars} characters in {taken:.2f} ms")
        slow += taken > MOST_CLAIMS_MS
    return int(slow > 0)


if __name__ == "__main__":
    sys.exit(main())
