"""Reports held against schemas of our own, as strict as the formats' texts: an error names the place and what it wants."""

from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import orjson
from lxml import etree

SCHEMAS = Path(__file__).parent / "schemas"


def sarif(document: bytes) -> dict[str, Any]:
    """The SARIF document, where it is one; and every result names a rule that the document has."""
    found: dict[str, Any] = orjson.loads(document)
    faults = [f"{'/'.join(map(str, one.instance_path))}: {one.message}" for one in _sarif().iter_errors(found)]
    assert not faults, "\n".join(faults)
    for run in found["runs"]:
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        assert [rules[one["ruleIndex"]] for one in run["results"]] == [one["ruleId"] for one in run["results"]]
    return found


def junit(document: bytes) -> Any:
    """The root of the JUnit document, where it is one; its totals are the sums of what is in it."""
    root = etree.fromstring(document)
    _junit().assertValid(root)
    for holder in (root, *root):
        cases = list(holder.iter("testcase"))
        assert int(holder.get("tests", "0")) == len(cases), f"tests={holder.get('tests')}"
        for total, child in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(holder.get(total, "0")) == sum(case.find(child) is not None for case in cases), total
    return root


@cache
def _sarif() -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(
        orjson.loads((SCHEMAS / "sarif.json").read_bytes()), validate_formats=True
    )


@cache
def _junit() -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(SCHEMAS / "junit.xsd"))
