#!/usr/bin/env python3
"""Writes the schemas of ClusterExtension and ClusterCatalog, release by release, and mod.rs, the table of them.

    src/api/crds/update.py PATH_TO_A_CLONE_OF_OPERATOR_CONTROLLER

Takes the newest patch release of each minor, both sets of CRDs; leaves descriptions out, since nothing reads them, and keeps the
messages of rules, which users see. A schema that is as it was in an earlier release is not written again. Releases before v1.2
ship ClusterCatalog in a repository of its own; v1.2's stands in for them.
"""

import json
import pathlib
import re
import subprocess
import sys

import yaml

HERE = pathlib.Path(__file__).parent
SETS = ("standard", "experimental")


def git(repo, *args):
    return subprocess.run(["git", "-C", repo, *args], check=True, capture_output=True, text=True).stdout


def releases(repo):
    newest = {}
    for tag in git(repo, "tag").split():
        if m := re.fullmatch(r"v1\.(\d+)\.(\d+)", tag):
            minor, patch = int(m[1]), int(m[2])
            newest[minor] = max(newest.get(minor, -1), patch)
    return [(minor, f"v1.{minor}.{patch}") for minor, patch in sorted(newest.items())]


def without_descriptions(schema):
    out = {}
    for key, value in schema.items():
        if key == "description":
            continue
        if key == "properties":
            value = {name: without_descriptions(s) for name, s in value.items()}
        elif key in ("items", "additionalProperties") and isinstance(value, dict):
            value = without_descriptions(value)
        out[key] = value
    return out


def schema(repo, tag, plural, which):
    """The schema of a release and set; where a release has but one set, that one."""
    paths = [
        p
        for p in git(repo, "ls-tree", "-r", "--name-only", tag).split()
        if re.search(rf"/crd/(bases|{which})/olm\.operatorframework\.io_{plural}\.yaml$", p)
    ]
    if not paths:
        return None
    (path,) = paths
    (version,) = yaml.safe_load(git(repo, "show", f"{tag}:{path}"))["spec"]["versions"]
    assert version["name"] == "v1" and version["served"]
    return without_descriptions(version["schema"]["openAPIV3Schema"])


def main():
    (repo,) = sys.argv[1:]
    for old in HERE.glob("*.json"):
        old.unlink()
    lines = []
    tables = []
    for plural in ("clusterextensions", "clustercatalogs"):
        written, rows = {}, []
        for minor, tag in releases(repo):
            row = []
            for which in SETS:
                found = schema(repo, tag, plural, which)
                if found is None:
                    row.append(None)
                    continue
                text = json.dumps(found, indent=1, sort_keys=True) + "\n"
                if text not in written:
                    name = f"{plural}-v1.{minor}-{which}"
                    written[text] = re.sub(r"[-.]", "_", name).upper()
                    (HERE / f"{name}.json").write_text(text)
                    lines.append(f'const {written[text]}: &str = include_str!("{name}.json");')
                row.append(written[text])
            rows.append(row)
        first = next(row for row in rows if row[0])
        rows = [row if row[0] else first for row in rows]
        tables.append(
            f"/// {plural}, by the minor of the 1.x release: the standard set, the experimental set.\n"
            f"pub(super) static {plural.upper()}: [(&str, &str); {len(rows)}] = [\n"
            + "".join(f"    ({a}, {b}),\n" for a, b in rows)
            + "];\n"
        )
    (HERE / "mod.rs").write_text(
        "//! The schemas of the OLM v1 API, release by release. Written by `update.py` in this folder; do not edit.\n\n"
        + "\n".join(lines)
        + "\n\n"
        + "\n".join(tables)
    )


if __name__ == "__main__":
    main()
