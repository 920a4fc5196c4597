"""
Look the dependencies up in databases of vulnerabilities, and check the licences of the crates.

    python tools/audit.py

cargo-deny checks the licences, sources and versions of the crates by `deny.toml`, and
looks them up in RustSec's database. pip-audit looks up what the package and its extras
install, in the versions of uv.lock. A database that cannot be reached from this machine
is a line that says `skipped`. Exit code 1 if something was found.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
CARGO_DENY = ROOT / "target" / "tools" / "bin" / "cargo-deny"
# Words of cargo-deny for a database that it cannot fetch.
NO_DATABASE = ("failed to fetch advisory database", "failed to load advisory database")


class Check(NamedTuple):
    """What became of one check: `passed`, `failed` or `skipped`, and a remark."""

    name: str
    state: str
    remark: str = ""


def main() -> int:
    """Run every check; 1 if one failed."""
    checks = [crates("bans", "licenses", "sources"), crates("advisories"), packages()]
    for check in checks:
        print(f"audit: {check.name}: {check.state}{f': {check.remark}' if check.remark else ''}")
    return 1 if any(check.state == "failed" for check in checks) else 0


def crates(*kinds: str) -> Check:
    """Check the crates by cargo-deny."""
    name = f"crates, {', '.join(kinds)}"
    if not CARGO_DENY.exists():
        return Check(name, "skipped", "cargo-deny is not installed")
    command = [str(CARGO_DENY), "--workspace", "--locked", "check", "--hide-inclusion-graph", *kinds]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return Check(name, "passed")
    if any(words in done.stderr for words in NO_DATABASE):
        return Check(name, "skipped", "RustSec's database cannot be fetched")
    print(done.stderr, file=sys.stderr)
    return Check(name, "failed", "see above")


def packages() -> Check:
    """Look up what the package and its extras install, by pip-audit."""
    name = "packages"
    with tempfile.TemporaryDirectory() as folder:
        requirements, result = f"{folder}/requirements.txt", Path(folder) / "result.json"
        export = [sys.executable, "-m", "uv", "export", "--quiet", "--locked", "--all-extras", "--no-default-groups"]
        subprocess.run([*export, "--no-emit-project", "--output-file", requirements], cwd=ROOT, check=True)
        audit = [sys.executable, "-m", "pip_audit", "--requirement", requirements, "--require-hashes", "--disable-pip"]
        options = ["--progress-spinner", "off", "--format", "json", "--output", str(result)]
        done = subprocess.run([*audit, *options], cwd=ROOT, capture_output=True, text=True, check=False)
        if not result.exists():
            last = done.stderr.strip().splitlines()[-1:]
            return Check(name, "skipped", f"no database of vulnerabilities can be reached: {''.join(last)[:200]}")
        found = json.loads(result.read_text(encoding="utf-8"))["dependencies"]
    return judged(name, found)


def judged(name: str, found: list[dict[str, Any]]) -> Check:
    """Return what pip-audit's rows amount to: a package that it could not look up has not passed."""
    hit = [f"{each['name']} {each['version']}" for each in found if each.get("vulns")]
    skipped = [each for each in found if "skip_reason" in each]
    if hit:
        return Check(name, "failed", ", ".join(hit))
    if skipped:
        return Check(name, "skipped", f"{len(skipped)} of {len(found)} are in no database that can be reached")
    return Check(name, "passed", f"{len(found)} looked up")


if __name__ == "__main__":
    sys.exit(main())
