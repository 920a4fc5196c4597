"""Objects and repositories made to harm the program that looks commits up in them."""

import struct
import zlib
from collections.abc import Iterator
from hashlib import sha1
from pathlib import Path

from ingestion.verification.repositories import commit, git, make_repository

__all__ = ["huge_commit", "make", "pack_with_huge_base", "same_prefix", "write_loose"]

_MIB = 1 << 20
_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def make(folder: Path) -> Path:
    """Create a repository with the empty tree and a commit."""
    repository = make_repository(folder)
    git(repository, "hash-object", "-t", "tree", "-w", "--stdin")
    commit(repository, "an honest message")
    return repository


def _head(number: int) -> bytes:
    return f"tree {_EMPTY_TREE}\nauthor A <a> {number} +0000\ncommitter A <a> 1 +0000\n\n".encode("ascii")


def _blocks(size: int) -> Iterator[bytes]:
    block = b"a" * _MIB
    for start in range(0, size, _MIB):
        yield block[: size - start]


def write_loose(
    repository: Path, kind: str, head: bytes, mib: int, *, tail: bytes = b"", told: int | None = None
) -> str:
    """
    Write an object of *head*, *mib* MiB of one letter and *tail*; return its id.

    With *told* its header lies about the size, in bytes.
    """
    size = len(head) + mib * _MIB + len(tail)
    digest, packer, packed = sha1(), zlib.compressobj(1), []
    header = b"%s %d\0" % (kind.encode("ascii"), size if told is None else told)
    for piece in (header, head, *_blocks(mib * _MIB), tail):
        digest.update(piece)
        packed.append(packer.compress(piece))
    packed.append(packer.flush())
    name = digest.hexdigest()
    path = repository / ".git" / "objects" / name[:2] / name[2:]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"".join(packed))
    return name


def huge_commit(repository: Path, mib: int, number: int = 1) -> str:
    """Write a commit with a message of *mib* MiB; return its id."""
    return write_loose(repository, "commit", _head(number), mib)


def same_prefix(repository: Path, mib: int) -> str:
    """Write two commits of *mib* MiB whose ids share their first seven digits; return these digits."""
    head = _head(1)
    digest = sha1(b"commit %d\0" % (len(head) + mib * _MIB + 8) + head)
    for block in _blocks(mib * _MIB):
        digest.update(block)
    seen: dict[str, bytes] = {}
    for number in range(2_000_000):
        tail = b"%08d" % number
        one = digest.copy()
        one.update(tail)
        prefix = one.hexdigest()[:7]
        if prefix in seen:
            for each in (seen[prefix], tail):
                write_loose(repository, "commit", head, mib, tail=each)
            return prefix
        seen[prefix] = tail
    raise AssertionError("no two commits with one prefix")


def pack_with_huge_base(repository: Path, mib: int) -> str:
    """Write a pack in which a small commit is stored as the difference from a huge one; return the small one's id."""
    small = _head(2) + b"small\n"
    base = _head(1) + b"a" * (mib * _MIB)
    first = _entry(1, len(base)) + zlib.compress(base, 1)
    difference = _varint(len(base)) + _varint(len(small)) + bytes([len(small)]) + small
    second = _entry(6, len(difference)) + _offset(len(first)) + zlib.compress(difference)
    content = b"PACK" + struct.pack(">II", 2, 2) + first + second
    path = repository / ".git" / "objects" / "pack" / "pack-hostile.pack"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content + sha1(content).digest())
    git(repository, "index-pack", str(path))
    return sha1(b"commit %d\0" % len(small) + small).hexdigest()


def _entry(kind: int, size: int) -> bytes:
    first = kind << 4 | size & 15
    size >>= 4
    return bytes([first | 0x80]) + _varint(size) if size else bytes([first])


def _varint(value: int) -> bytes:
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def _offset(value: int) -> bytes:
    found = [value & 0x7F]
    while value := value >> 7:
        value -= 1
        found.insert(0, value & 0x7F | 0x80)
    return bytes(found)
