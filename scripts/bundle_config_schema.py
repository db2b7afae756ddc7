#!/usr/bin/env python3
"""Writes the schema of spec.config.inline for registry+v1 bundles without what validation does not look at.

    scripts/bundle_config_schema.py registryv1bundleconfig.json > src/render/config/schema.json

The input is operator-controller's internal/operator-controller/rukpak/bundle/registryv1bundleconfig.json.
Descriptions, defaults and x-kubernetes-* go; so do `format`s, all of which are either unknown to the
controller's validator (int32, int64) or of a metadata field that nobody sets (date-time).
"""

import json
import sys

KEPT = {"type", "properties", "required", "items", "additionalProperties", "$ref", "allOf", "anyOf", "oneOf"}


def slim(schema):
    if not isinstance(schema, dict):
        return schema
    out = {}
    for key, value in schema.items():
        if key not in KEPT:
            continue
        if key == "properties":
            value = {name: slim(sub) for name, sub in value.items()}
        elif key in ("items", "additionalProperties"):
            value = slim(value)
        elif key in ("allOf", "anyOf", "oneOf"):
            value = [slim(sub) for sub in value]
        elif key == "$ref":
            value = value.rsplit("/", 1)[1]
        out[key] = value
    return out


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    definitions = {name: slim(sub) for name, sub in sorted(schema["components"]["schemas"].items())}
    print("{")
    print(' "root": ' + json.dumps(slim(schema), separators=(",", ":"), sort_keys=True) + ",")
    print(' "definitions": {')
    lines = [f"  {json.dumps(name)}: " + json.dumps(sub, separators=(",", ":"), sort_keys=True) for name, sub in definitions.items()]
    print(",\n".join(lines))
    print(" }")
    print("}")


if __name__ == "__main__":
    main()
