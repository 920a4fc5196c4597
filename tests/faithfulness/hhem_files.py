"""Create HHEM's files with the tool, and convert them as users do."""

import hashlib
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "make_hhem.py"
NEEDED = ("numpy", "onnx", "onnxruntime", "safetensors", "tokenizers")
TRAINING = ("torch", "transformers")


def made(folder, *arguments, needed=NEEDED):
    """Return the folder with a model as it is published, or skip the test visibly."""
    absent = [name for name in needed if importlib.util.find_spec(name) is None]
    if absent:
        pytest.skip(f"no {absent[0]}: `python3 dev.py models` installs it")
    kind, *options = arguments
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(TOOL), kind, str(folder), *options], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


class Recording:
    """A backend that scores by the words of a context, and keeps its inputs."""

    name = "recording"

    def __init__(self, known=None, otherwise=0.1):
        self.known = known or {}
        self.otherwise = otherwise
        self.calls = []

    def __call__(self, pairs):
        """Return one score for each pair: the highest of the context's words."""
        self.calls.append(list(pairs))
        return [
            max((score for word, score in self.known.items() if word in context), default=self.otherwise)
            for context, _ in pairs
        ]


def trained():
    """Return the folder with the trained model as it is published, trained once for each state of its sources."""
    root = TOOL.parents[1]
    sources = b"".join(path.read_bytes() for path in sorted(TOOL.parent.glob("*hhem*.py")))
    folder = root / "target" / "hhem" / f"tiny-{hashlib.sha256(sources).hexdigest()[:8]}"
    if not (folder / "tokenizer.json").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        print(made(folder, "tiny", needed=(*NEEDED, *TRAINING)))
    return folder
