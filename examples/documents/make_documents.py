#!/usr/bin/env python3
"""
Make the sample's documents: the interview as a PDF, a Word document and a web page.

    python3 examples/documents/make_documents.py FOLDER

Needs python-docx, which is in the extra `documents`.
"""

import sys
from html import escape
from pathlib import Path
from textwrap import wrap

INTERVIEW = Path(__file__).resolve().parents[1] / "interview.txt"
TITLE = "Interview with Marlene"
LINES_PER_PAGE = 46


def main(folder: Path) -> None:
    """Write the three documents into *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    turns = INTERVIEW.read_text(encoding="utf-8").splitlines()
    (folder / "interview.pdf").write_bytes(make_pdf(turns))
    (folder / "interview.html").write_text(make_html(turns), encoding="utf-8")
    write_docx(turns, folder / "interview.docx")


def make_html(turns: list[str]) -> str:
    """Return the interview as a web page."""
    paragraphs = "\n".join(f"<p>{escape(turn)}</p>" for turn in turns)
    head = f'<!doctype html>\n<html lang="en"><title>{TITLE}</title>'
    return f"{head}\n<body><h1>{TITLE}</h1>\n{paragraphs}\n</body></html>\n"


def write_docx(turns: list[str], path: Path) -> None:
    """Write the interview as a Word document."""
    import docx

    document = docx.Document()
    document.add_heading(TITLE, 1)
    for turn in turns:
        document.add_paragraph(turn)
    document.save(str(path))


def make_pdf(turns: list[str]) -> bytes:
    """Return the interview as a PDF, with the title and the number of the page on each page."""
    lines = [line for turn in turns for line in [*wrap(turn, 88), ""]]
    pages = [lines[first : first + LINES_PER_PAGE] for first in range(0, len(lines), LINES_PER_PAGE)]
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, page in enumerate(pages, start=1):
        drawn = [
            draw(70, 790, f"{TITLE}, page {number}"),
            *(draw(70, 750 - 15 * row, line) for row, line in enumerate(page)),
        ]
        content = "".join(drawn).encode("cp1252")
        objects += [
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> "
            b"/Contents %d 0 R >>" % (len(objects) + 2),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        ]
    return join(objects)


def draw(x: int, y: int, text: str) -> str:
    """Return the operators that draw a line of text."""
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /F1 10.5 Tf 1 0 0 1 {x} {y} Tm ({escaped}) Tj ET\n"


def join(objects: list[bytes]) -> bytes:
    """Return a PDF of *objects*, with the table of their places."""
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
    return bytes(out)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
