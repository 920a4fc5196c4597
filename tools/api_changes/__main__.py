"""
List the changes that break callers of the last release, or write what a release promises to keep.

    python tools/api_changes                  # exit code 1 if the version does not allow a change that was found
    python tools/api_changes --write 0.2.0    # the listings of a release, in tests/released/0.2.0
"""

import argparse
import sys
from pathlib import Path

if not __package__:
    # Run as a folder: Python put the folder itself on the path, and the package is in its parent.
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from api_changes.release import ROOT, allows_breaking, changes, last_release, rust_changes, write
from groundwire import __version__


def main() -> int:
    """Compare, or write the listings."""
    parser = argparse.ArgumentParser(prog="api_changes", description="Find changes that break callers.")
    parser.add_argument("--write", metavar="VERSION", help="write the listings of this release")
    options = parser.parse_args()
    if options.write is not None:
        print(write(options.write).relative_to(ROOT))
        return 0
    found = [
        (subject, change) for subject, listed in {**changes(), "Rust": rust_changes()}.items() for change in listed
    ]
    for subject, change in found:
        print(f"{subject}: {change}")
    released = last_release().name
    is_allowed = allows_breaking(released, __version__)
    print(
        f"{len(found)} breaking changes since {released}; {__version__} {'may' if is_allowed else 'must not'} have them"
    )
    return 1 if found and not is_allowed else 0


if __name__ == "__main__":
    sys.exit(main())
