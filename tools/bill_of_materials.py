"""
Write groundwire.cdx.json: the bill of materials of a wheel, in CycloneDX.

    python tools/bill_of_materials.py           write the file
    python tools/bill_of_materials.py --check   exit code 1 if the file is not what this would write

It has the crates that the engine links on any platform that has a wheel, and the
script that the review page brings along. Wheels carry it in `.dist-info/sboms`
(PEP 770). maturin can write one too, but with the path of the folder that the
crates were built in. The same sources give the same bytes: the file has no date.
"""

import argparse
import json
import re
import sys
import tomllib
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

from third_party import ROOT, depended, linked, needed_by_us

TARGET = ROOT / "groundwire.cdx.json"
SCHEMA = SchemaVersion.V1_6
HTMX = ROOT / "python" / "groundwire" / "review" / "web" / "static" / "vendor" / "htmx.min.js"


def main() -> int:
    """Write or check the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    is_check = parser.parse_args().check
    text = bill()
    if not is_check:
        TARGET.write_text(text, encoding="utf-8")
        return 0
    is_current = TARGET.is_file() and TARGET.read_text(encoding="utf-8") == text
    if not is_current:
        print(f"error: {TARGET.name} is not current; run `python tools/bill_of_materials.py`", file=sys.stderr)
    return 0 if is_current else 1


def bill() -> str:
    """Return the whole text, checked against the schema of CycloneDX."""
    crates, checksums = linked(), locked_checksums()
    components = {package["id"]: crate(package, checksums) for package in crates}
    bom, root = Bom(components=components.values()), project()
    bom.metadata.component = root
    bom.components.add(script := htmx())
    for package in crates:
        bom.register_dependency(components[package["id"]], [components[each] for each in depended(package["id"])])
    bom.register_dependency(root, [script, *(components[each] for each in needed_by_us())])
    bom.serial_number = uuid5(NAMESPACE_URL, " ".join(sorted(str(each.purl) for each in (root, *bom.components))))
    written = json.loads(make_outputter(bom, OutputFormat.JSON, SCHEMA).output_as_string())
    del written["metadata"]["timestamp"]
    text = json.dumps(written, indent=1, ensure_ascii=False) + "\n"
    fault = JsonStrictValidator(SCHEMA).validate_str(text)
    if fault is not None:
        raise ValueError(f"{TARGET.name} does not follow the schema: {fault}")
    return text


def project() -> Component:
    """Return the component that the file describes."""
    version = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]["version"]
    return component("pypi", "groundwire", version, "MIT", ComponentType.APPLICATION)


def crate(package: dict, checksums: dict[tuple[str, str], str]) -> Component:
    """Return the component of a crate, with the hash of its package."""
    name, version = package["name"], package["version"]
    made = component("cargo", name, version, package["license"].replace("/", " OR "))
    made.hashes.add(HashType(alg=HashAlgorithm.SHA_256, content=checksums[name, version]))
    return made


def htmx() -> Component:
    """Return the component of the review page's script."""
    version = re.search(r'version:"([\d.]+)"', HTMX.read_text(encoding="utf-8"))
    if version is None:
        raise ValueError(f"{HTMX.name} names no version")
    return component("npm", "htmx.org", version[1], "0BSD")


def component(
    kind: str, name: str, version: str, licence: str, type_: ComponentType = ComponentType.LIBRARY
) -> Component:
    """Return a component that is known by its package URL."""
    purl = PackageURL(kind, None, name, version)
    licences = [LicenseFactory().make_from_string(licence)]
    return Component(name=name, version=version, type=type_, purl=purl, bom_ref=str(purl), licenses=licences)


def locked_checksums() -> dict[tuple[str, str], str]:
    """Return the SHA-256 of each package in Cargo.lock, by name and version."""
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))
    return {(each["name"], each["version"]): each["checksum"] for each in lock["package"] if "checksum" in each}


if __name__ == "__main__":
    sys.exit(main())
