"""Simulate users who ask the review page for more than their share, in a process that ends with its input."""

import asyncio
import sys
from collections.abc import Awaitable, Callable

__all__ = ["KINDS"]

READERS = 50
HOST = "127.0.0.1"

# The addresses that are requested again and again, with the ids of 98 large claims.
PATHS: dict[str, tuple[str, ...]] = {
    "lists": ("/api/v1/claims?limit=100",),
    "pages of lists": ("/",),
    "lists, chosen": ("/?chosen=all",),
    "claims": ("/api/v1/claims/{id}", "/claims/{id}"),
    "audits": ("/api/v1/claims/{id}/audit",),
    "counts": ("/api/v1/counts", "/api/v1/counts?source=chat"),
    "filters": ("/api/v1/claims?limit=100&failed_check=x&source=y&memory_type=z", "/?failed_check=x"),
    "unknown pages": ("/nothing", "/claims/nothing", "/api/v1/claims/nothing"),
    "notices": ("/?done=skipped&of={id}",),
    "the description": ("/api/v1/openapi.json",),
    "all of it": ("/api/v1/claims?limit=100", "/", "/claims/{id}", "/api/v1/claims/{id}", "/api/v1/claims/{id}/audit"),
}
UNREAD = ("lists that nobody reads", "claims that nobody reads")
TRICKLED = ("bodies that trickle",)
KINDS = (*PATHS, *UNREAD, *TRICKLED)


def request(path: str, token: str, *, more: str = "") -> bytes:
    """Return a request by the holder of a token."""
    return f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {token}\r\n{more}\r\n".encode()


async def read_all(reader: asyncio.StreamReader) -> None:
    """Read one answer to its end."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
    left = int(length or 0)
    while left:
        left -= len(await reader.read(min(left, 1_000_000)) or b"x" * left)


async def ask(port: int, paths: list[str], token: str) -> None:
    """Send requests one after the other on one connection."""
    reader, writer = await asyncio.open_connection(HOST, port)
    try:
        for path in paths * 1_000:
            writer.write(request(path, token))
            await read_all(reader)
    finally:
        writer.close()


async def ask_and_never_read(port: int, paths: list[str], token: str) -> None:
    """Send many requests at once, and read no answer."""
    _, writer = await asyncio.open_connection(HOST, port, limit=1)
    writer.transport.pause_reading()
    try:
        writer.write(b"".join(request(path, token) for path in paths) * 5)
        await asyncio.sleep(30)
    finally:
        writer.transport.abort()


async def trickle(port: int, token: str) -> None:
    """Send a body of a claim byte by byte."""
    reader, writer = await asyncio.open_connection(HOST, port)
    head = request("/api/v1/claims", token, more="Content-Type: application/json\r\nContent-Length: 200000\r\n")
    try:
        writer.write(b"POST" + head.removeprefix(b"GET"))
        while not reader.at_eof():
            writer.write(b" ")
            await asyncio.sleep(0.02)
    finally:
        writer.close()


async def again(work: Callable[[], Awaitable[None]]) -> None:
    """Repeat an attack forever, whatever the page answers."""
    while True:
        try:
            await work()
        except (OSError, asyncio.IncompleteReadError, ValueError):
            await asyncio.sleep(0.01)


def work_of(kind: str, port: int, ids: list[str], token: str) -> Callable[[], Awaitable[None]]:
    """Return the work of one reader."""
    if kind in TRICKLED:
        return lambda: trickle(port, token)
    templates = (
        ("/api/v1/claims?limit=100",) if kind == UNREAD[0] else ("/claims/{id}",) if kind == UNREAD[1] else PATHS[kind]
    )
    paths = [template.format(id=one) for one in ids for template in templates]
    return lambda: (ask_and_never_read if kind in UNREAD else ask)(port, paths, token)


async def attack(kind: str, port: int, ids: list[str], tokens: list[str]) -> None:
    """Run all readers until the input ends."""
    readers = [
        asyncio.create_task(again(work_of(kind, port, ids, tokens[number % len(tokens)]))) for number in range(READERS)
    ]
    print("begun", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    for reader in readers:
        reader.cancel()


if __name__ == "__main__":
    _, wanted, listening, known, held = sys.argv
    asyncio.run(attack(wanted, int(listening), known.split(","), held.split(",")))
