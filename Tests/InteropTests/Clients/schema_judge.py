"""Says of each line of a file whether a JSON Schema takes its event: {"schema": name, "event": ...} a line."""
import json
import sys

from jsonschema import Draft202012Validator

folder, cases = sys.argv[1:]
validators = {}


def validator(name):
    if name not in validators:
        with open(f"{folder}/{name.split('#')[0]}.json", encoding="utf-8") as file:
            schema = json.load(file)
        Draft202012Validator.check_schema(schema)
        # The part of a schema for data alone.
        part = schema["$defs"]["data"] if name.endswith("#data") else schema
        validators[name] = Draft202012Validator(part)
    return validators[name]


verdicts = []
with open(cases, encoding="utf-8", newline="\n") as file:
    for line in file:
        case = json.loads(line)
        verdicts.append(validator(case["schema"]).is_valid(case["event"]))
print(json.dumps(verdicts))
