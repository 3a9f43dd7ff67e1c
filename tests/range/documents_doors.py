"""Doors before a document store, at addresses that are not called a login: neither half of what was recorded was anybody's."""

import contextlib
import re
from typing import Any

from gatecrash.core.message import Request, Response
from tests.range.documents import UnknownOperator, find
from tests.range.place import Given, flaw, page, twin

SHUT = "<h1>Door</h1><p>Wrong user name or password.</p><form method=post><input name=user><input type=password name=pass></form>"
FORM_TYPE = (b"Content-Type", b"application/x-www-form-urlencoded")


def knocks(path: str) -> Request:
    return Request("POST", path.encode(), (FORM_TYPE,), b"user=zoe&pass=lantern7")


def half(given: Given, name: str) -> Any:
    """One half, as parsers that make objects of brackets hand it on."""
    inner = {re.fullmatch(rf"{name}\[(.+?)\]", key): value for key, value in given.values.items()}
    return {of[1]: value for of, value in inner.items() if of} or given.values.get(name, "")


def opened(found: list[str]) -> Response:
    return page(f"<h1>Door</h1><p>Come in, {found[0]}.</p>") if found else page(SHUT)


@flaw("nosqli", request=knocks)
def door_of_objects(given: Given) -> Response:
    with contextlib.suppress(UnknownOperator):
        return opened(find(name=half(given, "user"), password=half(given, "pass")))
    return page(SHUT)


@twin("nosqli", request=knocks)
def door_of_texts(given: Given) -> Response:
    return opened(find(name=str(half(given, "user")), password=str(half(given, "pass"))))


@twin("nosqli", request=knocks)
def door_open_to_any_object(given: Given) -> Response:
    """Broken, and not by an operator."""
    return opened([] if isinstance(half(given, "user"), str) and isinstance(half(given, "pass"), str) else ["tea"])
