"""Ranges of the options of whoever asks a server: a judge, an embedder."""

import json
import math
from collections.abc import Mapping

__all__ = ["DEFAULT_PARAMETERS", "check_options", "check_request_options"]

DEFAULT_PARAMETERS: Mapping[str, object] = {"temperature": 0, "max_tokens": 4000}
"""What goes into each request beside the model, the messages and the response format."""

_OURS = frozenset({"messages", "model", "n", "response_format"})


def check_request_options(*, model: object, timeout_s: float, max_retries: int) -> None:
    """
    Refuse what no server can be asked with.

    Raises:
        TypeError: The model is no str.
        ValueError: The model is empty, or a number is out of its range.
    """
    if not isinstance(model, str):
        raise TypeError(f"model must be a str, got {type(model).__name__}")
    if not model:
        raise ValueError("model must not be empty")
    if not 0 < timeout_s < math.inf:
        raise ValueError(f"timeout_s must be a finite number above 0, got {timeout_s}")
    if max_retries < 0:
        raise ValueError(f"max_retries must be at least 0, got {max_retries}")


def check_options(
    *, model: object, timeout_s: float, max_retries: int, max_chars: int, parameters: Mapping[str, object]
) -> None:
    """
    Refuse what no judge can work with.

    Raises:
        TypeError: The model is no str, or the parameters no mapping that JSON can write.
        ValueError: The model is empty, a number is out of its range, or a parameter is ours to set.
    """
    check_request_options(model=model, timeout_s=timeout_s, max_retries=max_retries)
    if max_chars < 1:
        raise ValueError(f"max_chars must be at least 1, got {max_chars}")
    if not isinstance(parameters, Mapping):
        raise TypeError(f"parameters must be a mapping, got {type(parameters).__name__}")
    # Whatever JSON cannot write fails here, and not in the middle of a judgement.
    json.dumps(dict(parameters), allow_nan=False)
    ours = sorted(_OURS & parameters.keys())
    if ours:
        raise ValueError(f"parameters must not have {', '.join(ours)}: the judge sets it")
