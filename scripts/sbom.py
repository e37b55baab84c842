#!/usr/bin/env python3
"""The components of the packages as SPDX 2.3 (an SBOM): what the library links, what it may load, what it is built with.

Usage: sbom.py TREE LIBRARY VERSION > FILE. The components are those of the table "The library" of docs/dependencies.md. Libraries that
LIBRARY links and the table does not name are an error. The time is SOURCE_DATE_EPOCH, so the same commit gives the same bytes.
"""

import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

# In the table: how it is linked, its licence, and the libraries that it stands for.
COMPONENTS = {
    "libc, libm": ("DEPENDS_ON", "LGPL-2.1-or-later", r"lib[cm]\.so\.6|ld-linux.*"),
    "zlib": ("DEPENDS_ON", "Zlib", r"libz\.so\.1"),
    "ISA-L": ("OPTIONAL_DEPENDENCY_OF", "BSD-3-Clause", None),
    "libOpenCL": ("OPTIONAL_DEPENDENCY_OF", "NOASSERTION", None),
    "libcuda": ("OPTIONAL_DEPENDENCY_OF", "NOASSERTION", None),
    "nvcc": ("BUILD_TOOL_OF", "NOASSERTION", None),
}
PART_OF_LIBC = "POSIX threads"
LICENCE = "BSD-3-Clause"


def rows_of(page):
    """The first cells of the table "The library"."""
    section = page.partition("\n## The library\n")[2].partition("\n## ")[0]
    return [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("|")][2:]


def faults(rows, needed):
    """Yield what the table, the components and the library disagree about."""
    for row in rows:
        if not row.startswith(PART_OF_LIBC) and not any(name in row for name in COMPONENTS):
            yield f"docs/dependencies.md names {row}, scripts/sbom.py does not"
    for name in COMPONENTS:
        if not any(name in row for row in rows):
            yield f"scripts/sbom.py names {name}, docs/dependencies.md does not"
    for library in needed:
        if not any(pattern and re.fullmatch(pattern, library) for _, _, pattern in COMPONENTS.values()):
            yield f"the library links {library}, which docs/dependencies.md does not name"


def document(version, digest, epoch):
    packages = [{"SPDXID": "SPDXRef-tulle", "name": "tulle", "versionInfo": version, "downloadLocation": "NOASSERTION",
                 "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": LICENCE,
                 "copyrightText": "NOASSERTION"}]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-tulle"}]
    for name, (kind, licence, _) in COMPONENTS.items():
        identity = "SPDXRef-" + re.sub(r"[^A-Za-z0-9]+", "-", name)
        packages.append({"SPDXID": identity, "name": name, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
                         "licenseConcluded": "NOASSERTION", "licenseDeclared": licence, "copyrightText": "NOASSERTION"})
        ends = ("SPDXRef-tulle", identity) if kind == "DEPENDS_ON" else (identity, "SPDXRef-tulle")
        relations.append({"spdxElementId": ends[0], "relationshipType": kind, "relatedSpdxElement": ends[1]})
    created = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"tulle-{version}",
            "documentNamespace": f"https://spdx.org/spdxdocs/tulle-{version}-{digest[:32]}",
            "creationInfo": {"created": created, "creators": ["Tool: tulle-sbom"]}, "packages": packages, "relationships": relations}


def main():
    tree, library, version = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    dynamic = subprocess.run(["readelf", "-dW", library], capture_output=True, text=True, check=True).stdout
    found = list(faults(rows_of((tree / "docs/dependencies.md").read_text()), re.findall(r"NEEDED.*\[(.*)\]", dynamic)))
    if found:
        sys.exit("\n".join(found))
    digest = hashlib.sha256(library.read_bytes()).hexdigest()
    json.dump(document(version, digest, int(os.environ.get("SOURCE_DATE_EPOCH", "0"))), sys.stdout, indent=1, sort_keys=True)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
