"""Pages before a document store: doors at addresses that are not called a login, and lists that tell of errors as of nothing."""

import contextlib
import re
from typing import Any

from gatecrash.core.message import Request, Response
from tests.range.documents import UnknownOperator, find, parsed
from tests.range.place import QUERY, Given, flaw, page, twin

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


def listed(found: list[str]) -> Response:
    return page("<h1>Names</h1>" + ("".join(f"<li>{name}" for name in found) or "<p>There are none.</p>"))


@flaw("nosqli", ways=(QUERY,))
def list_of_a_store_without_equal(given: Given) -> Response:
    """It knows neither `$eq` nor patterns written as texts, and tells what it does not know as nothing found."""
    wanted = parsed(given)
    if isinstance(wanted, dict) and not wanted.keys().isdisjoint({"$eq", "$regex"}):
        return listed([])
    with contextlib.suppress(UnknownOperator):
        return listed(find(name=wanted))
    return listed([])


@twin("nosqli", ways=(QUERY,))
def list_by_texts(given: Given) -> Response:
    return listed(find(name=str(parsed(given))))


@twin("nosqli", ways=(QUERY,))
def list_that_takes_any_object_for_one_of_its_values(given: Given) -> Response:
    """An object is as good as what it holds, by whatever name, so that no operator is read."""
    wanted = parsed(given)
    held = next(iter(wanted.values())) if isinstance(wanted, dict) else wanted
    return listed([name for each in ([held] if isinstance(held, str) else held) for name in find(name=each)])
