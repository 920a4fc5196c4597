"""ONNX Runtime's telemetry is disabled before it is loaded."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import groundwire
from groundwire.onnx_models.runtime import SILENCE

PROGRAM = """
import os, sys
from groundwire.onnx_models.runtime import import_onnxruntime
before = "onnxruntime" in sys.modules
print(before, os.environ.get("{name}"), import_onnxruntime().__name__, os.environ["{name}"])
"""


def test_telemetry_is_disabled_before_the_import():
    """The library reads the variable during its import; a later change would miss the first report."""
    pytest.importorskip("onnxruntime", reason="no onnxruntime: pip install 'groundwire[onnx]'")
    environment = {key: value for key, value in os.environ.items() if key != SILENCE}
    program = PROGRAM.format(name=SILENCE)
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True)
    assert run.stdout.split() == ["False", "None", "onnxruntime", "1"]


def test_no_other_module_imports_onnxruntime():
    """One module imports the package; others import that module, or run after it."""
    root = Path(groundwire.__file__).parent
    found = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if re.search(r"^\s*import onnxruntime\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert found == {"onnx_models/runtime.py"}
    followers = [
        path
        for path in root.rglob("*.py")
        if re.search(r"^\s*from onnxruntime\b", path.read_text(encoding="utf-8"), re.MULTILINE)
        and path.name != "runtime.py"
        and not re.search(
            r"import_onnxruntime\(\)\n\s*from onnxruntime|TYPE_CHECKING", path.read_text(encoding="utf-8")
        )
    ]
    assert followers == []
