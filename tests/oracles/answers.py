"""
An answer's citations, sentences and claims in plain Python: the oracle of `_engine.read_answer`, and its rival.

markdown-it-py says what the blocks are. It gives no positions for what stands inside a line, so
that is read by regular expressions, which know the plain forms of each construct and not every
corner of CommonMark: texts for comparisons are made of such forms.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from markdown_it import MarkdownIt

from oracles.sentences import Span, kind_of, split

INLINE = re.compile(
    r"""
    (?P<escape>\\)(?=[!-/:-@\[-`{-~])[\s\S]
    | (?P<code>(?<!`)(`+)(?!`)[\s\S]+?(?<!`)\3(?!`))
    | <(?P<autolink>[a-zA-Z][a-zA-Z0-9+.-]+:[^<>\s]*|[\w.+-]+@[\w.-]+)>
    | (?P<tag></?[a-zA-Z][^<>]*>|<!--[\s\S]*?-->)
    | (?P<image>!\[[^\[\]]*\]\([^()\s]*\))
    | \[(?P<link>(?:[^\[\]]|\[[^\[\]]*\])*)\]\([^()\s]*\)
    | (?P<reference>\[(?P<words>[^\[\]]+)\]\[(?P<full>[^\[\]]+)\]|\[(?P<short>[^\[\]]+)\](?:\[\])?)
    | (?P<mark>\*\*|~~|\*)
    """,
    re.VERBOSE,
)
TAG = re.compile(r"</?[a-zA-Z][^<>]*>|<!--[\s\S]*?-->")
CODE_ELEMENT = re.compile(r"<(pre|script|style|textarea)\b[\s\S]*?(?:</[^>]*>|\Z)", re.IGNORECASE)
FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]:")
SEPARATOR = re.compile("[,;，；、]")
# Citations after a sentence, with the commas between them.
BEHIND = re.compile("[snh]*(?:q[qsnh]*(?:m[snh]*q[qsnh]*)*)?$")
FIRST_PERSON = re.compile("I(?:['’](?:m|d|ve|ll))?")
MAX_RANGE, MAX_SPREAD = 1_000, 100_000


@dataclass
class NaiveMarker:
    """Holds a pair of brackets and its items: (id, status) of each."""

    start: int
    end: int
    form: str
    items: list[tuple[str, str]]

    @property
    def status(self) -> str:
        """Return the best status of the ids."""
        statuses = {status for _, status in self.items}
        return next((status for status in ("valid", "invalid") if status in statuses), "ignored")


@dataclass
class NaiveClaim:
    """Holds a sentence that is a claim."""

    start: int
    end: int
    weight: int
    markers: list[int]


@dataclass
class NaiveAnswer:
    """Holds everything that is read from an answer."""

    markers: list[NaiveMarker] = field(default_factory=list)
    sentences: list[Span] = field(default_factory=list)
    claims: list[NaiveClaim] = field(default_factory=list)


@dataclass
class Block:
    """Holds characters that no sentence crosses."""

    start: int
    end: int
    label: int
    is_heading: bool = False
    row: int = 0


def read_answer_naive(answer: str, ids: Sequence[str]) -> NaiveAnswer:
    """Read an answer that can cite *ids*."""
    citable = Citable(ids)
    kinds, blocks = Prose(answer, citable).read()
    markers = [marker for block in blocks for marker in find_markers(answer, kinds, block, citable)]
    listed = "".join(kinds)
    sentences = [split(answer, listed, block.start, block.end, block.label) for block in blocks]
    claims = find_claims(answer, listed, markers, list(zip(blocks, sentences, strict=True)))
    return NaiveAnswer(markers, [sentence for found in sentences for sentence in found], claims)


class Prose:
    """Finds the blocks of an answer, and the kinds of its characters."""

    def __init__(self, text: str, citable: "Citable") -> None:
        self.text, self.citable = text, citable
        self.kinds = ["h"] * len(text)
        ends = [match.end() for match in re.finditer(r"\r\n?|\n", text)]
        self.lines = [0, *ends, len(text)]
        self.blocks: list[Block] = []
        self.defined: set[str] = set()
        self.place = 0

    def read(self) -> tuple[list[str], list[Block]]:
        """Return kinds and blocks."""
        env: dict[str, dict[str, object]] = {}
        tokens = parser().parse(self.text, env)
        self.defined = {name.casefold() for name in env.get("references", {})}
        item, is_heading, row, cells = None, False, 0, False
        for token in tokens:
            match token.type:
                case "list_item_open":
                    item = self.lines[token.map[0]]
                case "list_item_close":
                    item = None
                case "heading_open" | "thead_open":
                    is_heading, cells = True, token.type == "thead_open" or cells
                case "heading_close" | "thead_close":
                    is_heading = False
                case "table_open":
                    cells = True
                case "table_close":
                    cells = False
                case "tr_open":
                    row += 1
                    line = token.map[0] if token.map else 0
                    self.place = self.lines[line]
                case "inline" if token.content.strip() and not FOOTNOTE.match(token.content):
                    self.add(token.content, token.map, item, is_heading, row if cells else 0)
                    item = None
                case "html_block":
                    self.add_html(token.content, token.map)
        return self.kinds, self.blocks

    def add(self, content: str, lines: Sequence[int] | None, item: int | None, is_heading: bool, row: int) -> None:
        """Add the block with the inside *content*, line by line."""
        if lines is not None and not row:
            self.place = max(self.place, self.lines[lines[0]])
        places = []
        for line in content.split("\n"):
            words = line.strip()
            at = self.text.index(words, self.place)
            places += [*range(at, at + len(words)), at + len(words)]
            self.place = at + len(words)
        content = "\n".join(line.strip() for line in content.split("\n"))
        start, end = places[0], places[len(content) - 1] + 1
        kinds = self.inline(content)
        if item is not None and (box := re.match(r"\[[ xX]\] ", content)):
            kinds[: box.end()] = "h" * box.end()
        for at, kind in zip(places, kinds, strict=False):
            self.kinds[at] = kind
        visible = [at for at in range(start, end) if self.kinds[at] != "h"]
        if not visible:
            return
        label = visible[0] if item is None else item + len(re.match(r"[ >]*", self.text[item:])[0])
        for at in range(label, start):
            self.kinds[at] = kind_of(self.text[at])
        self.blocks.append(Block(visible[0], visible[-1] + 1, label, is_heading, row))

    def add_html(self, content: str, lines: Sequence[int]) -> None:
        """Add a block of HTML; its tags and code are markup."""
        start = self.text.index(content.rstrip("\n"), self.lines[lines[0]])
        kinds = [kind_of(character) for character in content]
        for markup in [*CODE_ELEMENT.finditer(content), *TAG.finditer(content)]:
            kinds[markup.start() : markup.end()] = "h" * len(markup[0])
        self.kinds[start : start + len(content)] = kinds
        if any(kind != "h" for kind in kinds):
            self.blocks.append(Block(start, start + len(content), start))

    def inline(self, content: str) -> list[str]:
        """Return the kinds of the characters inside a block."""
        kinds = [kind_of(character) for character in content]
        at = 0
        while found := INLINE.search(content, at):
            start, at = found.span()
            hidden = range(0)
            if found["code"]:
                kinds[start:at] = "t" * (at - start)
            elif found["escape"] or found["tag"] or found["image"] or found["mark"]:
                hidden = range(start, start + 1 if found["escape"] else at)
            elif found["autolink"] or found["link"] is not None:
                inner = found.span("autolink" if found["autolink"] else "link")
                hidden = [*range(start, inner[0]), *range(inner[1], at)]
                kinds[inner[0] : inner[1]] = [kind.replace("k", "c") for kind in kinds[inner[0] : inner[1]]]
            else:
                at, hidden = self.reference(found, kinds)
            for place in hidden:
                kinds[place] = "h"
        return kinds

    def reference(self, found: re.Match[str], kinds: list[str]) -> tuple[int, Sequence[int]]:
        """Return where to continue after `[words][label]` or `[label]`, and its markup."""
        label = found["full"] or found["short"]
        if label.casefold() not in {name.casefold() for name in self.defined} or label.startswith("^"):
            # This is no link: the first pair of brackets is text, and the second one is read again.
            return (found.end("words") + 1 if found["words"] else found.end()), []
        if self.citable.standing(label) == "ignored":
            words = found.span("words" if found["words"] else "short")
            return found.end(), [*range(found.start(), words[0]), *range(words[1], found.end())]
        if found["words"] and self.citable.standing(found["words"]) == "ignored":
            kinds[found.start()] = "c"
        return found.end(), []


@cache
def parser() -> MarkdownIt:
    """Return a parser with GitHub's tables."""
    return MarkdownIt("commonmark").enable("table")


class Citable:
    """Finds the ids in use, and texts of the same form."""

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = {name.strip() for name in ids} - {""}
        self.shapes = {shape(name) for name in self.ids} or {"0"}
        self.lengths = {lengths(name) for name in self.ids if is_hash(name)}
        self.separators = min(8, max((len(SEPARATOR.findall(name)) for name in self.ids), default=0))
        self.spread = MAX_SPREAD

    def standing(self, name: str) -> str:
        """Return "valid", "invalid" or "ignored"."""
        if name in self.ids:
            return "valid"
        return "invalid" if name and (shape(name) in self.shapes or lengths(name) in self.lengths) else "ignored"

    def read(self, content: str, form: str) -> tuple[str, list[tuple[str, str]]]:
        """Return the form and items of the text in brackets."""
        content = content.strip()
        if not any(character.isalnum() for character in content):
            return form, []
        if content in self.ids:
            return form, [(content, "valid")]
        if form == "lenticular":
            content = content.split("†", 1)[0]
        form, is_marked, content = prefixed(content, form)
        ends = [sign.start() for sign in SEPARATOR.finditer(content)] + [len(content)]
        items: list[tuple[str, str]] = []
        start = 0
        while ends:
            # An id may contain the separator of ids: the longest id in use counts.
            known = [end for end in ends[: self.separators + 1] if content[start:end].strip() in self.ids]
            end = max(known, default=ends[0])
            items += self.read_one(content[start:end].strip(), form, is_marked)
            start, ends = end + 1, [later for later in ends if later > end]
        return form, items

    def read_one(self, piece: str, form: str, is_marked: bool) -> list[tuple[str, str]]:
        """Return the items of a segment between commas."""
        if not piece:
            return []
        if piece in self.ids:
            return [(piece, "valid")]
        form, is_piece_marked, name = prefixed(piece, form)
        standing = self.standing(name)
        ends = re.fullmatch(r"([0-9]{1,18})\s*[-‐-—]\s*([0-9]{1,18})", name)
        if standing == "ignored" and ends:
            count = int(ends[2]) - int(ends[1]) + 1
            if not 0 < count <= min(MAX_RANGE, self.spread):
                return [(name, "ignored")]
            self.spread -= count
            numbers = [str(number) for number in range(int(ends[1]), int(ends[2]) + 1)]
            return [(number, self.standing(number)) for number in numbers]
        if standing == "ignored" and form == "source" and (is_marked or is_piece_marked):
            standing = "invalid"
        return [(name, standing)]


def shape(name: str) -> str:
    """Return *name* with runs of digits as 0 and runs of letters as a."""
    kinds = "".join("0" if c.isnumeric() else "a" if c.isalpha() else c for c in name)
    return re.sub("0+", "0", re.sub("a+", "a", kinds)) if name.isascii() else re.sub("(0|a)\\1+", "\\1", kinds)


def lengths(name: str) -> tuple[object, ...]:
    """Return the lengths of runs of letters and digits, and the characters between."""
    return tuple(len(part) if part.isalnum() else part for part in re.findall(r"[^\W_]+|[\W_]", name))


def is_hash(name: str) -> bool:
    """Return whether a run changes between letters and digits twice."""
    return any(len(re.findall("[^0-9]+|[0-9]+", run)) > 2 for run in re.findall(r"[^\W_]+", name))


def prefixed(content: str, form: str) -> tuple[str, bool, str]:
    """Return the form of a prefix, whether a sign gives it, and the rest."""
    if content.startswith("^"):
        return "footnote", True, content[1:].strip()
    source = re.match(r"(?i:sources?)(?![^\W\d_])\s*([:：]?)\s*(?=\S)", content)
    if source:
        return "source", bool(source[1]), content[source.end() :].strip()
    return form, False, content


def find_markers(text: str, kinds: list[str], block: Block, citable: Citable) -> Iterator[NaiveMarker]:
    """Yield the brackets of a block, and give those that cite the kind q."""
    at = block.start
    while at < block.end:
        if kinds[at] != "k" or (at > 0 and kinds[at - 1] == "h" and text[at - 1] == "\\"):
            at += 1
            continue
        closing = {"[": "]", "【": "】", "［": "］"}[text[at]]
        close = find_close(text, kinds, at, block.end, closing, citable)
        if close is None:
            at += 1
            continue
        form, items = citable.read(text[at + 1 : close], "lenticular" if closing == "】" else "bracket")
        marker = NaiveMarker(at, close + 1, form, items)
        if is_subscript(text, kinds, marker):
            marker.items = [(name, "ignored") for name, _ in items]
        if marker.status != "ignored":
            if at > 0 and text[at - 1] == "[" and text[close + 1 : block.end][:1] == "]":
                marker.start, marker.end = at - 1, close + 2
            kinds[marker.start : marker.end] = "q" * (marker.end - marker.start)
        if items:
            yield marker
        at = marker.end if items else at + 1


def find_close(text: str, kinds: list[str], at: int, end: int, closing: str, citable: Citable) -> int | None:
    """Return the bracket that closes the one at *at*: after the longest id there, or the next one."""
    bracketed = [name for name in citable.ids if re.search(r"[\[\]【】]", name) and len(name) <= 256]
    standing = [name for name in bracketed if text.startswith(name + closing, at + 1, end)]
    if standing:
        return at + 1 + max(map(len, standing))
    close = text.find(closing, at + 1, end)
    inside = text[at + 1 : close]
    is_open = "k" in kinds[at + 1 : close] or re.search(r"(\r\n?|\n)[ \t]*(\r\n?|\n)", inside)
    return None if close < 0 or is_open else close


def is_subscript(text: str, kinds: list[str], marker: NaiveMarker) -> bool:
    """Return whether the brackets belong to a program: `arr[0]`, `row_ids[1]`, `x[1] = 2`."""
    is_letter = [kind in "lut" or sign == "_" for kind, sign in zip(kinds[: marker.start], text, strict=False)]
    if not (is_letter and is_letter[-1]):
        return False
    length = next((n for n, letter in enumerate(reversed(is_letter)) if not letter), len(is_letter))
    word = text[marker.start - min(length, 40) : marker.start]
    after, behind = text[marker.end :][:2], kinds[marker.end + 1 : marker.end + 2]
    is_member = after[:1] == "." and behind == ["l"]
    is_zero = marker.status != "valid" and [name for name, _ in marker.items] == ["0"]
    return is_zero or "_" in word or is_member or after[:1] == "(" or after.removeprefix(" ")[:1] == "="


def find_claims(
    text: str, kinds: str, markers: list[NaiveMarker], read: list[tuple[Block, list[Span]]]
) -> list[NaiveClaim]:
    """Return the claims, each with the indices of its citations."""
    claims: list[NaiveClaim] = []
    first, row = 0, 0
    starts = [marker.start for marker in markers]
    for block, sentences in read:
        if block.is_heading or (block.row != row and block.row):
            first = len(claims)
        row = block.row
        for start, end in sentences:
            within = range(bisect_right(starts, start - 1), bisect_right(starts, end - 1))
            cited = [index for index in within if markers[index].status != "ignored"]
            stop = start + BEHIND.search(kinds[start:end]).start()
            weight = weigh(text[start:stop], kinds[start:stop])
            if weight == 0:
                for claim in claims[max(first, len(claims) - 16) :]:
                    claim.markers += cited
                continue
            if block.row == 0:
                first = len(claims)
            leads_in = text[start:stop].endswith((":", "："))
            claims_nothing = leads_in or is_about_itself(text, kinds, start, stop)
            if weight > 20 and not block.is_heading and (cited or not claims_nothing):
                claims.append(NaiveClaim(start, stop, weight, cited))
    return claims


def is_about_itself(text: str, kinds: str, start: int, stop: int) -> bool:
    """Return whether the sentence begins with the pronoun I, or I'm and the like, and a lower-case letter."""
    first = FIRST_PERSON.match(text, start, stop)
    return first is not None and re.match("[sn]l", kinds[first.end() : stop]) is not None


def weigh(text: str, kinds: str) -> int:
    """Return the number of visible characters, with white space as one, Han and Kana as two."""
    seen = "".join(" " if kind in "sn" else sign for sign, kind in zip(text, kinds, strict=True) if kind not in "hq")
    wide = re.findall(
        "[\u2e80-\u2fdf々-〇\u3021-\u3029\u3038-\u303bぁ-ヿㇰ-ㇿ㐀-䶿一-鿿豈-\ufaffｦ-ﾟ\U0001aff0-\U0001b16f\U00020000-\U0003ffff]",
        seen,
    )
    return len(re.sub(" +", " ", seen).strip(" ")) + len(wide)
