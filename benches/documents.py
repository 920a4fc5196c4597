"""
Acceptance of PDFs: are sentences found, on the right page, and do the boxes cover their words?

    python benches/documents.py [--filter NAME] [--keep FOLDER]
    python benches/documents.py --speed

Each producer of `document_files.py` makes a PDF of a made-up text. Sentences are drawn from what went into it. The page
on which a sentence is has to be the one where the library's plain text of the page has its first word. Some
sentences are in a color: rendered, that shows which pixels are theirs. Exit code 1: a bar is missed.
"""

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import median

import numpy as np
import pypdfium2

from document_files import COLORS, Script, Sentence, make_script, producers
from groundwire.benchmarks.runner import refuse_debug_build
from groundwire.documents import Document, read_document

FOUND_BAR, COVERED_BAR, NEIGHBOURS_BAR, SPEED_BAR = 0.99, 0.95, 0.05, 1.3
_SCALE = 3
_ROUNDS = 5
_DRAWN = 34
# White space, hyphens, and the marks that PDFium writes for hyphens at the ends of lines.
_NO_LETTERS = re.compile(r"[\s\u00ad\u2010\ufffe\x02-]+")


@dataclass
class Tally:
    """What was found of one document or of all."""

    asked: int = 0
    found: int = 0
    on_page: int = 0
    own: int = 0
    covered: int = 0
    others: int = 0
    missing: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Add the counts of *other*."""
        for name in ("asked", "found", "on_page", "own", "covered", "others"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def row(self, name: str) -> str:
        """Return the counts as a line of a table."""
        share = (
            f"{self.covered / self.own:8.2%}{self.others / max(1, self.covered + self.others):8.2%}" if self.own else ""
        )
        return f"{name:36}{self.asked:6}{self.found:6}{self.on_page:6}  {share}"


def main() -> int:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--filter", default="", help="only producers whose name contains this")
    parser.add_argument("--keep", type=Path, help="folder that keeps the PDFs")
    parser.add_argument("--speed", action="store_true", help="time a document of 500 pages instead")
    parser.add_argument("--verbose", action="store_true", help="print the sentences that are not found")
    options = parser.parse_args()
    refuse_debug_build()
    if options.speed:
        return _speed()
    with tempfile.TemporaryDirectory() as folder:
        total = _all(options.filter, options.keep or Path(folder), verbose=options.verbose)
    print(total.row("all"))
    is_met = total.on_page >= FOUND_BAR * total.asked and total.covered >= COVERED_BAR * total.own
    return 0 if is_met and total.others <= NEIGHBOURS_BAR * (total.covered + total.others) else 1


def _all(pattern: str, folder: Path, *, verbose: bool) -> Tally:
    print(f"{'producer':36}{'drawn':>6}{'found':>6}{'page':>6}  {'inside':>8}{'others':>8}")
    total = Tally()
    for number, name, make in producers(pattern):
        place = folder / re.sub(r"\W+", "_", name)
        script = make_script(number, plain=name in ("fpdf2", "scan by ocrmypdf"))
        kept = place / "kept.pdf"
        if not kept.exists():
            place.mkdir(parents=True)
            try:
                kept.write_bytes(make(script, place).read_bytes())
            except (ImportError, FileNotFoundError) as error:
                print(f"{name:36}left out: {type(error).__name__} {error}")
                continue
        tally = measure(kept, script, number)
        print(tally.row(name), flush=True)
        if verbose:
            print(*(f"    {each}" for each in tally.missing[:3]), sep="\n")
        total.add(tally)
    return total


def measure(path: Path, script: Script, seed: int) -> Tally:
    """Look for sentences of *script* in a PDF of it."""
    document = read_document(path)
    source = document.source()
    pdf = pypdfium2.PdfDocument(path)
    raw = [page.get_textpage().get_text_range() for page in pdf]
    tally = Tally()
    colored = [sentence for sentence in script.sentences if sentence.color]
    plain = [sentence for sentence in script.sentences if not sentence.color]
    drawn = [*colored, *Random(seed).sample(plain, _DRAWN - len(colored))]
    images = [page.render(scale=_SCALE, may_draw_forms=False).to_numpy()[:, :, :3].astype(int) for page in pdf]
    for sentence in drawn:
        tally.asked += 1
        match = source.find(sentence.text)
        if match is None:
            tally.missing.append(sentence.text)
            continue
        tally.found += 1
        wanted = _pages_of(sentence, raw)
        location = document.locate(match.start, match.end)
        if location.page in wanted:
            tally.on_page += 1
        else:
            tally.missing.append(f"page {location.page}, not {wanted}: {sentence.text}")
        if sentence.color:
            _count_pixels(tally, document, pdf, images, sentence, (match.start, match.end))
    return tally


def _pages_of(sentence: Sentence, raw: list[str]) -> set[int]:
    """
    Return the pages on which the sentence begins, by the library's plain text without spaces, line ends and hyphens.

    Its first word shows that, or the letters after it where the font does not say which characters the word has. A
    word that is cut between two pages begins on the first of them.
    """
    texts = [_NO_LETTERS.sub("", text) for text in raw]
    letters = _NO_LETTERS.sub("", sentence.text)
    for key in (sentence.mark, letters[len(sentence.mark) :][:24]):
        if found := {number for number, text in enumerate(texts, start=1) if key in text}:
            return found
        length = len(key) - 1
        pairs = enumerate(pairwise(texts), start=1)
        if found := {number for number, (one, two) in pairs if key in one[-length:] + two[:length]}:
            return found
    return set()


def _count_pixels(
    tally: Tally,
    document: Document,
    pdf: pypdfium2.PdfDocument,
    images: list[np.ndarray],
    sentence: Sentence,
    span: tuple[int, int],
) -> None:
    boxes = document.locate(*span).boxes
    for page in {box.page for box in boxes}:
        pixels = images[page - 1]
        if not any(_own(pixels, color).any() for color in COLORS):
            # This producer draws all in black, or a scan as one image.
            continue
        inside = np.zeros(pixels.shape[:2], bool)
        for box in boxes:
            if box.page == page:
                inside[_rectangle(pdf[page - 1], pixels.shape, box[1:])] = True
        dark, own = pixels.min(axis=2) < 128, _own(pixels, sentence.color)
        own &= _sole(own, inside)
        tally.own += int(own.sum())
        tally.covered += int((own & inside).sum())
        tally.others += int((dark & ~_own(pixels, sentence.color) & inside).sum())


def _own(pixels: np.ndarray, color: tuple[int, int, int] | None) -> np.ndarray:
    main = int(np.argmax(color))
    rest = [each for each in range(3) if each != main]
    # pypdfium2 renders blue, green, red.
    order = [2, 1, 0]
    return (pixels[:, :, order[main]] - np.maximum(*(pixels[:, :, order[each]] for each in rest))) > 60


def _sole(own: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """Return where pixels of a color belong to this sentence: others of its color are far above or below."""
    rows = np.flatnonzero(inside.any(axis=1))
    near = np.zeros(own.shape, bool)
    if not rows.size:
        return own
    near[max(0, rows.min() - 60) : rows.max() + 60] = True
    return near


def _rectangle(
    page: pypdfium2.PdfPage, shape: tuple[int, ...], sides: tuple[float, float, float, float]
) -> tuple[slice, slice]:
    """Return a box in points as rows and columns of the rendered page."""
    height, width = shape[:2]
    corners = [_pixel(page, width, height, sides[0], sides[1]), _pixel(page, width, height, sides[2], sides[3])]
    xs, ys = sorted(corner[0] for corner in corners), sorted(corner[1] for corner in corners)
    return slice(max(0, ys[0] - 1), ys[1] + 1), slice(max(0, xs[0] - 1), xs[1] + 1)


def _pixel(page: pypdfium2.PdfPage, width: int, height: int, x: float, y: float) -> tuple[int, int]:
    import ctypes

    import pypdfium2.raw as pdfium

    column, row = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, column, row)
    return column.value, row.value


def _speed() -> int:
    """
    Compare reading 500 pages with what pypdfium2 takes for their text, and for their characters one by one.

    The runs take turns, and the medians count. The bar is on the text, which is the quicker one.
    """
    import pypdfium2.raw as pdfium

    with tempfile.TemporaryDirectory() as folder:
        path = _long_pdf(Path(folder))

        def by_text() -> None:
            for text in _text_pages(path):
                text.get_text_range()

        def by_character() -> None:
            for text in _text_pages(path):
                for index in range(text.count_chars()):
                    pdfium.FPDFText_GetUnicode(text, index)

        def read() -> None:
            read_document(path)

        runs: list[Callable[[], None]] = [by_text, by_character, read]
        read()
        rounds = [[_seconds(run) for run in runs] for _ in range(_ROUNDS)]
    text_s, character_s, read_s = (median(each) for each in zip(*rounds, strict=True))
    print(f"{'text':14}{text_s:8.2f} s\n{'characters':14}{character_s:8.2f} s")
    print(f"{'read_document':14}{read_s:8.2f} s  {read_s / text_s:.2f} x text, {read_s / character_s:.2f} x characters")
    return 0 if read_s <= SPEED_BAR * text_s else 1


def _seconds(run: Callable[[], None]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def _text_pages(path: Path) -> Iterator[pypdfium2.PdfTextPage]:
    with pypdfium2.PdfDocument(path) as pdf:
        for page in pdf:
            text = page.get_textpage()
            yield text
            text.close()
            page.close()


def _long_pdf(folder: Path) -> Path:
    """Return a PDF of 500 pages with 65 lines each."""
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfgen.canvas import Canvas

    random = Random(1)
    words = [sentence.text for sentence in make_script(1, plain=True).sentences]
    canvas = Canvas(str(folder / "long.pdf"), pagesize=A4)
    for number in range(500):
        canvas.setFont("Times-Roman", 10)
        canvas.drawString(50, 820, f"Running head {number}")
        for row in range(64):
            canvas.drawString(50, 800 - row * 12, random.choice(words)[:95])
        canvas.showPage()
    canvas.save()
    return folder / "long.pdf"


if __name__ == "__main__":
    sys.exit(main())
