"""
Sentences by their rules: the oracle of `_engine.sentences`, and its rival in plain Python.

Each character has a kind, one letter, and the rules are regular expressions over kinds. The words
that rules ask for are the engine's own list: they are data, what becomes of them is not.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

WORDS = Path(__file__).resolve().parents[2] / "rust/language/src/sentence/words.toml"
LONGEST = 12

# h hidden, o other, l lower, u upper, t letter without case, d digit, s space, n line end, p full stop, x ! and ?,
# w CJK stop, e ellipsis, c quotation mark or bracket, k opening bracket of citations, m comma and its like, b bullet,
# q citation
FIXED = {
    ".\u2024\ufe52\uff0e": "p",
    "!?\u0964\u061f": "x",
    "。！？｡": "w",
    "…": "e",
    "[【［": "k",
    "•⁃‣◦▪●": "b",
    ",-:;–—、，：；": "m",
    "\n\r\x85\u2028\u2029": "n",
    "\"'²³¹⁰⁴⁵⁶⁷⁸⁹": "c",
    "\uff9e\uff9f": "h",
}
KINDS = {character: kind for characters, kind in FIXED.items() for character in characters}

BLANKS = re.compile("[snh]*")
CLOSING = re.compile("[chq]*")
BESIDE_WORDS = re.compile("[ckh]*")
RUN = re.compile("[pxwe](?:[chq]*[snh]*[pxwe])*")
CITATIONS = re.compile("[qh]*(?:[shm]*q[qh]*)*")
WORD_BEFORE = re.compile("[lutdopm]*$")
WORD_FROM = re.compile("[lut]*")
GOES_ON_SMALL = re.compile("[^lutpxwq]*l")
LABEL = re.compile(r"(?:([0-9]{1,3})|([^\W\d_]))(\.\)|\.|\))(?=\s)")
PAIRS = {
    "(": ")",
    "[": "]",
    "“": "”",
    "„": "“",
    "«": "»",
    "「": "」",
    "『": "』",
    "《": "》",
    "〈": "〉",
    "（": "）",
    "【": "】",
}
TITLES = "「『《〈"

Span = tuple[int, int]


@cache
def words(name: str) -> frozenset[str]:
    """Return the words of one of the engine's lists."""
    lists = tomllib.loads(WORDS.read_text(encoding="utf-8"))
    return frozenset((lists | lists["abbreviations"])[name].split())


@cache
def kind_of(character: str) -> str:
    """Return the kind of a character."""
    category = unicodedata.category(character)
    if character in KINDS:
        return KINDS[character]
    if category in ("Ps", "Pe", "Pi", "Pf"):
        return "c"
    if character.isspace():
        return "s"
    if category[0] == "M" or category == "Cf":
        return "h"
    if character.islower() or character.isupper() or character.istitle():
        return "l" if character.islower() else "u"
    return "t" if character.isalpha() else "d" if character.isnumeric() else "o"


def sentences_naive(text: str) -> list[Span]:
    """Every sentence of a plain text."""
    return split(text, "".join(map(kind_of, text)), 0, len(text))


def split(text: str, kinds: str, start: int, end: int, label: int | None = None) -> list[Span]:
    """Return the sentences of *text* in [start, end); the label of a list item begins at *label*."""
    found: list[Span] = []
    for first, last in paragraphs(text, kinds, start, end):
        found += Paragraph(text, kinds, first, last, first if label is None else label).sentences()
        label = None
    return found


def paragraphs(text: str, kinds: str, start: int, end: int) -> Iterator[Span]:
    """Yield what stands between blank lines."""
    for gap in re.compile("n[snh]*").finditer(kinds, start, end):
        line_ends = [place for place in range(*gap.span()) if kinds[place] == "n"]
        if sum(text[max(0, place - 1) : place + 1] != "\r\n" for place in line_ends) > 1:
            yield start, gap.start()
            start = gap.end()
    yield start, end


class Paragraph:
    """A stretch of text without blank lines."""

    def __init__(self, text: str, kinds: str, start: int, end: int, label: int) -> None:
        self.text, self.kinds, self.end = text, kinds, end
        self.start = self.skip(BLANKS, start)
        self.pairs = list(self.enclosures(start))
        self.labels = list(self.inline_labels(label))

    def skip(self, kinds: re.Pattern[str], at: int) -> int:
        """Return where what *kinds* matches at *at* ends."""
        return kinds.match(self.kinds, at, self.end).end()

    def sentences(self) -> list[Span]:
        """Return the sentences, without white space around them."""
        found = []
        at = self.start
        while at < self.end:
            end, following, at = self.divide(at)
            if following is not None:
                found.append((self.start, end))
                self.start = following
        found.append((self.start, self.end))
        trimmed = [(start, start + len(re.sub("[snh]*$", "", self.kinds[start:end]))) for start, end in found]
        return [(start, end) for start, end in trimmed if start < end]

    def divide(self, at: int) -> tuple[int, int | None, int]:
        """Return where the sentence ends and the next one begins, if *at* divides them, and where to look on."""
        kind = self.kinds[at]
        if at in self.labels and at > self.start:
            return at, self.unless_bullet(at), at + 1
        if kind == "n":
            following = self.skip(BLANKS, at)
            is_item = following < self.end and self.begins_item(following)
            return following, self.unless_bullet(following) if is_item else None, max(following, at + 1)
        if kind == "b":
            is_apart = at > 0 and self.kinds[at - 1] in "sn"
            return at, self.unless_bullet(at) if is_apart else None, at + 1
        if kind not in "pxwe":
            return at, None, at + 1
        ending = Ending(self, at)
        if ending.is_elided():
            return at + 1, self.skip(BLANKS, at + 1), ending.next
        divides = ending.next < self.end and ending.ends_sentence()
        return ending.cited, ending.next if divides else None, max(ending.next, at + 1)

    def unless_bullet(self, at: int) -> int | None:
        """Return *at* unless only a bullet stands before it."""
        before = self.kinds[self.start : at]
        return None if len(before) <= 8 and not before.strip("snhb") else at

    def label_at(self, at: int) -> tuple[int, bool, str] | None:
        """Return number, whether it is a letter, and sign of the label at *at*."""
        label = LABEL.match(self.text, at, self.end)
        if label is None or (label[2] and self.kinds[at] not in "lu"):
            return None
        return (int(label[1]), False, label[3]) if label[1] else (ord(label[2]), True, label[3])

    def inline_labels(self, start: int) -> Iterator[int]:
        """Yield where the second item of a list begins, and each one after it."""
        wanted = self.label_at(self.skip(re.compile("[snhb]*"), start))
        for at in range(start + 1, self.end):
            if wanted and self.kinds[at - 1] in "sn" and self.label_at(at) == (wanted[0] + 1, *wanted[1:]):
                yield at
                wanted = self.label_at(at)

    def begins_item(self, at: int) -> bool:
        """Whether a line that begins at *at* is a list item."""
        if self.kinds[at] == "b" or (self.text[at] in "-*+" and self.kinds[at + 1 : self.end][:1] in ("s", "n")):
            return True
        label = self.label_at(at)
        return label is not None and not label[1]

    def enclosures(self, start: int) -> Iterator[tuple[int, int, bool]]:
        """Yield opening sign, closing sign, and whether it is a title, of quotations and parentheses."""
        opened: list[tuple[str, int]] = []
        for at in range(start, self.end):
            sign = self.text[at]
            if self.kinds[at] not in "ck":
                continue
            before = self.text[at - 1] if at else " "
            openers = [opener for opener in PAIRS if PAIRS[opener] == sign] if sign != '"' else ['"']
            openers = [opener for opener in openers if any(other == opener for other, _ in opened)]
            if openers and not (sign == '"' and before.isspace()):
                while opened:
                    other, place = opened.pop()
                    if other == openers[0]:
                        if at - place <= 400:
                            yield place, at, other in TITLES
                        break
            elif sign in PAIRS or (sign == '"' and not before.isalnum()):
                opened.append((sign, at))


class Ending:
    """Terminators, and what stands around them."""

    def __init__(self, paragraph: Paragraph, first: int) -> None:
        self.paragraph, self.text, self.kinds = paragraph, paragraph.text, paragraph.kinds
        self.first = first
        self.last = RUN.match(self.kinds, first, paragraph.end).end() - 1
        run = self.kinds[first : self.last + 1]
        self.count = len(re.findall("[pxwe]", run))
        self.is_spaced = "s" in run or "n" in run
        self.is_weak = "x" not in run and "w" not in run
        self.closed = paragraph.skip(CLOSING, self.last + 1)
        self.cited, self.next = self.trailing_citations()

    def trailing_citations(self) -> Span:
        """Return the end of the citations behind, and where the next word begins."""
        skip, end, kinds = self.paragraph.skip, self.paragraph.end, self.kinds
        following = skip(BLANKS, self.closed)
        if kinds[following:end][:1] != "q":
            return self.closed, following
        cited = skip(CLOSING, skip(CITATIONS, following))
        after = skip(BLANKS, cited)
        is_before_words = "n" in kinds[self.closed : following] and after < end and "n" not in kinds[cited:after]
        if is_before_words or (after < end and kinds[after] in "lm"):
            return self.closed, following
        return cited, after

    @property
    def letter(self) -> int:
        """The next place that is no opening sign."""
        at = self.paragraph.skip(BESIDE_WORDS, self.next)
        return min(at + (self.text[at : at + 1] in ("¿", "¡")), self.paragraph.end - 1)

    def is_enclosed(self) -> bool:
        """Whether a quotation or parenthesis within the sentence is still open."""
        start = self.paragraph.start
        around = [pair for pair in self.paragraph.pairs if pair[0] < self.first and self.closed <= pair[1]]
        return any(open_ > start or (open_ == start and is_title) for open_, _, is_title in around)

    def is_elided(self) -> bool:
        """Whether the first of four stops ends a sentence, and the others stand for words of the next one."""
        is_elided = self.is_weak and self.is_spaced and self.count == 4 and self.next < self.paragraph.end
        follows_word = self.first > 0 and self.kinds[self.first - 1] not in "snh"
        if not is_elided or not follows_word or self.is_enclosed() or self.kinds[self.letter] != "u":
            return False
        return self.paragraph.skip(BLANKS, self.first + 1) > self.first + 1

    def ends_sentence(self) -> bool:
        """Whether a sentence ends here, behind which something stands."""
        around = self.text[max(0, self.first - 1) : self.first] + self.text[self.last + 1 : self.last + 2]
        if self.is_enclosed() or around in ("[]", "()", "［］", "（）") or self.is_label():
            return False
        last = self.kinds[self.last]
        if last == "w":
            is_quoted = self.last + 1 < self.closed == self.next
            return not (is_quoted and self.text[self.next] in "とっなのはがをにも")
        if self.is_weak and (self.count >= 3 or last == "e"):
            is_apart = re.search("[qsn]", self.kinds[self.last + 1 : self.next]) is not None
            return not (self.is_spaced and self.count == 3) and is_apart and self.kinds[self.letter] == "u"
        if last == "p":
            return self.stop_ends() if self.is_weak and self.count == 1 else self.ends_by_standard()
        return self.exclamation_ends()

    def is_label(self) -> bool:
        """Whether the sentence so far is a label of a list."""
        before = self.kinds[self.paragraph.start : self.first]
        label = re.sub("[snhbq]", "", before)
        return len(before) <= 8 and re.fullmatch("d{1,3}|[lut]", label) is not None

    def exclamation_ends(self) -> bool:
        """Whether `!` or `?` ends a sentence."""
        following = self.kinds[self.next]
        is_ascii = self.text[self.last].isascii()
        if is_ascii and self.next == self.last + 1 and following != "t":
            return False
        if following == "l" or not self.ends_by_standard():
            return False
        is_name = self.count == 1 and is_ascii and self.word_before() in words("names_with_exclamation_mark")
        return not is_name or self.is_starter()

    def stop_ends(self) -> bool:
        """Whether one full stop ends a sentence."""
        following = self.kinds[self.next]
        if self.next == self.last + 1 and following != "t":
            return False
        word = self.word_before()
        if word in words("inside") or (word in words("title") and self.kinds[self.first - len(word)] == "u"):
            return False
        if word in words("number"):
            return not self.is_number() and self.ends_by_standard()
        if word in words("name"):
            return self.is_starter()
        if word in words("last") or word in words("time"):
            before = self.kinds[self.paragraph.start : self.first]
            is_introduction = word in words("time") and len(before) <= 40 and before.count("s") < 3
            return self.kinds[self.letter] in "ut" and self.ends_by_standard() and not is_introduction
        parts = [part for part in re.split("[.-]", word) if part]
        first = self.first - len(word)
        is_possessive = self.kinds[first] == "l" and self.text[max(first - 1, 0) : first] in ("'", "’")
        if parts and all(len(part) == 1 and part.isalpha() for part in parts) and not is_possessive:
            return self.is_starter()
        if re.fullmatch("[0-9]{1,2}", word) and self.word_from(self.letter) in words("ordinal_nouns"):
            return False
        return following == "d" or self.ends_by_standard() or self.precedes_aside()

    def precedes_aside(self) -> bool:
        """Whether an aside in brackets follows, and a capital behind it."""
        closing = [close for open_, close, _ in self.paragraph.pairs if open_ == self.next]
        if self.text[self.next] not in "[(" or self.next == self.last + 1 or not closing:
            return False
        after = self.paragraph.skip(BLANKS, closing[0] + 1)
        return after < self.paragraph.end and self.kinds[after] == "u"

    def is_number(self) -> bool:
        """Whether a number follows, or a citation."""
        kind, word = self.kinds[self.letter], self.word_from(self.letter)
        return kind in "dq" or (kind == "u" and word != "i" and re.fullmatch("[ivxlcdm]+", word) is not None)

    def is_starter(self) -> bool:
        """Whether the next word is one that sentences begin with."""
        at = self.letter
        word = self.word_from(at)
        is_initial = len(word) == 1 and self.kinds[at + 1 : self.paragraph.end][:1] == "p"
        return self.kinds[at] == "u" and not is_initial and word in words("sentence_starters")

    def ends_by_standard(self) -> bool:
        """Whether the standard ends a sentence here: Unicode Standard Annex #29, SB6 to SB11."""
        following = self.kinds[self.next]
        if following in "mpxw":
            return False
        if self.kinds[self.last] != "p":
            return True
        if not self.kinds[self.last + 1 : self.next].strip("h"):
            before = self.kinds[: self.last].rstrip("h")[-1:]
            if following == "d" or (following == "u" and before in ("u", "l")):
                return False
        return GOES_ON_SMALL.match(self.kinds, self.next, self.paragraph.end) is None

    def word_before(self) -> str:
        """Return the word before the terminator, in lower case; nothing if it is long."""
        length = len(WORD_BEFORE.search(self.kinds[self.paragraph.start : self.first])[0])
        return self.text[self.first - length : self.first].lower() if length <= LONGEST else ""

    def word_from(self, at: int) -> str:
        """Return the word at *at*, in lower case; nothing if it is long."""
        end = self.paragraph.skip(WORD_FROM, at)
        return self.text[at:end].lower() if end - at <= LONGEST else ""
