"""
PDFs of one made-up text each, by the programs and libraries with which people make them.

`PRODUCERS` maps a name to a function of a `Script` and a folder; it returns the PDF. A program that is missing
raises `FileNotFoundError`, a library `ImportError`. On Debian and Ubuntu the programs are chromium, ghostscript, groff,
libreoffice-writer-nogui, ocrmypdf, tesseract-ocr-eng and texlive-latex-base; the libraries are borb, fpdf2, matplotlib,
pikepdf, reportlab and weasyprint.
"""

import html
import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from groundwire.benchmarks.words import LANGUAGES

COLORS = ((255, 0, 0), (0, 0, 255), (0, 144, 0))
_SENTENCES = 120
_SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstv" for vowel in "aeiou"]


@dataclass(frozen=True)
class Sentence:
    """A sentence; its first word is in no other one. Some are in a color, to measure boxes by."""

    text: str
    color: tuple[int, int, int] | None

    @property
    def mark(self) -> str:
        """The first word."""
        return self.text.split()[0]

    @property
    def hex(self) -> str:
        """The color as HTML writes it; black if there is none."""
        return "{:02x}{:02x}{:02x}".format(*(self.color or (0, 0, 0)))


@dataclass(frozen=True)
class Script:
    """A text: headings, and paragraphs of sentences."""

    title: str
    sections: list[tuple[str, list[list[Sentence]]]]

    @property
    def sentences(self) -> list[Sentence]:
        """All sentences, in order."""
        return [sentence for _, paragraphs in self.sections for paragraph in paragraphs for sentence in paragraph]


def make_script(seed: int, *, plain: bool = False) -> Script:
    """Return a text for *seed*; a *plain* one has characters of Latin-1 alone."""
    random = Random(seed)
    words = [word for word in LANGUAGES["english"].common if word.isalpha() and len(word) > 1]
    marks: set[str] = set()
    sentences = [_sentence(random, words, marks, number, plain=plain) for number in range(_SENTENCES)]
    flow = iter(sentences)
    sections = []
    while paragraphs := [chunk for _ in range(5) if (chunk := list(islice(flow, random.randint(3, 6))))]:
        sections.append((" ".join(random.choices(words, k=3)).capitalize(), paragraphs))
    return Script(f"Report number {seed}", sections)


def _sentence(random: Random, words: list[str], marks: set[str], number: int, *, plain: bool) -> Sentence:
    while (mark := "".join(random.choices(_SYLLABLES, k=3)).capitalize()) in marks:
        pass
    marks.add(mark)
    body = random.choices(words, k=random.randint(8, 18))
    body[2] += random.choice([",", "", "", ";"])
    body[4] = random.choice([body[4], f"{random.randint(2, 9999)}", f"well-{body[4]}", f"{random.randint(1, 99)}.5%"])
    body[6] = random.choice([body[6], f"\u201c{body[6]}\u201d", f"{body[6]}\u2019s"]) if not plain else f"({body[6]})"
    text = f"{mark} {' '.join(body)}."
    return Sentence(text, COLORS[number // 12 % len(COLORS)] if number % 12 == 5 else None)


def _run(*command: str | Path, folder: Path) -> None:
    subprocess.run([str(each) for each in command], cwd=folder, check=True, capture_output=True, timeout=240)


# LaTeX ---------------------------------------------------------------------------------------------------------

_TEX = str.maketrans({"%": r"\%", "&": r"\&", "_": r"\_", "#": r"\#", "\u201c": "``", "\u201d": "''", "\u2019": "'"})


def _tex_sentence(sentence: Sentence) -> str:
    text = sentence.text.translate(_TEX)
    return text if sentence.color is None else rf"\textcolor[RGB]{{{','.join(map(str, sentence.color))}}}{{{text}}}"


def _latex(
    options: str = "",
    kind: str = "article",
    preamble: str = "",
    body: Callable[[str], str] = str,
    program: str = "pdflatex",
) -> Callable[[Script, Path], Path]:
    def make(script: Script, folder: Path) -> Path:
        chapter = "chapter" if kind == "book" else "section"
        text = "\n\n".join(
            "\n\n".join([rf"\{chapter}{{{heading}}}", *(" ".join(map(_tex_sentence, each)) for each in paragraphs)])
            for heading, paragraphs in script.sections
        )
        (folder / "text.tex").write_text(
            rf"\documentclass[{options}]{{{kind}}}\usepackage{{color}}{preamble}\title{{{script.title}}}"
            rf"\begin{{document}}\maketitle {body(text)}\end{{document}}",
            encoding="utf-8",
        )
        _run(program, "-interaction=batchmode", "text.tex", folder=folder)
        return folder / "text.pdf"

    return make


def _with_notes(text: str) -> str:
    """Put the third sentence of each paragraph into a footnote."""
    paragraphs = text.split("\n\n")
    for place, paragraph in enumerate(paragraphs):
        sentences = re.split(r"(?<=\.) (?=[A-Z])", paragraph)
        if len(sentences) > 3:
            sentences[1:3] = [rf"{sentences[1]}\footnote{{{sentences[2]}}}"]
            paragraphs[place] = " ".join(sentences)
    return "\n\n".join(paragraphs)


def _in_columns(text: str) -> str:
    return rf"\begin{{multicols}}{{3}}{text}\end{{multicols}}"


# HTML ----------------------------------------------------------------------------------------------------------


def _html(script: Script, style: str = "") -> str:
    def sentence(each: Sentence) -> str:
        text = html.escape(each.text)
        return text if each.color is None else f'<span style="color:#{each.hex}">{text}</span>'

    parts = []
    for heading, paragraphs in script.sections:
        parts.append(f"<h2>{heading}</h2>")
        parts += [f"<p>{' '.join(map(sentence, each))}</p>" for each in paragraphs]
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{script.title}</title>'
        f"<style>{style}</style></head><body><h1>{script.title}</h1><main>{''.join(parts)}</main></body></html>"
    )


def _chromium(style: str = "", *flags: str) -> Callable[[Script, Path], Path]:
    def make(script: Script, folder: Path) -> Path:
        (folder / "text.html").write_text(_html(script, style), encoding="utf-8")
        command = ("chromium", "--headless", "--no-sandbox", "--disable-gpu", *flags)
        _run(*command, "--print-to-pdf=text.pdf", "text.html", folder=folder)
        return folder / "text.pdf"

    return make


def _weasyprint(style: str) -> Callable[[Script, Path], Path]:
    def make(script: Script, folder: Path) -> Path:
        from weasyprint import HTML

        HTML(string=_html(script, style)).write_pdf(folder / "text.pdf")
        return folder / "text.pdf"

    return make


# Word processors -----------------------------------------------------------------------------------------------


def write_docx(script: Script, path: Path, *, columns: int = 1, header: str = "") -> None:
    """Write a Word document."""
    import docx
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn
    from docx.shared import RGBColor

    document = docx.Document()
    section = document.sections[0]
    if header:
        section.header.paragraphs[0].text = header
        section.footer.paragraphs[0].text = f"{header}, at the foot"
    if columns > 1:
        cols = OxmlElement("w:cols")
        cols.set(qn("w:num"), str(columns))
        section._sectPr.append(cols)
    document.add_heading(script.title, 0)
    for heading, paragraphs in script.sections:
        document.add_heading(heading, 1)
        for sentences in paragraphs:
            paragraph = document.add_paragraph()
            for sentence in sentences:
                run = paragraph.add_run(sentence.text)
                if sentence.color:
                    run.font.color.rgb = RGBColor(*sentence.color)
                paragraph.add_run(" ")
    document.save(str(path))


def _libreoffice(
    suffix: str, target: str = "pdf:writer_pdf_Export", **options: object
) -> Callable[[Script, Path], Path]:
    def make(script: Script, folder: Path) -> Path:
        path = folder / f"text.{suffix}"
        if suffix == "docx":
            write_docx(script, path, **options)  # type: ignore[arg-type]
        elif suffix == "html":
            path.write_text(_html(script), encoding="utf-8")
        else:
            lines = [line for heading, each in script.sections for line in (heading, *map(_plain, each))]
            path.write_text("\n\n".join(lines), encoding="utf-8")
        profile = f"-env:UserInstallation=file://{folder.parent}/office"
        _run("soffice", profile, "--headless", "--convert-to", target, path.name, folder=folder)
        return folder / "text.pdf"

    return make


def _plain(sentences: list[Sentence]) -> str:
    return " ".join(sentence.text for sentence in sentences)


# Libraries -----------------------------------------------------------------------------------------------------


def _reportlab_flow(script: Script, folder: Path) -> Path:
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate

    styles = getSampleStyleSheet()
    flow = [Paragraph(script.title, styles["Title"])]
    for heading, paragraphs in script.sections:
        flow.append(Paragraph(heading, styles["Heading2"]))
        for each in paragraphs:
            marked = " ".join(f'<font color="#{s.hex}">{html.escape(s.text)}</font>' for s in each)
            flow.append(Paragraph(marked, styles["BodyText"]))

    def decorate(canvas: object, document: object) -> None:
        canvas.drawString(60, 20, f"{script.title} - page {document.page}")  # type: ignore[attr-defined]

    SimpleDocTemplate(str(folder / "text.pdf")).build(flow, onFirstPage=decorate, onLaterPages=decorate)
    return folder / "text.pdf"


def _wrapped(script: Script, width: int) -> list[list[tuple[str, tuple[int, int, int]]]]:
    """Return lines of words with their colors, of at most *width* characters."""
    lines: list[list[tuple[str, tuple[int, int, int]]]] = []
    for _, paragraphs in script.sections:
        for paragraph in paragraphs:
            line: list[tuple[str, tuple[int, int, int]]] = []
            for sentence in paragraph:
                for word in sentence.text.split():
                    if sum(len(each) + 1 for each, _ in line) + len(word) > width:
                        lines.append(line)
                        line = []
                    line.append((word, sentence.color or (0, 0, 0)))
            lines.append(line)
    return lines


def _canvas(
    draw: str, width: int, *, columns: int = 1, page_turns: int = 0, mode: int = 0
) -> Callable[[Script, Path], Path]:
    """Draw words one by one ("words"), glyphs ("glyphs"), or columns row by row ("rows")."""

    def make(script: Script, folder: Path) -> Path:
        from reportlab.lib.pagesizes import A4
        from reportlab.pdfgen.canvas import Canvas

        canvas = Canvas(str(folder / "text.pdf"), pagesize=A4)  # It swaps the sides of pages that it turns.
        lines, per_page = _wrapped(script, width), 50
        size = per_page * columns
        for first in range(0, len(lines), size):
            page = lines[first : first + size]
            cells = [(page[place::1][0], place // per_page, place % per_page) for place in range(len(page))]
            if draw == "rows":
                cells.sort(key=lambda cell: (cell[2], cell[1]))
            if page_turns:
                canvas.setPageRotation(90 * page_turns)
                canvas.translate(*((842, 0), (595, 842), (0, 595))[page_turns - 1])
                canvas.rotate(90 * page_turns)
            for line, column, row in cells:
                text = canvas.beginText(50 + column * 260, 780 - row * 14)
                text.setFont("Helvetica", 9)
                text.setTextRenderMode(mode)
                for word, color in line:
                    text.setFillColorRGB(*(part / 255 for part in color))
                    for glyph in f"{word} " if draw == "glyphs" else [f"{word} "]:
                        text.textOut(glyph)
                canvas.drawText(text)
            canvas.showPage()
        canvas.save()
        return folder / "text.pdf"

    return make


def _placed_words(size: float, width: float, *, tracking: float = 0, turns: int = 0) -> Callable[[Script, Path], Path]:
    """
    Draw each word at its place, justified and without a character for spaces, headings in spaced-out capitals.

    Args:
        size: The size of the font.
        width: The width of a column in points; as many as fit are written row by row.
        tracking: Points between the letters of headings.
        turns: Quarter turns of the text on a page that is not turned itself.
    """

    def make(script: Script, folder: Path) -> Path:
        from reportlab.lib.pagesizes import A4
        from reportlab.pdfgen.canvas import Canvas

        canvas = Canvas(str(folder / "text.pdf"), pagesize=A4)
        rows = list(_set_rows(script, size, width))
        sides = A4 if not turns % 2 else A4[::-1]
        columns, per_page = int((sides[0] - 80) // (width + 18)), int((sides[1] - 100) // (size * 1.25))
        for first in range(0, len(rows), columns * per_page):
            if turns:
                canvas.translate(*((A4[0], 0), (A4[0], A4[1]), (0, A4[1]))[turns - 1])
                canvas.rotate(90 * turns)
            page = rows[first : first + columns * per_page]
            for place in sorted(range(len(page)), key=lambda each: (each % per_page, each // per_page)):
                left, top = 40 + place // per_page * (width + 18), sides[1] - 50 - place % per_page * size * 1.25
                _draw_row(canvas, page[place], left, top, size, tracking)
            canvas.showPage()
        canvas.save()
        return folder / "text.pdf"

    return make


_Row: TypeAlias = list[tuple[float, str, tuple[int, int, int]]]
"""The words of a row: distance from the left, the word, and its color. A heading is one word at -1."""


def _set_rows(script: Script, size: float, width: float) -> Iterator[_Row]:
    from reportlab.pdfbase.pdfmetrics import stringWidth

    space = 0.25 * size
    for heading, paragraphs in script.sections:
        yield [(-1, heading, (0, 0, 0))]
        for paragraph in paragraphs:
            words = [(word, each.color or (0, 0, 0)) for each in paragraph for word in each.text.split()]
            row: list[tuple[float, str, tuple[int, int, int]]] = []
            used = 0.0
            for word, color in words:
                length = stringWidth(word, "Times-Roman", size)
                if row and used + length > width:
                    free = (width - used + space) / max(1, len(row) - 1)
                    yield [(left + free * place, each, shade) for place, (left, each, shade) in enumerate(row)]
                    row, used = [], 0.0
                row.append((used, word, color))
                used += length + space
            yield row


def _draw_row(canvas: Any, row: _Row, left: float, top: float, size: float, tracking: float) -> None:
    for distance, word, color in row:
        text = canvas.beginText(left + max(distance, 0), top)
        text.setFont("Times-Roman" if distance >= 0 else "Times-Bold", size)
        text.setFillColorRGB(*(part / 255 for part in color))
        text.setCharSpace(tracking if distance < 0 else 0)
        text.textOut(word.upper() if distance < 0 else word)
        canvas.drawText(text)


def _fpdf(script: Script, folder: Path) -> Path:
    from fpdf import FPDF

    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("Times", size=11)
    for _, paragraphs in script.sections:
        for paragraph in paragraphs:
            for sentence in paragraph:
                pdf.set_text_color(*(sentence.color or (0, 0, 0)))
                pdf.write(5, f"{sentence.text} ")
            pdf.ln(8)
    pdf.output(str(folder / "text.pdf"))
    return folder / "text.pdf"


def _matplotlib(font_type: int) -> Callable[[Script, Path], Path]:
    def make(script: Script, folder: Path) -> Path:
        import matplotlib as mpl
        from matplotlib.backends.backend_pdf import PdfPages
        from matplotlib.figure import Figure

        with mpl.rc_context({"pdf.fonttype": font_type}), PdfPages(folder / "text.pdf") as pages:
            lines = _wrapped(script, 85)
            for first in range(0, len(lines), 45):
                figure = Figure(figsize=(8.27, 11.69))
                for row, line in enumerate(lines[first : first + 45]):
                    figure.text(0.08, 0.95 - row * 0.02, " ".join(word for word, _ in line), fontsize=9)
                pages.savefig(figure)
        return folder / "text.pdf"

    return make


# Typesetting by groff, and PDFs made of others -----------------------------------------------------------------


def _groff(device: str, columns: int) -> Callable[[Script, Path], Path]:
    def make(script: Script, folder: Path) -> Path:
        lines = [".TL", script.title, *({1: [], 2: [".2C"], 3: [".MC 5c 0.6c"]}[columns])]
        for heading, paragraphs in script.sections:
            lines += [".SH", heading]
            for paragraph in paragraphs:
                lines.append(".PP")
                for sentence in paragraph:
                    color = {None: "default", COLORS[0]: "red", COLORS[1]: "blue", COLORS[2]: "green"}[sentence.color]
                    lines.append(rf"\m[{color}]{sentence.text}\m[]")
        (folder / "text.ms").write_text("\n".join(lines) + "\n", encoding="utf-8")
        found = subprocess.run(
            ["groff", "-ms", "-k", f"-T{device}", "text.ms"], cwd=folder, check=True, capture_output=True
        )
        (folder / f"text.{device}").write_bytes(found.stdout)
        if device == "ps":
            _run(
                "gs",
                "-q",
                "-dBATCH",
                "-dNOPAUSE",
                "-sDEVICE=pdfwrite",
                "-sOutputFile=text.pdf",
                "text.ps",
                folder=folder,
            )
        return folder / "text.pdf"

    return make


def _distilled(script: Script, folder: Path) -> Path:
    path = _latex("twocolumn")(script, folder)
    _run("gs", "-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", "-sOutputFile=again.pdf", path, folder=folder)
    return folder / "again.pdf"


def _changed(source: Callable[[Script, Path], Path], change: str) -> Callable[[Script, Path], Path]:
    def make(script: Script, folder: Path) -> Path:
        import pikepdf

        options: dict[str, object] = {}
        with pikepdf.open(source(script, folder)) as pdf:
            for page in pdf.pages:
                if change == "cropped":
                    left, bottom, right, top = (float(side) for side in page.mediabox)
                    page.mediabox = [left - 100, bottom - 50, right + 30, top + 40]
                    page.cropbox = [left + 10, bottom + 10, right - 10, top - 10]
            if change == "linearized":
                options = {"linearize": True, "object_stream_mode": pikepdf.ObjectStreamMode.generate}
            elif change == "owner":
                options = {"encryption": pikepdf.Encryption(owner="secret", user="")}
            pdf.save(folder / "changed.pdf", **options)
        return folder / "changed.pdf"

    return make


def _scanned(script: Script, folder: Path) -> Path:
    """Return a scan of 200 dots an inch with a text layer by tesseract."""
    _pictures(_canvas("words", 80)(script, folder), 200 / 72, folder / "scan.pdf")
    _run("ocrmypdf", "--jobs", "1", "--output-type", "pdf", "scan.pdf", "ocr.pdf", folder=folder)
    return folder / "ocr.pdf"


def _pictures(path: Path, scale: float, scan: Path) -> None:
    """Write the pages of a PDF as lossless images."""
    import pypdfium2
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(scan))
    for page in pypdfium2.PdfDocument(path):
        width, height = page.get_size()
        canvas.setPageSize((width, height))
        canvas.drawImage(ImageReader(page.render(scale=scale).to_pil().convert("RGB")), 0, 0, width, height)
        canvas.showPage()
    canvas.save()


def _layered(script: Script, folder: Path) -> Path:
    """Return a scan whose invisible text is where the glyphs are, as scanners write it."""
    import pikepdf

    shown = _canvas("words", 80)(script, folder)
    pictures = folder / "pictures.pdf"
    _pictures(shown, 2, pictures)
    (folder / "hidden").mkdir()
    hidden = _canvas("words", 80, mode=3)(script, folder / "hidden")
    with pikepdf.open(pictures) as below, pikepdf.open(hidden) as above:
        for page, layer in zip(below.pages, above.pages, strict=True):
            page.add_overlay(layer)
        below.save(folder / "layered.pdf")
    return folder / "layered.pdf"


_PRINT = "@page{size:A4;margin:2cm} body{font:11pt serif}"
PRODUCERS: dict[str, Callable[[Script, Path], Path]] = {
    "pdflatex": _latex(),
    "pdflatex, two columns": _latex("twocolumn"),
    "pdflatex, book with running heads": _latex("a5paper", "book", r"\pagestyle{headings}"),
    "pdflatex, footnotes": _latex("a4paper", body=_with_notes),
    "pdflatex, three narrow columns": _latex("10pt", preamble=r"\usepackage{multicol}", body=_in_columns),
    "pdflatex, Type 3 fonts": _latex("12pt", preamble=r"\usepackage[T1]{fontenc}"),
    "pdflatex, landscape": _latex("landscape,twocolumn"),
    "chromium": _chromium(_PRINT),
    "chromium, columns": _chromium(_PRINT + "main{columns:2;text-align:justify;hyphens:auto}"),
    "chromium, no heads": _chromium("body{font:10pt sans-serif;text-align:justify}", "--no-pdf-header-footer"),
    "chromium, three columns": _chromium("@page{size:A4 landscape} main{columns:3}", "--no-pdf-header-footer"),
    "weasyprint": _weasyprint(_PRINT),
    "weasyprint, columns and heads": _weasyprint(
        "@page{size:A4;margin:2.5cm;@top-center{content:'The report'}@bottom-right{content:counter(page)}}"
        "main{columns:2;hyphens:auto;text-align:justify}"
    ),
    "libreoffice, docx": _libreoffice("docx", header="A report"),
    "libreoffice, docx in two columns": _libreoffice("docx", columns=2),
    "libreoffice, tagged PDF/A": _libreoffice(
        "docx",
        'pdf:writer_pdf_Export:{"SelectPdfVersion":{"type":"long","value":"2"},"UseTaggedPDF":{"type":"boolean","value":"true"}}',
    ),
    "libreoffice, html": _libreoffice("html", "pdf:writer_web_pdf_Export"),
    "libreoffice, text": _libreoffice("txt"),
    "reportlab": _reportlab_flow,
    "reportlab, words": _canvas("words", 85),
    "reportlab, glyphs": _canvas("glyphs", 85),
    "reportlab, columns row by row": _canvas("rows", 48, columns=2),
    "reportlab, rotated by 90": _canvas("words", 85, page_turns=1),
    "reportlab, rotated by 180": _canvas("words", 85, page_turns=2),
    "reportlab, rotated by 270": _canvas("words", 85, page_turns=3),
    "fpdf2": _fpdf,
    "matplotlib, Type 3": _matplotlib(3),
    "matplotlib, TrueType": _matplotlib(42),
    "groff": _groff("pdf", 1),
    "groff, two columns by ghostscript": _groff("ps", 2),
    "pdflatex by ghostscript": _distilled,
    "pikepdf, cropped": _changed(_latex("twocolumn"), "cropped"),
    "pikepdf, object streams": _changed(_chromium(_PRINT), "linearized"),
    "pikepdf, owner password": _changed(_reportlab_flow, "owner"),
    "scan with a text layer": _layered,
    "scan by ocrmypdf": _scanned,
    "chromium, drop caps and boxes beside the text": _chromium(
        "@page{size:A5;margin:1.5cm} body{font:9pt serif;text-align:justify} p::first-letter{font-size:28pt;float:left;"
        "line-height:24pt;padding-right:2pt} h2{font-size:9pt;letter-spacing:3pt;text-transform:uppercase}"
        "h2{float:right;width:38%;border:1px solid;padding:4pt;margin:4pt}"
    ),
    "weasyprint, four narrow columns": _weasyprint(
        "@page{size:A4 landscape;margin:1cm} body{font:8pt sans-serif} main{columns:4;column-gap:9pt;hyphens:auto;"
        "text-align:justify} h2{letter-spacing:.25em;font-size:8pt}"
    ),
    "chromium, spaced letters": _chromium(
        "@page{size:A4;margin:3cm} body{font:10pt/1.1 serif;letter-spacing:.06em;word-spacing:.1em} main{columns:2}"
    ),
    "pdflatex, narrow margins and small type": _latex(
        "10pt,twocolumn", "article", r"\usepackage[margin=1.2cm,columnsep=4mm]{geometry}"
    ),
    "reportlab, words without spaces": _placed_words(10, 440),
    "reportlab, three columns without spaces": _placed_words(8, 155, tracking=2.5),
    "reportlab, text that runs upwards": _placed_words(9, 230, tracking=3, turns=1),
    "groff, three columns": _groff("pdf", 3),
}


def producers(pattern: str) -> Iterator[tuple[int, str, Callable[[Script, Path], Path]]]:
    """Yield the producers whose name contains *pattern*, each with its number."""
    return ((number, name, make) for number, (name, make) in enumerate(PRODUCERS.items(), 1) if pattern in name)
