"""Citations by rulings C8 and C9, with each pattern tried at every position: slow and plain."""

import re

__all__ = ["citations_naive"]

# The characters that end a URL or a DOI.
_ENDS = set(' \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000<>"`{}|\\^\x7f\xab\xbb\ufeff')
_ENDS |= set(map(chr, [*range(0x20), *range(0x2000, 0x2010), *range(0x2018, 0x2020), *range(0x202A, 0x202F)]))
_ENDS |= set(map(chr, [*range(0x2060, 0x2070), *range(0x3001, 0x3004), *range(0x3008, 0x3020)]))
_ENDS |= set("！（），：；？")
_COMMIT_WORDS = ["commit", "commits", "rev", "revision", "sha", "sha1", "sha-1", "sha256", "sha-256", "changeset"]
_WORD = "[A-Za-z0-9_]"


def citations_naive(text: str) -> list[tuple[str, str, int, int]]:
    """
    Return type, value, start and end of each citation, by start.

    Kinds are searched in the order of `_KINDS`, each with its own condition; a citation contains no other.
    """
    found = []
    for kind, pattern, accept in _KINDS:
        done = 0
        for match in re.finditer(pattern, text):
            citation = accept(" " * done + text[done:], match) if match.start() >= done else None
            if citation is not None:
                value, start, done = citation
                if all(done <= other_start or other_end <= start for _, _, other_start, other_end in found):
                    found.append((kind, value, start, done))
    return sorted(found, key=lambda citation: citation[2])


def _run(text: str, start: int) -> str:
    """Return the URL characters from *start*, without those of the sentence at their end."""
    end = start
    while end < len(text) and text[end] not in _ENDS:
        end += 1
    value = text[start:end]
    while value and (value[-1] in ".,;:!?'*_~…" or any(_unopened(value, pair) for pair in ("()", "[]"))):
        value = value[:-1]
    return value


def _unopened(value: str, pair: str) -> bool:
    return value[-1] == pair[1] and value.count(pair[1]) > value.count(pair[0])


def _url(text, match):
    value = _run(text, match.end())
    return (match[0] + value, match.start(), match.end() + len(value)) if value else None


def _doi(text, match):
    value = _run(text, match.start())
    whole = re.fullmatch(r"10\.[0-9]{4,9}/.*[^/]", value, re.DOTALL)
    return (value, match.start(), match.start() + len(value)) if whole else None


def _record(text, match):
    start, end = match.span()
    in_brackets = text[:start].endswith("[") and text[end:].startswith("]")
    return (match[1], start - in_brackets, end + in_brackets)


def _issue(text, match):
    start, end = match.span()
    path = re.search(r"[A-Za-z0-9._/-]*\Z", text[:start])[0]
    parts = path.split("/")
    if len(parts) > 1 and len(path) <= 255:
        good = re.match("[A-Za-z0-9]", path) and all(re.fullmatch(r".*[A-Za-z0-9_-]", part) for part in parts[1:])
        if good:
            return (f"{path}#{match[1]}", start - len(path), end)
    if re.search(r"(?:[A-Za-z0-9._/&#%=?-]|\]\()\Z", text[:start]) or len(match[1]) == 6:
        return None
    return (match[1], start, end)


def _github_issue(_, match):
    return (match[1], *match.span())


def _commit(text, match):
    value = match[0]
    mixed = re.search("[a-f]", value) and re.search("[0-9]", value)
    uuid = re.match(r"-[0-9A-Fa-f]{4}-", text[match.end() :])
    return (value, *match.span()) if (mixed and not uuid) or _says_commit(text[: match.start()]) else None


def _says_commit(before: str) -> bool:
    """Return whether a word such as "commit" is directly before."""
    marks = re.search(r"[\s:=`'\"(\[]{0,4}\Z", before)[0]
    for count in range(len(marks) + 1):
        head = before[: len(before) - count]
        if head.endswith(("提交", "修订", "修订版")):
            return True
        if re.search(rf"(?<!{_WORD})(?:(?ai:{'|'.join(_COMMIT_WORDS)})|(?ai:fixed)\s+(?ai:in))\Z", head):
            return True
    return False


_KINDS = [
    ("url", r"(?<![A-Za-z0-9])(?ai:https?)://", _url),
    ("doi", r"(?<![A-Za-z0-9_.])10\.[0-9]{4,9}/", _doi),
    ("adr", rf"(?<!{_WORD})(?ai:ADR)[-\s\u2010\u2011\u2013]?([0-9]{{1,9}})(?!{_WORD})(?!\.[0-9])", _record),
    ("issue", rf"#([0-9]{{1,9}})(?!{_WORD})(?!-[A-Za-z])", _issue),
    ("issue", rf"(?<![A-Za-z0-9_-])(?ai:GH)-([0-9]{{1,9}})(?!{_WORD})", _github_issue),
    ("commit", rf"(?<![A-Za-z0-9_#-])(?:[0-9a-f]{{64}}|[0-9a-f]{{7,40}})(?!{_WORD})", _commit),
]
