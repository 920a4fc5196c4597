"""
Draws pages of a PDF as images, with the boxes of passages on them, in the process of `groundwire.documents.pdf_child`.

The images are PNG in eight levels of grey, four bits a pixel: 43 KB for page 11 of libtasn1.pdf, which is full of text
(JPEG at quality 30: 89 KB, WebP at 30: 69 KB). WebP without loss takes 28 KB, but the library for it takes 20 MB.
"""

import ctypes
import struct
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import msgspec

__all__ = ["IMAGE_WIDTH", "MAX_PIXELS", "PageSides", "PdfImages", "RenderRequest", "draw_pages"]

PageSides: TypeAlias = tuple[int, float, float, float, float]
"""Page index, and the left, bottom, right and top of a box in the page's own coordinates."""

IMAGE_WIDTH = 1000
"""The width of an image in pixels: about 120 to the inch for a page of A4 or letter."""

MAX_PIXELS = 4_000_000
"""Maximum number of pixels of an image; a longer page gets a narrower one."""

# Grey of a bitmap to one of eight levels, as the left or the right pixel of a byte.
_LEVELS = [(value * 7 + 127) // 255 * 15 // 7 for value in range(256)]
_LEFT = bytes(level << 4 for level in _LEVELS)
_RIGHT = bytes(_LEVELS)
# Level 9 saves 5 % and takes six times as long.
_LEVEL = 6
# Pixels of the device are whole numbers, so boxes are measured on a larger one.
_FINENESS = 16


class RenderRequest(msgspec.Struct, tag="render", frozen=True):
    """
    Asks for images of pages, and for the boxes of runs of characters on them.

    Attributes:
        content: The PDF.
        pages: Indices of the pages, the most important first.
        runs: Page index, first character, and number of characters.
        max_bytes: Maximum number of bytes of all images together.
    """

    content: bytes
    pages: list[int]
    runs: list[tuple[int, int, int]]
    max_bytes: int


class PdfImages(msgspec.Struct, tag="images", frozen=True):
    """
    Holds images of pages.

    Attributes:
        images: Page index, width and height in pixels, and the PNG.
        boxes: Index of the run, page index, and left, top, right and bottom in pixels of the image.
        has_more: Whether pages are left out because of `max_bytes`.
    """

    images: list[tuple[int, int, int, bytes]]
    boxes: list[tuple[int, int, float, float, float, float]]
    has_more: bool


def draw_pages(request: RenderRequest, sides: Iterable[PageSides | None], on_page: Callable[[], None]) -> PdfImages:
    """
    Return the images of *request*, up to the limit of bytes.

    Args:
        request: What to draw. A page that PDFium cannot load is left out.
        sides: The box of each run; None for a run without one.
        on_page: Called after each page.
    """
    import pypdfium2

    by_page: dict[int, list[tuple[int, PageSides]]] = defaultdict(list)
    for run, box in enumerate(sides):
        if box is not None:
            by_page[box[0]].append((run, box))
    found = PdfImages([], [], has_more=False)
    # A document of its own: reading the boxes may have turned pages of the other one.
    document = pypdfium2.PdfDocument(request.content)
    try:
        room = request.max_bytes
        for number in request.pages:
            try:
                page = document[number]
            except pypdfium2.PdfiumError:
                continue
            try:
                width, height = _image_size(*page.get_size())
                png = _png(_bitmap(page, width, height), width, height)
                room -= len(png)
                if room < 0:
                    return msgspec.structs.replace(found, has_more=True)
                found.images.append((number, width, height, png))
                found.boxes.extend((run, number, *_placed(page, width, height, box)) for run, box in by_page[number])
            finally:
                page.close()
            on_page()
    finally:
        document.close()
    return found


def _image_size(page_width: float, page_height: float) -> tuple[int, int]:
    """Return the size of an image in pixels; its width is even, so that rows end with a byte."""
    ratio = page_height / page_width if page_width > 0 and page_height > 0 else 1.0
    width = min(IMAGE_WIDTH, int((MAX_PIXELS / ratio) ** 0.5))
    width = max(2, width - width % 2)
    return width, min(max(1, round(width * ratio)), MAX_PIXELS // width)


def _bitmap(page: Any, width: int, height: int) -> bytes:
    """Return the page as a bitmap: a byte of grey for each pixel, row by row from the top."""
    import pypdfium2
    import pypdfium2.raw as pdfium

    bitmap = pypdfium2.PdfBitmap.new_native(width, height, pdfium.FPDFBitmap_Gray)
    bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, pdfium.FPDF_ANNOT | pdfium.FPDF_GRAYSCALE)
    return bytes(bitmap.buffer)


def _placed(page: Any, width: int, height: int, box: PageSides) -> tuple[float, float, float, float]:
    """Return a box in pixels of the image; PDFium knows how the page is cropped and turned."""
    import pypdfium2.raw as pdfium

    x, y = ctypes.c_int(), ctypes.c_int()
    corners = []
    for across, up in ((box[1], box[2]), (box[3], box[4])):
        pdfium.FPDF_PageToDevice(page, 0, 0, width * _FINENESS, height * _FINENESS, 0, across, up, x, y)
        corners.append((x.value / _FINENESS, y.value / _FINENESS))
    (first_x, first_y), (second_x, second_y) = corners
    return min(first_x, second_x), min(first_y, second_y), max(first_x, second_x), max(first_y, second_y)


def _png(grey: bytes, width: int, height: int) -> bytes:
    """Return a bitmap of *width*, which is even, and *height* as PNG."""
    # Two pixels are one byte; as one large number they are joined at once.
    left, right = (int.from_bytes(half.translate(table)) for half, table in ((grey[::2], _LEFT), (grey[1::2], _RIGHT)))
    row = width // 2
    packed = (left | right).to_bytes(row * height)
    rows = b"".join(b"\0" + packed[start : start + row] for start in range(0, len(packed), row))
    head = struct.pack(">IIBBBBB", width, height, 4, 0, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, _LEVEL)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*each) for each in chunks)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
