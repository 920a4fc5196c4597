#!/usr/bin/env python3
"""
Run the notebooks of examples/notebooks, and compare what they print with what they hold.

    python tools/run_notebooks.py            # exit code 1 if one fails or prints something else
    python tools/run_notebooks.py --write    # keep the new outputs

Needs nbclient, ipykernel and matplotlib (group `docs`).
"""

import argparse
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

FOLDER = Path(__file__).resolve().parents[1] / "examples" / "notebooks"
TIMEOUT_S = 300


def main() -> int:
    """Run every notebook; 1 if one fails or differs."""
    parser = argparse.ArgumentParser(description="Run the notebooks.")
    parser.add_argument("--write", action="store_true", help="write the outputs into the notebooks")
    write = parser.parse_args().write
    faults = [fault for path in sorted(FOLDER.glob("*.ipynb")) for fault in run(path, write=write)]
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"notebooks: {len(faults)} faults" if faults else "notebooks: passed")
    return 1 if faults else 0


def run(path: Path, *, write: bool) -> list[str]:
    """Run a notebook in its folder, and return what is wrong with it."""
    held = nbformat.read(path, as_version=4)
    notebook = nbformat.read(path, as_version=4)
    try:
        NotebookClient(notebook, timeout=TIMEOUT_S, resources={"metadata": {"path": str(FOLDER)}}).execute()
    except CellExecutionError as error:
        return [f"{path.name}: {error}"]
    if write:
        keep(notebook, path)
        return []
    pairs = zip(held.cells, notebook.cells, strict=True)
    return [
        f"{path.name}: cell {before.id} prints something else"
        for before, after in pairs
        if printed(before) != printed(after)
    ]


def keep(notebook: NotebookNode, path: Path) -> None:
    """Write a notebook without times and versions, which differ with each run."""
    notebook.metadata = {"kernelspec": notebook.metadata.kernelspec, "language_info": {"name": "python"}}
    for cell in notebook.cells:
        cell.metadata = {}
    nbformat.write(notebook, path)


def printed(cell: NotebookNode) -> str:
    """Return the text that a cell prints; pictures depend on versions and are not compared."""
    return "".join(output.get("text", "") for output in cell.get("outputs", []) if output.output_type == "stream")


if __name__ == "__main__":
    sys.exit(main())
