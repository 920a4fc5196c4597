"""
Finds changes that break callers: of the Python API, the command line, JSON reports and the Rust crates.

`python_api`, `commands`, `schemas` and `rust_api` each list what callers rely on and compare two listings. A release
leaves its listings in `tests/released/VERSION`.
"""
