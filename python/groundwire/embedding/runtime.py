"""ONNX Runtime, which from 1.29 on reports to its makers unless it is told not to before it is imported."""

import os
from typing import Any

__all__ = ["SILENCE", "import_onnxruntime"]

SILENCE = "ORT_DISABLE_TELEMETRY"
"""The environment variable that ONNX Runtime asks once, when it is loaded."""


def import_onnxruntime() -> Any:
    """
    Return the package, without its reports: private text is looked at offline.

    Who imports it before has to set the variable; from here on no events are sent by it either.

    Raises:
        ImportError: It is not installed.
    """
    os.environ.setdefault(SILENCE, "1")
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    return onnxruntime
