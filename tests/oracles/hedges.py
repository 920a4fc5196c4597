"""
Hedges in pure Python: the rules of the lexicons by `re` alone.

It reads the same sections. One alternation of all phrases says where one begins, then
every length is tried, the longest first. Also what the speed of the engine's way is
compared with.
"""

import re
import tomllib
import unicodedata
from importlib.resources import files
from itertools import product

from groundwire.ingestion.hedges.detector import quoted_and_code_spans

ACTIONS = {
    "personal_speculation": "block",
    "admitted_uncertainty": "block",
    "suggestion": "block",
    "technical_hedge": "review",
    "approximation": "review",
    "scientific": "review",
    None: "exception",
}
_DRESSED = re.compile(
    "[\u2100-\u214f\u2460-\u24ff\ufb00-\ufb06\uff07\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f]|[\U0001d400-\U0001d7ff\U0001f110-\U0001f189]"
)
_INVISIBLE = (
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\U000e0000-\U000e0fff]"
)
_UNSPACED = re.compile("[\u3005-\u3007\u3021-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uff66-\uff9f]")
_LOOK_BACK_CHARS = 16


class HedgesByRe:
    """What `HedgeDetector` finds, as (start, end, category, action)."""

    def __init__(self, names):
        self.groups_of = {}
        for name in names:
            language, section = ("en", name) if name == "scientific" else (name, "hedging")
            lexicon = files("groundwire.language").joinpath("lexicons", f"{language}.toml")
            tables = tomllib.loads(lexicon.read_text("utf-8"))[section]
            for group in tables["groups"]:
                rules = [list(_rules(group.get(key, []), tables.get("parts", {}))) for key in ("only", "unless")]
                for phrase in _phrases(group["words"]):
                    self.groups_of.setdefault(phrase, []).append((group.get("category"), *rules))
        for groups in self.groups_of.values():
            groups.sort(key=lambda group: ("exception", "block", "review").index(ACTIONS[group[0]]))
        longest_first = sorted(self.groups_of, key=len, reverse=True)
        self.lengths = sorted({len(phrase) for phrase in longest_first}, reverse=True)
        # Where no word can begin, nothing is tried: that makes it four times as fast.
        spaced, others = [], []
        for phrase in longest_first:
            (spaced if re.match(r"\w", phrase) and not _UNSPACED.match(phrase) else others).append(re.escape(phrase))
        begins = rf"(?<![^\W{_UNSPACED.pattern[1:-1]}])(?:{'|'.join(spaced)})|(?:{'|'.join(others)})"
        self.begins = re.compile(begins)

    def analyze(self, text):
        """The cues of *text*, left to right."""
        plain, places = fold_naive(text)
        lowered = plain.lower()
        skipped = quoted_and_code_spans(text)
        cues, exception_end, cue_end, block_end, position = [], 0, 0, 0, 0
        while begin := self.begins.search(lowered, position):
            start = begin.start()
            position = start + 1
            for end, category in self._candidates(plain, lowered, start):
                blocks = ACTIONS[category] == "block"
                if end <= exception_end or start < (block_end if blocks else cue_end):
                    continue
                if category is None:
                    exception_end = end
                    continue
                first, last = places[start][0], places[end - 1][1]
                if not any(low <= first and last <= high for low, high in skipped):
                    cues.append((first, last, category, ACTIONS[category]))
                    cue_end = max(cue_end, end)
                    block_end = end if blocks else block_end
        return cues

    def _candidates(self, plain, lowered, start):
        """The phrases that begin at *start* and hold, the longest first."""
        if not _parts_words(lowered, start):
            return
        for length in self.lengths:
            phrase = lowered[start : start + length]
            groups = self.groups_of.get(phrase, ())
            if groups and len(phrase) == length and _parts_words(lowered, start + length):
                for category, only, unless in groups:
                    allowed = not only or any(_matches(rule, plain, start) for rule in only)
                    if allowed and not any(_matches(rule, plain, start) for rule in unless):
                        yield start + length, category


def fold_naive(text):
    """The folded text, and for each character the span of the original that it stands for; character by character."""
    text = text.replace("\u2019", "'")
    folded = []
    at = 0
    while at < len(text):
        run = re.match(rf"(?:\s|[*_]|{_INVISIBLE})*", text[at:])[0]
        span, at = (at, at + max(len(run), 1)), at + max(len(run), 1)
        character = text[span[0] : at]
        if re.search(r"\s", run):
            folded.append((" ", span))
        elif run and run.strip("_") == "" and text[: span[0]][-1:].isalnum() and text[at : at + 1].isalnum():
            folded += [("_", (place, place + 1)) for place in range(*span)]
        elif run:
            pass
        elif "\u0300" <= character <= "\u0362" and folded:
            letter, (first, _) = folded.pop()
            accents = re.match(r"[\u0300-\u034e\u0350-\u0362]*", text[span[0] :])[0]
            at = span[0] + len(accents)
            folded += [(piece, (first, at)) for piece in unicodedata.normalize("NFKC", letter + accents)]
        elif character == "\u0130":
            folded.append(("i", span))
        else:
            alike = unicodedata.normalize("NFKC", character) if _DRESSED.match(character) else character
            folded += [(piece, span) for piece in alike]
    return "".join(character for character, _ in folded), [span for _, span in folded]


def _phrases(words):
    for pattern in words.replace("_", "\0").split():
        parts = [part.split(",") if index % 2 else [part] for index, part in enumerate(re.split(r"[{}]", pattern))]
        yield from ("".join(choice).replace("\0", " ") for choice in product(*parts))


def _rules(rules, parts):
    for rule in [rules] if isinstance(rules, str) else rules:
        for name, part in parts.items():
            rule = rule.replace(f"<{name}>", f"(?:{part})")
        *left, right = rule.split("@")
        yield re.compile(f"(?:{left[0]})\\Z", re.I) if left else None, re.compile(right, re.I)


def _matches(rule, text, start):
    left, right = rule
    return bool(right.match(text, start)) and (
        not left or bool(left.search(text, max(0, start - _LOOK_BACK_CHARS), start))
    )


def _parts_words(text, at):
    """Whether a word can begin or end here."""
    sides = text[at - 1 : at] if at else "", text[at : at + 1]
    return not all(sides) or any(not re.match(r"[\w\u0300-\u0362]", side) or _UNSPACED.match(side) for side in sides)
