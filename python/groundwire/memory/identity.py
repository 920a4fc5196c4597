"""
Computes the identity of a source, which all its spellings share (ruling C18).

`ADR-3`, `adr-003` and `ADR 0003` are one decision record; a commit and its abbreviated ids
are one commit; a URL is the same with another case of its host, its default port, a slash at
its end or tracking parameters. All code that stores, compares or revokes sources uses this module.
"""

import re
from collections.abc import Iterable

from groundwire.urls import canonical_url

__all__ = [
    "is_key",
    "is_same_source",
    "most_specific_sources",
    "rests_on",
    "source_identities",
    "source_identity",
    "source_key",
]

_COMMIT = "commit:"
# The minimum number of digits of an abbreviated commit, as in the detector.
_COMMIT_CHARS_MIN = 7

_ADR_SPELLING = re.compile(r"\[?ADR[-\s\u2010\u2011\u2013]?([0-9]{1,9})\]?", re.IGNORECASE | re.ASCII)
_COMMIT_SPELLING = re.compile(r"(?:commit(?:\s*:\s*|\s+))?([0-9a-f]{7,40}|[0-9a-f]{64})", re.IGNORECASE | re.ASCII)
_ISSUE_SPELLING = re.compile(
    r"(?:issue(?:\s*:\s*|\s+)|GH-|(?=[^\s#]*#))(?:([a-z0-9][a-z0-9._-]*(?:/[a-z0-9._-]+)+)?#)?([0-9]{1,9})",
    re.IGNORECASE | re.ASCII,
)
_DOI_SPELLING = re.compile(
    r"(?:doi(?:\s*:\s*|\s+)|https?://(?:dx\.)?doi\.org/|)(10\.[0-9]{4,9}/\S+)", re.IGNORECASE | re.ASCII
)


def source_identity(source: str) -> str:
    """
    Return the canonical name of *source* in any spelling.

    `ADR-003` for a decision record, `commit:` and the id in lower case for a commit,
    `issue:12` or `issue:owner/repo#12`, `doi:10.1000/182`, and the canonical form of a URL.
    Any other text is a source of its own, and is returned without surrounding white space.

    An abbreviated commit keeps its length, because the whole id is unknown here:
    compare with `is_same_source`. The result is its own identity.
    """
    text = source.strip()
    if match := _ADR_SPELLING.fullmatch(text):
        return f"ADR-{int(match[1]):03}"
    if match := _COMMIT_SPELLING.fullmatch(text):
        return f"{_COMMIT}{match[1].lower()}"
    if match := _ISSUE_SPELLING.fullmatch(text):
        repository = f"{match[1].lower()}#" if match[1] else ""
        return f"issue:{repository}{int(match[2])}"
    if match := _DOI_SPELLING.fullmatch(text):
        return f"doi:{match[1].lower()}"
    return canonical_url(text) or source


def source_identities(sources: Iterable[str]) -> list[str]:
    """Return the identities of *sources* in their order, each once."""
    return list(dict.fromkeys(map(source_identity, sources)))


def is_same_source(one: str, other: str) -> bool:
    """Return whether two texts name the same source. The id of a commit may be the beginning of the other id."""
    one, other = source_identity(one), source_identity(other)
    if one.startswith(_COMMIT) and other.startswith(_COMMIT):
        return one.startswith(other) or other.startswith(one)
    return one == other


def rests_on(sources: Iterable[str], source: str) -> bool:
    """Return whether *source* is one of *sources*."""
    return any(is_same_source(each, source) for each in sources)


def source_key(source: str) -> str:
    """
    Return what all spellings of *source* share, for an index: sources with different keys are different.

    It is the identity, of a commit with the fewest digits that an abbreviated id has. Sources
    with one key are the same unless `is_same_source` says otherwise.
    """
    identity = source_identity(source)
    return identity[: len(_COMMIT) + _COMMIT_CHARS_MIN] if identity.startswith(_COMMIT) else identity


def is_key(source: str) -> bool:
    """Return whether all sources with the key of *source* are the same source. Only longer ids of commits differ."""
    return source_key(source) == source_identity(source)


def most_specific_sources(sources: tuple[str, ...]) -> tuple[str, ...]:
    """Return the identities of *sources* in their order, each once; of a commit the longest id."""
    longest: dict[str, str] = {}
    for identity in map(source_identity, sources):
        known = next((key for key, kept in longest.items() if is_same_source(kept, identity)), identity)
        longest[known] = max(longest.get(known, ""), identity, key=len)
    return tuple(dict.fromkeys(longest.values()))
