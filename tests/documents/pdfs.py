"""Write small PDFs for tests by hand, without a library."""

from collections.abc import Sequence

_FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"


def text_at(x: float, y: float, text: str, size: float = 10) -> str:
    """Return the operators that draw *text* with its baseline at *x*, *y*."""
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /F1 {size} Tf 1 0 0 1 {x} {y} Tm ({escaped}) Tj ET\n"


def lines_at(x: float, y: float, lines: Sequence[str], leading: float = 12) -> str:
    """Return the operators that draw lines below each other."""
    return "".join(text_at(x, y - leading * number, line) for number, line in enumerate(lines))


def make_pdf(*pages: str, rotate: int = 0, boxes: str = "/MediaBox [0 0 600 800]") -> bytes:
    """Return a PDF of pages with these operators, of 600 by 800 points unless *boxes* say otherwise."""
    count = len(pages)
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", _FONT]
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(count))
    objects[1] = f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode()
    for number, operators in enumerate(pages):
        content = operators.encode("cp1252")
        objects += [
            f"<< /Type /Page /Parent 2 0 R {boxes} /Rotate {rotate} "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * number} 0 R >>".encode(),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        ]
    return _file(objects)


def make_scan() -> bytes:
    """Return a PDF of one page that shows a path image and has no text."""
    image = b"q 500 0 0 700 50 50 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI Q"
    return make_pdf("").replace(b"<< /Length 0 >>\nstream\n\nendstream", _stream(image)) or b""


def _stream(content: bytes) -> bytes:
    return b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content)


def _file(objects: Sequence[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)
