"""The model that `--reader FOLDER` names."""

from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.cli.problems import CommandError

if TYPE_CHECKING:
    from groundwire.pair_scorer import PairScorer

__all__ = ["reader_in"]

_HHEM = "manifest.json"
"""What `tools/convert_hhem` writes beside the model."""


def reader_in(folder: str | None) -> "PairScorer | None":
    """
    Return the model in *folder*: HHEM if `tools/convert_hhem` wrote it, else a classifier; None for no folder.

    Raises:
        CommandError: There is no such model, or what runs it is not installed.
    """
    if folder is None:
        return None
    from groundwire.errors import ModelError

    try:
        if (Path(folder) / _HHEM).is_file():
            from groundwire.faithfulness import HHEMClassifier

            return HHEMClassifier(folder)
        from groundwire.onnx_models import OnnxPairScorer

        return OnnxPairScorer(folder)
    except (ImportError, OSError, ModelError) as error:
        reason = error.reason if isinstance(error, ModelError) else str(error)
        raise CommandError(f"--reader: {reason}") from None
