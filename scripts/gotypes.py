#!/usr/bin/env python3
"""Writes the Go struct types that bundles pass through in the compact form that src/bundle/go/types.rs reads.

    scripts/gotypes.py gotypes.json [names.json] > src/bundle/go/types.txt

The input lists, for each type, its fields in the struct's order: [name, type, flags...].
The output has a line a type, then a line a field, indented: name, type, and the flags' first letters
(e omitempty, z omitzero, p pointer). A custom type has `!` after its name and no fields.

A second file, names.json, may say which fields have a type with a name of its own in Go, from the outside in: by type and
field, a list like ["", "v1.Capability"]. Such a name stands after the field's type and `=`.
"""

import json
import sys

FLAGS = {"omitempty": "e", "omitzero": "z", "pointer": "p"}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        types = json.load(file)
    names = {}
    if len(sys.argv) > 2:
        with open(sys.argv[2], encoding="utf-8") as file:
            names = json.load(file)
    for name, about in sorted(types.items()):
        if about.get("custom"):
            print(f"{name} !")
            continue
        print(name)
        for field, kind, *flags in about["fields"]:
            # encoding/json's RawMessage is a slice of bytes to reflection, and any JSON value to an encoder.
            if kind == "bytes" and name.endswith("Descriptor"):
                kind = "raw"
            # Of a map's key, only its own name is kept: refusals do not name it.
            own = "".join(names.get(name, {}).get(field, [])).split(" KEY ")[0]
            if own and kind != "raw":
                kind = f"{kind}={own}"
            letters = "".join(sorted(FLAGS[flag] for flag in flags))
            print(f" {field} {kind} {letters}".rstrip())


if __name__ == "__main__":
    main()
