"""The report names what a protocol calls, and never what a terminal would obey."""

import io
import json

from gatecrash.cli.observation import Observation
from gatecrash.cli.observe_report import as_document, as_object


def observed(*lines: dict[str, object]) -> Observation:
    observation = Observation(())
    observation.read("f", io.BytesIO(b"".join(json.dumps(line).encode() + b"\n" for line in lines)))
    return observation


def test_an_operation_is_told_where_there_is_one() -> None:
    query = {
        "method": "POST",
        "url": "http://a.example/graphql",
        "headers": {"Content-Type": "application/json"},
        "body": json.dumps({"query": "query Teas { teas { name } }", "operationName": "Teas"}),
        "status": 200,
        "time": 1795168800,
    }
    rest = {"method": "GET", "url": "http://a.example/x", "status": 200, "time": 1795168800}
    observation = observed(query, rest)
    first, second = as_document(observation.endpoints(), observation)["endpoints"]
    assert (first["protocol"], "Teas" in first["operation"]) == ("graphql", True)
    assert (second["protocol"], "operation" in second) == ("rest", False)


def test_without_credentials_in_the_file_no_status_is_claimed() -> None:
    [endpoint] = observed({"method": "GET", "url": "http://a.example/x", "status": 200, "time": 1}).endpoints()
    assert as_object(endpoint, stripped=True)["status"] is None
    assert as_object(endpoint, stripped=False)["status"] == "missing"
