"""
Convert HHEM-2.1-Open to a folder that GROUNDWIRE_HHEM may name. No code of the source runs.

    pip install 'groundwire[hhem]' onnx safetensors
    python tools/convert_hhem SRC DST [--int8]
"""

import argparse
import sys
from pathlib import Path

if not __package__:
    # Run as a folder: Python put the folder itself on the path, and the package is in its parent.
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from convert_hhem.conversion import convert
from groundwire.errors import HHEMError


def main() -> None:
    """Convert the model; exit with 2 and one line where that fails."""
    parser = argparse.ArgumentParser(prog="convert_hhem", description="Convert HHEM-2.1-Open for HHEMClassifier.")
    parser.add_argument(
        "source",
        metavar="SRC",
        type=Path,
        help="a folder with config.json and model.safetensors of huggingface.co/vectara/"
        "hallucination_evaluation_model, and tokenizer.json of huggingface.co/google/flan-t5-base",
    )
    parser.add_argument("target", metavar="DST", type=Path, help="the folder to write; new, or empty")
    parser.add_argument(
        "--int8", action="store_true", help="matrices as integers of 8 bits: less than half the size, and less exact"
    )
    options = parser.parse_args()
    if not options.source.is_dir():
        _fail(f"no folder `{options.source}`")
    try:
        done = convert(options.source, options.target, int8=options.int8)
    except HHEMError as error:
        _fail(str(error))
    except OSError as error:
        _fail(f"the model cannot be converted: {error.strerror or type(error).__name__}")
    print(f"{options.target}: {done.name}, {done.parameters:,} parameters, {done.size_bytes / 1e6:,.1f} MB")
    if done.int8_difference is not None:
        print(f"int8 differs from fp32 by at most {done.int8_difference:.3f} on the pairs it was tried with")


def _fail(reason: str) -> None:
    print(f"error: {reason}", file=sys.stderr)
    raise SystemExit(2)


main()
