"""What is kept of the audits outside of the database, so that a cut or a rewritten audit is noticed."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Self

from groundwire.memory.chain import CHAINS, Last
from groundwire.memory.hashes import HASH_HEX_DIGITS, Hasher
from groundwire.memory.protocol import Database

__all__ = ["Anchor", "anchor_faults", "check_anchor", "take_anchor"]

_FORMAT = "groundwire-audit-anchor"
_VERSION = 1
_HEX = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """
    How far the audits of one database went at one moment. It holds no text.

    Attributes:
        key_check: A hash that tells the database's key from others, and not what it is.
        last: Number and link of the last entry of each audit, by its name; 0 and an empty link
            where it had none.
    """

    key_check: str
    last: Mapping[str, Last]

    def as_json(self) -> str:
        """Return the anchor as the text of a file, which `Anchor.read` takes."""
        chains = {name: {"sequence": sequence, "link": link} for name, (sequence, link) in self.last.items()}
        said = {"format": _FORMAT, "version": _VERSION, "key_check": self.key_check, "audits": chains}
        return f"{json.dumps(said, indent=2)}\n"

    @classmethod
    def read(cls, text: str) -> Self:
        """
        Return the anchor that `as_json` wrote.

        Raises:
            ValueError: It wrote something else: the file is damaged, or no anchor.
        """
        try:
            said = json.loads(text)
            anchor = cls(key_check=said["key_check"], last={name: _last(one) for name, one in said["audits"].items()})
            is_whole = (said["format"], said["version"]) == (_FORMAT, _VERSION) and _is_hash(anchor.key_check)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            is_whole = False
        if not is_whole or not anchor.last:
            raise ValueError("it is damaged, or no anchor of an audit")
        return anchor


def take_anchor(database: Database, hasher: Hasher) -> Anchor:
    """Return how far the audits go."""
    return Anchor(key_check=hasher.check(), last={chain.table: chain.last(database) for chain in CHAINS})


def anchor_faults(database: Database, hasher: Hasher, anchor: Anchor) -> list[str]:
    """
    Return how the audits differ from *anchor*, which must be of the past; empty if they do not.

    Raises:
        ValueError: The anchor belongs to a database with another key, or with other audits.
    """
    chains = {chain.table: chain for chain in CHAINS}
    check_anchor(anchor, hasher, chains)
    found = []
    for name, (sequence, link) in anchor.last.items():
        last = chains[name].last(database)[0]
        if last < sequence:
            found.append(f"{name} was cut off: it ends with entry {last}, and the anchor has entry {sequence}")
        elif chains[name].link_at(database, sequence) != link:
            found.append(f"{name} was rewritten: entry {sequence} is another one than the anchor has")
    return found


def check_anchor(anchor: Anchor, hasher: Hasher, names: Collection[str]) -> None:
    """
    Check that *anchor* can belong to the audits of these *names*.

    Raises:
        ValueError: It belongs to a database with another key, or with other audits.
    """
    if anchor.key_check != hasher.check():
        raise ValueError("the anchor belongs to a database with another key")
    if anchor.last.keys() != set(names):
        raise ValueError("the anchor belongs to a database with other audits")


def _last(said: Any) -> Last:
    sequence, link = said["sequence"], said["link"]
    is_empty = sequence == 0 and link == ""
    if type(sequence) is not int or sequence < 0 or not (is_empty or (sequence and _is_hash(link))):
        raise ValueError
    return sequence, link


def _is_hash(value: Any) -> bool:
    return isinstance(value, str) and len(value) == HASH_HEX_DIGITS and set(value) <= _HEX
