"""Which host an address is put on, as a refusal tells it."""

import json

import pytest

from gatecrash.core.message import Request
from gatecrash.core.points.walk import walk
from gatecrash.formats.refusals.told_hosts import hosts_told

JSON = ((b"Content-Type", b"application/json"),)


def told(message: str, **body: str) -> dict[str, str]:
    found = walk(Request("POST", b"/hooks", JSON, json.dumps(body).encode())).points
    values = hosts_told([one for one in found if not one.container], message)
    return {point[-1]: value.decode() for point, value in values.items()}


@pytest.mark.parametrize(
    ("message", "address"),
    [
        ("url must point to hooks.shop.example", "http://hooks.shop.example/a?b=c"),
        ("Only addresses of *.cdn.example are allowed.", "http://cdn.example/a?b=c"),
        (
            '{"error": "host not in allow list", "allowed": ["img.shop.example", "b.example"]}',
            "http://img.shop.example/a?b=c",
        ),
        ("example.com is no trusted host, use shop.example", "http://shop.example/a?b=c"),
        ("url must begin with https://hooks.shop.example/", "https://hooks.shop.example/a?b=c"),
        ('<f xmlns="http://schemas.shop.example/a"><c>s:Client.Auth</c><t>not allowed</t></f>', None),
        (
            '<f xmlns:s="http://schemas.shop.example/a"><t>only img.b.example is allowed</t></f>',
            "http://img.b.example/a?b=c",
        ),
        ('File "/srv/shop/request.py", line 7: host is not allowed', None),
        ("url is required", None),
        ("url must be an address", None),
        ("example.com is not allowed", None),
        ("ask admin@shop.example, only he may", None),
    ],
)
def test_the_first_other_host_that_it_names_is_taken(message: str, address: str | None) -> None:
    expected = {} if address is None else {"url": address}
    assert told(message, url="http://example.com/a?b=c", note="see shop.example") == expected


def test_of_several_addresses_the_one_that_is_named() -> None:
    both = {"url": "http://example.com/", "image": "http://example.com/a.png"}
    assert told("image must be on img.shop.example", **both) == {"image": "http://img.shop.example/a.png"}
