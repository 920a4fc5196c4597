"""Run moto, a server that speaks S3 and keeps its objects in memory, in a child process."""

import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow.fs as pafs

from libraries import need

KEY, SECRET = "AKIAGROUNDWIRE", "never/to+be@shown"
BUCKET = "corpus"

PROGRAM = """
import sys
from moto.server import ThreadedMotoServer

server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
sys.stdin.read()
"""


class ObjectStore:
    """A server with one bucket."""

    def __init__(self, process: subprocess.Popen) -> None:
        self.process = process
        self.port = int(process.stdout.readline())
        self.post(f"/{BUCKET}", method="PUT")
        self.filesystem, _ = pafs.FileSystem.from_uri(self.url(""))

    def url(self, path: str) -> str:
        """Return the URL of an object or folder in the bucket, with keys, which no output may show."""
        secret = urllib.request.quote(SECRET, safe="")
        return f"s3://{KEY}:{secret}@{BUCKET}/{path}?endpoint_override=127.0.0.1:{self.port}&scheme=http"

    def post(self, path: str, body: bytes = b"", *, method: str = "POST") -> None:
        """Send the server a request without pyarrow."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", body, {"Content-Type": "text/plain"}, method=method
        )
        urllib.request.urlopen(request, timeout=60).close()

    def write(self, name: str, content: bytes) -> str:
        """Create an object, and return its URL."""
        with self.filesystem.open_output_stream(f"{BUCKET}/{name}", compression=None) as opened:
            opened.write(content)
        return self.url(name)

    def read(self, name: str) -> bytes:
        """The bytes of an object."""
        with self.filesystem.open_input_stream(f"{BUCKET}/{name}", compression=None) as opened:
            return opened.read()

    def names(self, folder: str) -> list[str]:
        """The objects below a folder, without it."""
        found = self.filesystem.get_file_info(
            pafs.FileSelector(f"{BUCKET}/{folder}", recursive=True, allow_not_found=True)
        )
        files = [info.path for info in found if info.type == pafs.FileType.File]
        return sorted(path.removeprefix(f"{BUCKET}/{folder}/") for path in files)

    def delete(self, folder: str) -> None:
        """Delete a folder with everything in it."""
        self.filesystem.delete_dir(f"{BUCKET}/{folder}")

    def end(self) -> None:
        """Stop the server at once, even during a request."""
        self.process.kill()
        self.process.wait()


@contextmanager
def object_store(log: Path) -> Iterator[ObjectStore]:
    """Start a server, or skip the test visibly if none is installed."""
    need("moto")
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors
        )
    with process:
        store = ObjectStore(process)
        try:
            yield store
        finally:
            store.end()


def holds_keys(text: str) -> bool:
    """Return whether a text contains a part of the keys."""
    return any(secret in text for secret in (KEY, SECRET, "never%2F", "to%2Bbe"))
