"""A real HTTP server on 127.0.0.1 that answers as scripted, and keeps the requests."""

import json
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Act = Callable[["Handler"], None]


@dataclass
class ScriptedServer:
    """
    Follows a script with one act for each request; the last one repeats.

    `requests` has the bodies of all requests, `headers` their headers; `under_way` is the number of requests without an
    answer, `most_at_once` its maximum.
    """

    acts: list[Act]
    requests: list[dict] = field(default_factory=list)
    headers: list[dict] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    under_way: int = 0
    most_at_once: int = 0

    def __post_init__(self):
        self._lock = threading.Lock()
        self.closing = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._http.script = self
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Return the `base_url` for a judge."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def begin(self, handler: "Handler", body: bytes) -> Act:
        with self._lock:
            self.under_way += 1
            self.most_at_once = max(self.most_at_once, self.under_way)
            place = len(self.requests)
            self.requests.append(json.loads(body))
            self.headers.append({name.lower(): value for name, value in handler.headers.items()})
            self.paths.append(handler.path)
            return self.acts[min(place, len(self.acts) - 1)]

    def end(self, handler: "Handler") -> None:
        """Count a request as answered, once."""
        with self._lock:
            self.under_way -= not handler.is_answered
            handler.is_answered = True

    def contents(self, number: int) -> dict[str, str]:
        """Return the messages of a request, by role."""
        return {message["role"]: message["content"] for message in self.requests[number]["messages"]}

    def close(self) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class Handler(BaseHTTPRequestHandler):
    """Handles one connection."""

    protocol_version = "HTTP/1.1"
    is_answered = False

    def do_POST(self):
        self.is_answered = False
        length = int(self.headers["Content-Length"])
        body = self.rfile.read(length)
        if len(body) < length:
            # The client has disconnected during the request.
            self.close_connection = True
            return
        act = self.server.script.begin(self, body)
        try:
            act(self)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            self.server.script.end(self)

    def log_message(self, *_args):
        """Print nothing."""

    def send(self, status: int, content: bytes, **headers: str) -> None:
        # Before the answer is sent, because the client may send its next request before this thread goes on.
        self.server.script.end(self)
        self.send_response(status)
        headers = {"Content-Type": "application/json", "Content-Length": str(len(content))} | headers
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)


def completion(text: str | None, *, finish: str = "stop", usage: object = (100, 20), **message: object) -> bytes:
    """Return the body of a chat completion."""
    body = {
        "id": "1",
        "object": "chat.completion",
        "model": "served",
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
        ],
    }
    if usage is not None:
        body["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
    return json.dumps(body).encode()


def writes(text: str | None, **options: object) -> Act:
    """Let the model write *text*."""
    return lambda handler: handler.send(200, completion(text, **options))


def sends(content: bytes, status: int = 200, **headers: str) -> Act:
    """Let the server send *content*."""
    return lambda handler: handler.send(status, content, **headers)


def fails(status: int, message: str = "no", **headers: str) -> Act:
    """Return an HTTP error in OpenAI's format."""
    return sends(json.dumps({"error": {"message": message}}).encode(), status, **headers)


def hangs_up(handler: Handler) -> None:
    """Close the connection without a response."""
    handler.close_connection = True
    handler.connection.close()


def breaks_off(handler: Handler) -> None:
    """Close the connection in the middle of a response."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    hangs_up(handler)


def stalls(handler: Handler) -> None:
    """Send nothing until the server closes."""
    handler.server.script.closing.wait()
    handler.close_connection = True


def chunks(content: Iterable[bytes], *, pause_s: float = 0.0, status: int = 200) -> Act:
    """Send a body of unknown length, in chunks."""

    def act(handler: Handler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.end_headers()
        handler.close_connection = True
        for chunk in content:
            handler.wfile.write(chunk)
            handler.wfile.flush()
            if handler.server.script.closing.wait(pause_s):
                return

    return act


def after(pause_s: float, act: Act) -> Act:
    """Do the same after a pause."""

    def later(handler: Handler) -> None:
        time.sleep(pause_s)
        act(handler)

    return later


def rejects_formats(*types: str, then: Act) -> Act:
    """Answer 400 to requests with one of these response formats; `limits` is a schema with lengths."""

    def act(handler: Handler) -> None:
        asked = handler.server.script.requests[-1].get("response_format") or {"type": "none"}
        kind = "limits" if "maxLength" in json.dumps(asked) else asked["type"]
        fails(400, "response_format is not supported")(handler) if kind in types else then(handler)

    return act
