#!/usr/bin/env python3
"""Writes the Go struct types that bundles pass through in the compact form that src/bundle/go/types.rs reads.

    scripts/gotypes.py gotypes.json > src/bundle/go/types.txt

The input lists, for each type, its fields in the struct's order: [name, type, flags...].
The output has a line a type, then a line a field, indented: name, type, and the flags' first letters
(e omitempty, z omitzero, p pointer). A custom type has `!` after its name and no fields.
"""

import json
import sys

FLAGS = {"omitempty": "e", "omitzero": "z", "pointer": "p"}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        types = json.load(file)
    for name, about in sorted(types.items()):
        if about.get("custom"):
            print(f"{name} !")
            continue
        print(name)
        for field, kind, *flags in about["fields"]:
            # encoding/json's RawMessage is a slice of bytes to reflection, and any JSON value to an encoder.
            if kind == "bytes" and name.endswith("Descriptor"):
                kind = "raw"
            letters = "".join(sorted(FLAGS[flag] for flag in flags))
            print(f" {field} {kind} {letters}".rstrip())


if __name__ == "__main__":
    main()
