"""
Thrift's compact protocol, as far as footers of Parquet need it: structs, lists, numbers and bytes.

What is read keeps its types, so that writing it again gives the same bytes.
"""

from typing import Any

__all__ = ["List", "Struct", "read_struct", "write_struct"]

_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
_INTEGERS = (4, 5, 6)
"""Of 16, 32 and 64 bits: all written in as many bytes as they need."""


class Struct(dict[int, Any]):
    """Values by the numbers of their fields; `kinds` has their types."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds: dict[int, int] = {}


class List(list[Any]):
    """Values of one type."""

    def __init__(self, kind: int) -> None:
        super().__init__()
        self.kind = kind


class _Input:
    def __init__(self, content: bytes) -> None:
        self._content = content
        self._place = 0

    def take(self, count: int) -> bytes:
        """Return the next bytes."""
        taken = self._content[self._place : self._place + count]
        if len(taken) < count:
            raise ValueError("the footer is cut off")
        self._place += count
        return taken

    def unsigned(self) -> int:
        """Return the next number of seven bits a byte."""
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def signed(self) -> int:
        """Return the next number whose lowest bit is its sign."""
        value = self.unsigned()
        return value >> 1 ^ -(value & 1)


def read_struct(content: bytes) -> Struct:
    """
    Return the struct that *content* begins with.

    Raises:
        ValueError: It is cut off, or has a type that no footer has.
    """
    return _struct(_Input(content))


def _struct(given: _Input) -> Struct:
    struct, number = Struct(), 0
    while head := given.take(1)[0]:
        distance, kind = head >> 4, head & 0x0F
        number = number + distance if distance else given.signed()
        struct.kinds[number] = kind
        # Of a truth value the type says which.
        struct[number] = kind == _TRUE if kind in (_TRUE, _FALSE) else _value(given, kind)
    return struct


def _value(given: _Input, kind: int) -> Any:
    if kind in _INTEGERS:
        return given.signed()
    if kind == _BINARY:
        return given.take(given.unsigned())
    if kind in (_LIST, _SET):
        head = given.take(1)[0]
        count = head >> 4 if head >> 4 < 15 else given.unsigned()
        values = List(head & 0x0F)
        values.extend(_value(given, values.kind) for _ in range(count))
        return values
    if kind == _STRUCT:
        return _struct(given)
    if kind == _DOUBLE:
        return given.take(8)
    if kind in (_TRUE, _FALSE, _BYTE):
        return given.take(1)
    raise ValueError(f"the footer has a value of type {kind}")


def write_struct(struct: Struct) -> bytes:
    """Return *struct* as bytes."""
    written = bytearray()
    _write_struct(struct, written)
    return bytes(written)


def _write_struct(struct: Struct, written: bytearray) -> None:
    before = 0
    for number in sorted(struct):
        kind = struct.kinds[number]
        if 0 < number - before < 16:
            written.append((number - before) << 4 | kind)
        else:
            written.append(kind)
            _write_signed(number, written)
        before = number
        if kind not in (_TRUE, _FALSE):
            _write_value(struct[number], kind, written)
    written.append(0)


def _write_value(value: Any, kind: int, written: bytearray) -> None:
    if kind in _INTEGERS:
        _write_signed(value, written)
    elif kind == _BINARY:
        _write_unsigned(len(value), written)
        written += value
    elif kind in (_LIST, _SET):
        if len(value) < 15:
            written.append(len(value) << 4 | value.kind)
        else:
            written.append(0xF0 | value.kind)
            _write_unsigned(len(value), written)
        for each in value:
            _write_value(each, value.kind, written)
    elif kind == _STRUCT:
        _write_struct(value, written)
    else:
        written += value


def _write_unsigned(value: int, written: bytearray) -> None:
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    written.append(value)


def _write_signed(value: int, written: bytearray) -> None:
    _write_unsigned(value << 1 if value >= 0 else (-value << 1) - 1, written)
