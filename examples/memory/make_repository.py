#!/usr/bin/env python3
"""
Make the sample's git repository: the same commits, with the same ids, each time.

    python3 examples/memory/make_repository.py FOLDER

A repository cannot be part of another one, so its history stands here. The ids follow from
names, dates and contents alone; the settings of whoever runs this have no part in them.
A folder that holds the repository already is left as it is.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HEAD = "032f7a7c1c761423ddfc2a8804e7b679e88fb60c"
PERSON = "Tidewatch <tidewatch@example.org>"
DAY_S = 86_400
FIRST_DAY = 1_767_261_600  # 1 January 2026, 10:00 UTC

# Of each commit: the day that it was made on, its message, and the files that it writes.
COMMITS = (
    (0, "Read the gauge at the north pier", {"gauges.toml": '[north]\nport = "/dev/ttyS0"\n'}),
    (3, "Store readings in SQLite, as ADR-003 says", {"schema.sql": "CREATE TABLE readings (time, level_mm);\n"}),
    (9, "Fix the sign of levels below chart datum", {"levels.py": "def level_mm(raw):\n    return raw - 2048\n"}),
    (20, "Add the gauge at the lock", {"gauges.toml": '[north]\nport = "/dev/ttyS0"\n\n[lock]\nport = "/dev/ttyS1"\n'}),
)


def main() -> int:
    """Make the repository in the folder that is named; 2 if that cannot be done."""
    if len(sys.argv) != 2:
        print("error: one FOLDER has to be named", file=sys.stderr)
        return 2
    folder = Path(sys.argv[1])
    try:
        if not folder.exists():
            make(folder)
        found = git(folder, "for-each-ref", "--format=%(objectname)").strip().decode("ascii")
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"error: no repository in `{folder}`: {type(error).__name__}; remove it, if it is one", file=sys.stderr)
        return 2
    if found != HEAD:
        print(f"error: `{folder}` holds another repository; remove it, or name another folder", file=sys.stderr)
        return 2
    return 0


def make(folder: Path) -> None:
    """Make the repository beside *folder*, then put it there: it is either whole or not there."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        git(beside, "init", "--quiet", "--bare", "--object-format=sha1")
        git(beside, "symbolic-ref", "HEAD", "refs/heads/main")
        git(beside, "fast-import", "--quiet", stdin=history())
        beside.rename(folder)
    except BaseException:
        shutil.rmtree(beside)
        raise


def history() -> bytes:
    """Return the commits in the form that `git fast-import` reads."""
    lines = []
    for day, message, files in COMMITS:
        when = f"{FIRST_DAY + day * DAY_S} +0000"
        lines += ["commit refs/heads/main", f"author {PERSON} {when}", f"committer {PERSON} {when}"]
        lines += [f"data {len(message)}", message]
        for name, content in files.items():
            lines += [f"M 100644 inline {name}", f"data {len(content)}", content]
    return "\n".join([*lines, ""]).encode("ascii")


def git(folder: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    """Run git in *folder*, without anybody's settings, and return what it prints."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_DIR": str(folder)}
    done = subprocess.run(["git", *arguments], input=stdin, stdout=subprocess.PIPE, check=True, env=clean | settings)
    return done.stdout


if __name__ == "__main__":
    raise SystemExit(main())
