#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a package contains and is linked with: an SPDX 2.3 document, a table of licences, and Debian's copyright file.

    bill_of_materials.py --version V --tree FOLDER... --lock FILE... --wheels FOLDER... --spdx OUT --table OUT --copyright OUT

Versions and licences are read from this machine: Debian's packages and their copyright files, the wheels of the lock file and their licences,
the hashes of the files in the trees. SOURCE_DATE_EPOCH is the document's date, so that the same files give the same document.
"""
import argparse
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import uuid

# Libraries of headers only: nothing that is linked names them.
HEADERS_ONLY = ("nlohmann-json3-dev", "libcli11-dev", "libxxhash-dev")
WHEELS = {"torch": "BSD-3-Clause", "pyarrow": "Apache-2.0"}
# https://spdx.org/licenses/ for the short names that Debian's copyright files use.
SPDX_NAMES = {
    "expat": "MIT", "mit": "MIT", "gpl-3": "GPL-3.0-only", "gpl-3+": "GPL-3.0-or-later", "gpl-2": "GPL-2.0-only", "gpl-2+": "GPL-2.0-or-later",
    "lgpl-2": "LGPL-2.0-only", "lgpl-2+": "LGPL-2.0-or-later", "lgpl-2.1": "LGPL-2.1-only", "lgpl-2.1+": "LGPL-2.1-or-later",
    "lgpl-3": "LGPL-3.0-only", "lgpl-3 or gpl-2": "LGPL-3.0-only OR GPL-2.0-only", "bsd-2-clause": "BSD-2-Clause", "bsd-3-clause": "BSD-3-Clause",
    "apache-2.0": "Apache-2.0", "apache-2": "Apache-2.0", "zlib": "Zlib", "boost-1.0": "BSL-1.0", "bsl-1.0": "BSL-1.0", "isc": "ISC",
}


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def linked_packages(files, own):
    """Debian packages whose libraries the loader finds for `files`."""
    libraries = set()
    environment = dict(os.environ, LD_LIBRARY_PATH=":".join(sorted(own)))
    for file in files:
        text = subprocess.run(["ldd", file], capture_output=True, text=True, check=False, env=environment).stdout
        libraries.update(path for path in re.findall(r"=> (/\S+) \(", text) if os.path.dirname(path) not in own)
    found = {}
    for library in sorted(libraries):
        for path in (library, os.path.realpath(library), "/usr" + library, re.sub("^/usr", "", library)):
            owner = run("dpkg", "-S", path)
            if owner:
                found.setdefault(owner.split(":")[0].split(",")[0], set()).add(os.path.basename(library))
                break
    return found


def debian_facts(name):
    fields = run("dpkg-query", "-W", "-f", "${Version}\t${Architecture}\t${source:Package}\t${Homepage}", name).split("\t")
    if len(fields) != 4:
        raise SystemExit(f"packaging/bill_of_materials.py: {name} is not installed: run packaging/setup engine desktop package")
    return dict(zip(("version", "architecture", "source", "homepage"), fields))


def debian_licence(name):
    """The licence of `Files: *` in the package's copyright file (DEP-5), as an SPDX expression; None where the file does not have that form."""
    try:
        text = pathlib.Path(f"/usr/share/doc/{name}/copyright").read_text(errors="replace")
    except OSError:
        return None
    for paragraph in re.split(r"\n\s*\n", text):
        if re.search(r"^Files:\s*\*\s*$", paragraph, re.M):
            licence = re.search(r"^License:\s*(.+)$", paragraph, re.M)
            return SPDX_NAMES.get(licence.group(1).strip().lower()) if licence else None
    return None


def wheel_licences(folders):
    """The licence files of each unpacked wheel, by the wheel's name as its index writes it."""
    return {re.sub(r"-[^-]+\.dist-info$", "", info.name).replace("_", "-"): sorted(path for path in info.rglob("*") if path.is_file())
            for folder in folders for info in sorted(pathlib.Path(folder).glob("*.dist-info"))}


def spdx_id(text):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for option in ("version", "spdx", "table", "copyright"):
        parser.add_argument("--" + option, required=True)
    for option in ("tree", "lock", "wheels"):
        parser.add_argument("--" + option, action="append", required=True)
    options = parser.parse_args()

    files = {}
    for tree in options.tree:
        for path in sorted(pathlib.Path(tree).rglob("*")):
            if path.is_file() and not path.is_symlink():
                files["./" + str(path.relative_to(tree))] = path
    programs = [str(path) for path in files.values() if elf(path)]
    own = {os.path.dirname(path) for path in programs if "/lib/trainyard/lib" in path}
    linked = linked_packages(programs, own)
    for name in HEADERS_ONLY:
        linked.setdefault(name, set())

    packages = [{
        "SPDXID": "SPDXRef-Trainyard", "name": "trainyard", "versionInfo": options.version, "downloadLocation": "NOASSERTION", "filesAnalyzed": True,
        "licenseConcluded": "GPL-3.0-only", "licenseDeclared": "GPL-3.0-only", "copyrightText": "NOASSERTION", "primaryPackagePurpose": "APPLICATION"}]
    rows = []
    wheels = wheel_licences(options.wheels)
    for line in "\n".join(pathlib.Path(lock).read_text() for lock in options.lock).splitlines():
        wheel = re.match(r"([\w-]+)==([\w.]+) --hash=sha256:([0-9a-f]{64})", line)
        if not wheel:
            continue
        name, version, digest = wheel.groups()
        licence = WHEELS.get(name, "NOASSERTION")
        packages.append({
            "SPDXID": spdx_id("pypi-" + name), "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "checksums": [{"algorithm": "SHA256", "checksumValue": digest}], "licenseConcluded": "NOASSERTION", "licenseDeclared": licence,
            "copyrightText": "NOASSERTION", "primaryPackagePurpose": "LIBRARY",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": f"pkg:pypi/{name}@{version}"}]})
        rows.append((name, version, "contained", WHEELS.get(name, "NVIDIA CUDA Toolkit EULA (redistributable part)"), "copyright file of the package"))
    for name in sorted(linked):
        facts, licence = debian_facts(name), debian_licence(name)
        packages.append({
            "SPDXID": spdx_id("deb-" + name), "name": name, "versionInfo": facts["version"], "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": "NOASSERTION", "licenseDeclared": licence or "NOASSERTION", "copyrightText": "NOASSERTION",
            "primaryPackagePurpose": "LIBRARY", "sourceInfo": f"Debian source package {facts['source']}",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                              "referenceLocator": f"pkg:deb/debian/{name}@{facts['version'].replace('+', '%2B').replace(':', '%3A')}?arch={facts['architecture']}"}]})
        rows.append((name, facts["version"], "headers" if name in HEADERS_ONLY else "linked", licence or "several", f"/usr/share/doc/{name}/copyright"))

    entries = []
    for name, path in files.items():
        data = path.read_bytes()
        entries.append({
            "SPDXID": spdx_id("file-" + name[2:]), "fileName": name, "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION",
            "checksums": [{"algorithm": "SHA1", "checksumValue": hashlib.sha1(data).hexdigest()},
                          {"algorithm": "SHA256", "checksumValue": hashlib.sha256(data).hexdigest()}]})
    sums = sorted(entry["checksums"][0]["checksumValue"] for entry in entries)
    packages[0]["packageVerificationCode"] = {"packageVerificationCodeValue": hashlib.sha1("".join(sums).encode()).hexdigest()}
    content = json.dumps([packages, entries], sort_keys=True).encode()
    when = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"trainyard-{options.version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/trainyard-{options.version}-{uuid.uuid5(uuid.NAMESPACE_URL, hashlib.sha256(content).hexdigest())}",
        "creationInfo": {"created": when.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: packaging/bill_of_materials.py"]},
        "packages": packages, "files": entries,
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-Trainyard"}]
        + [{"spdxElementId": "SPDXRef-Trainyard", "relationshipType": "DEPENDS_ON", "relatedSpdxElement": package["SPDXID"]} for package in packages[1:]]
        + [{"spdxElementId": "SPDXRef-Trainyard", "relationshipType": "CONTAINS", "relatedSpdxElement": entry["SPDXID"]} for entry in entries]}
    pathlib.Path(options.spdx).write_text(json.dumps(document, indent=1) + "\n")

    table = ["# What Trainyard's packages contain and are linked with", "", "Trainyard itself: GPL-3.0-only (LICENSE).", "",
             "| name | version | how | licence | its text |", "|---|---|---|---|---|"]
    table += ["| " + " | ".join(row) + " |" for row in rows]
    pathlib.Path(options.table).write_text("\n".join(table) + "\n")

    text = ["Trainyard " + options.version, "", "Licence of Trainyard: GNU General Public License, version 3 only;", "its text is in /usr/share/common-licenses/GPL-3.", ""]
    for name, version, how, licence, place in rows:
        if how == "contained":
            text += ["-" * 78, f"{name} {version}, contained in /usr/lib/trainyard/lib: {licence}", ""]
            if not wheels.get(name):
                raise SystemExit(f"packaging/bill_of_materials.py: the licence of {name} is missing: delete the folder that holds it and run packaging/setup")
            for path in wheels[name]:
                text += [path.read_text(errors="replace"), ""]
    text += ["-" * 78, "Headers of these Debian packages are compiled into the programs:", ""]
    for name in HEADERS_ONLY:
        text += [f"{name}:", pathlib.Path(f"/usr/share/doc/{name}/copyright").read_text(errors="replace"), ""]
    pathlib.Path(options.copyright).write_text("\n".join(text))


if __name__ == "__main__":
    main()
