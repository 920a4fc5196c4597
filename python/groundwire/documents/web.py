"""Reads web pages, and EPUB books, which consist of them: the text that a browser shows, as blocks with paths."""

import codecs
import posixpath
import re
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import unquote
from xml.etree import ElementTree

from groundwire.documents.archives import open_archive
from groundwire.documents.document import PartKind
from groundwire.documents.parts import PartsBuilder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selectolax.lexbor import LexborNode

__all__ = ["read_epub", "read_html"]

_BOOK = "an EPUB book"
_CONTAINER = "META-INF/container.xml"
_PACKAGE = "{http://www.idpf.org/2007/opf}"
_ROOT_FILE = "{urn:oasis:names:tc:opendocument:xmlns:container}rootfile"

# Readings above Japanese and Chinese characters, which would divide the words below them.
_RUBY = frozenset({"rt", "rp"})
_LEFT_OUT = frozenset(
    {"script", "style", "template", "noscript", "head", "title", "iframe", "object", "svg", "math", "canvas", "audio"}
    | {"video", "select", "textarea", "datalist", "dialog"}
    | _RUBY
)
_BOILERPLATE = frozenset({"nav", "header", "footer", "aside", "form"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_CELLS = frozenset({"td", "th"})
# All other elements are within a line.
_BLOCKS = (
    frozenset({"address", "article", "blockquote", "body", "caption", "dd", "details", "div", "dl", "dt", "fieldset"})
    | {"figcaption", "figure", "form", "hr", "html", "legend", "li", "main", "ol", "p", "pre", "section", "summary"}
    | {"table", "tbody", "tfoot", "thead", "tr", "ul"}
    | _BOILERPLATE
    | _HEADINGS
    | _CELLS
)
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([a-zA-Z0-9_.:-]{1,40})", re.IGNORECASE)
_TAG = re.compile(
    r"<(/?)(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|td|th|tr|dt|dd|option|thead|tbody"
    r"|tfoot|colgroup)\b)[a-z]",
    re.IGNORECASE,
)
_MAX_NESTING = 2_000
_SPACE = re.compile(r"[ \t\n\r\f]+")
_SPACES = re.compile(r"[ \n]+")
# Browsers read these encodings as larger ones, and take a page that can be read up to its declaration for UTF-8.
_AS_BROWSERS = {
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "windows-31j": "cp932",
    "euc_kr": "cp949",
    **dict.fromkeys(("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "utf-7"), "utf-8"),
    # Only Python knows these.
    **dict.fromkeys(("unicode-escape", "raw-unicode-escape", "idna", "punycode", "undefined"), "utf-8"),
}
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def read_html(content: bytes, name: str | None, *, boilerplate: bool) -> PartsBuilder:
    """
    Return the text of a web page. Scripts, styles, hidden elements and ruby annotations are left out.

    Args:
        content: The page.
        name: Name of the page in errors.
        boilerplate: Whether to keep menus, headers, footers and asides.

    Raises:
        DocumentError: The page has more text than the limit.
    """
    built = PartsBuilder(name)
    _add_page(built, _decoded(content), boilerplate=boilerplate)
    return built


def read_epub(content: bytes, name: str | None, *, boilerplate: bool) -> PartsBuilder:
    """
    Return the text of a book, its chapters in reading order, and the path of each block as `chapter > html > p`.

    Raises:
        DocumentError: It is damaged or larger than the limits.
    """
    built = PartsBuilder(name)
    with open_archive(content, name, _BOOK) as archive:
        container = ElementTree.fromstring(archive.read(_CONTAINER))
        root = container.find(f".//{_ROOT_FILE}")
        package_path = "" if root is None else root.get("full-path", "")
        package = ElementTree.fromstring(archive.read(package_path))
        files = {item.get("id"): item.get("href", "") for item in package.iter(f"{_PACKAGE}item")}
        for reference in package.iter(f"{_PACKAGE}itemref"):
            href = unquote(files.get(reference.get("idref"), ""))
            path = posixpath.normpath(posixpath.join(posixpath.dirname(package_path), href))
            _add_page(built, _decoded(archive.read(path)), boilerplate=boilerplate, prefix=f"{href} > ")
    return built


def _decoded(content: bytes) -> str:
    """Return a page as text: by its byte order mark, the encoding it declares, UTF-8, or Windows-1252."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, "replace")
    for encoding in (_declared(content), "utf-8"):
        with suppress(UnicodeDecodeError, LookupError):
            return content.decode(encoding)
    return content.decode("cp1252", "replace")


def _declared(content: bytes) -> str:
    """Return Python's name of the encoding that a page declares, as browsers read it; UTF-8 if there is none."""
    declared = _CHARSET.search(content[:4096])
    name = "utf-8" if declared is None else declared[1].decode("ascii").lower().removeprefix("x-")
    try:
        name = codecs.lookup(_AS_BROWSERS.get(name, name)).name
    except LookupError:
        return "utf-8"
    return _AS_BROWSERS.get(name, name)


def _add_page(built: PartsBuilder, page: str, *, boilerplate: bool = True, prefix: str = "") -> None:
    """Add the blocks of a page to *built*, with *prefix* before their paths."""
    from selectolax.lexbor import LexborHTMLParser

    if _depth(page) > _MAX_NESTING:
        raise built.error("too_deep", "a web page of elements nested too deeply", "save it from a browser first")
    root = LexborHTMLParser(page).root
    if root is None:
        return
    line = _Line(built, prefix)
    for node, path, is_pre in _shown(root, _LEFT_OUT if boilerplate else _LEFT_OUT | _BOILERPLATE, line):
        line.add(node.text_content or "", path, is_pre)
    line.end()


def _depth(page: str) -> int:
    """
    Return the approximate depth of the elements of a page, because the time of parsing grows with its square.

    Elements without an end tag, and those that another tag ends, do not count.
    """
    depth = deepest = 0
    for found in _TAG.finditer(page):
        depth = max(0, depth - 1) if found[1] else depth + 1
        deepest = max(deepest, depth)
    return deepest


class _Line:
    """Collects the text of one block, until the next block begins or ends."""

    def __init__(self, built: PartsBuilder, prefix: str) -> None:
        self._built = built
        self._prefix = prefix
        self._pieces: list[str] = []
        self._path: tuple[str, ...] = ()

    def add(self, text: str, path: tuple[str, ...], is_pre: bool) -> None:
        """Append text of the block at *path*."""
        if not self._pieces:
            self._path = path
        self._pieces.append(text if is_pre else _SPACE.sub(" ", text))

    def end(self) -> None:
        """End the block."""
        text = "".join(self._pieces)
        self._pieces = []
        names = {step.partition(":")[0] for step in self._path}
        kind = PartKind.HEADING if names & _HEADINGS else PartKind.TABLE if names & _CELLS else PartKind.TEXT
        self._built.add(
            _SPACES.sub(lambda found: "\n" * found[0].count("\n") or " ", text).strip(" "),
            self._prefix + " > ".join(self._path),
            kind,
        )


def _shown(
    root: "LexborNode", left_out: frozenset[str], line: _Line
) -> "Iterator[tuple[LexborNode, tuple[str, ...], bool]]":
    """
    Yield the visible text nodes, with the path of their block; end *line* at the edges of blocks.

    This works without recursion, because pages may be nested a million levels deep.
    """
    path: list[str] = []
    pre, depth = 0, 1
    counts: list[Counter[str]] = [Counter()]
    node: LexborNode | None = root
    while node is not None:
        tag = node.tag or ""
        is_block = tag in _BLOCKS
        if tag == "-text":
            yield node, tuple(path[-_MAX_PATH:]), pre > 0
        elif tag == "br":
            line.add("\n", tuple(path[-_MAX_PATH:]), True)
        is_entered = not tag.startswith("-") and tag not in left_out and not _is_hidden(node)
        if is_block and is_entered:
            line.end()
            counts[-1][tag] += 1
            path.append(f"{tag}:nth-of-type({counts[-1][tag]})" if tag not in ("html", "body") else tag)
            counts.append(Counter())
            pre += tag == "pre"
        following = node.child if is_entered else None
        if following is not None:
            node, depth = following, depth + 1
            continue
        # Leave this node, and each parent whose last child it is.
        while node is not None:
            if (node.tag or "") in _BLOCKS and is_entered:
                line.end()
                path.pop()
                counts.pop()
                pre -= node.tag == "pre"
            if node.next is not None:
                node = node.next
                break
            node, is_entered, depth = node.parent, True, depth - 1
            if not depth:
                return


_MAX_PATH = 12


def _is_hidden(node: "LexborNode") -> bool:
    if not (attributes := node.attributes):
        return False
    style = attributes.get("style")
    return "hidden" in attributes or (style is not None and _HIDDEN_STYLE.search(style) is not None)
