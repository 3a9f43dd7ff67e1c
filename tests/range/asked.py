"""Requests of several fields, to be handed to a place: each takes the place's path."""

import json
from collections.abc import Callable
from urllib.parse import urlencode

from gatecrash.core.message import Request
from tests.range.place import posted

JSON_TYPE, FORM_TYPE = b"application/json", b"application/x-www-form-urlencoded"
Asked = Callable[[str], Request]


def sending(**fields: object) -> Asked:
    """A POST of these members as JSON."""
    return lambda path: posted(path, json.dumps(fields).encode(), JSON_TYPE)


def submitting(**fields: str) -> Asked:
    """A POST of these fields as a form."""
    return lambda path: posted(path, urlencode(fields).encode(), FORM_TYPE)


def asking(**fields: str) -> Asked:
    """A GET with these fields in its query."""
    return lambda path: Request("GET", path.encode() + b"?" + urlencode(fields).encode())


def at(value: str, method: str = "GET") -> Asked:
    """A request with the value as the last segment of its path."""
    return lambda path: Request(method, f"{path}/{value}".encode())
