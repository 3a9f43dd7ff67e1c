"""An address in fields of its own: host, port and path."""

import json

import pytest

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.testing.places.address_parts import in_parts

URL = "http://127.0.0.1:9100/abc"
JSON = ((b"Content-Type", b"application/json"),)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (b"/x?host=a&port=1&path=/b", b"/x?host=127.0.0.1&port=9100&path=%2Fabc"),
        (
            b"/x?ftpHost=a&ftp_port=1&filePath=b&protocol=ftp",
            b"/x?ftpHost=127.0.0.1&ftp_port=9100&filePath=%2Fabc&protocol=http",
        ),
        (b"/x?host=a&port=1", None),
        (b"/x?host=a&path=/b", None),
        (b"/x?ghost=a&port=1&path=/b", None),
    ],
)
def test_host_port_and_path_name_it_together(target: bytes, expected: bytes | None) -> None:
    name = target.partition(b"?")[2].partition(b"=")[0].decode()
    changed = in_parts(Request("GET", target), Point.of("get", name), URL)
    assert (changed.target if changed is not None else None) == expected


def test_variables_are_called_by_the_arguments_that_they_are_given_to() -> None:
    query = "mutation M($h: String!, $p: Int!, $a: String!) { fetchFeed(host: $h, port: $p, path: $a) }"
    sent = Request(
        "POST", b"/graphql", JSON, json.dumps({"query": query, "variables": {"h": "a", "p": 1, "a": "b"}}).encode()
    )
    changed = in_parts(sent, Point.of("post", "json_doc", "json_obj", "variables", "json_obj", "h"), URL)
    assert changed is not None
    assert json.loads(changed.body)["variables"] == {"h": "127.0.0.1", "p": 9100, "a": "/abc"}
