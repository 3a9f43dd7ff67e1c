"""A form may stand for another method than POST."""

import pytest
from tests.core.testing.driving import record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.sign_out import ends_account, signs_out
from gatecrash.core.testing.injectable import injectable
from gatecrash.core.testing.operations.meant_method import meant_method
from gatecrash.core.testing.policy import DEFAULT

FORM = (b"Content-Type", b"application/x-www-form-urlencoded")
PART = b'--x\r\nContent-Disposition: form-data; name="_method"\r\n\r\npatch\r\n--x--\r\n'


def form(target: bytes, body: bytes = b"_method=delete") -> Request:
    return Request("POST", target, (FORM,), body)


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (form(b"/notes/7"), "DELETE"),
        (form(b"/notes/7", b"title=a&_method=PUT&x=1"), "PUT"),
        (form(b"/notes/7?_method=delete", b""), "DELETE"),
        (form(b"/notes/7", PART), "PATCH"),
        (form(b"/notes/7", b'{"_method": "delete"}'), "DELETE"),
        (Request("POST", b"/notes/7", ((b"X-HTTP-Method-Override", b"DELETE"),)), "DELETE"),
        (form(b"/notes/7", b"pay_method=delete"), "POST"),
        (form(b"/notes/7", b"_method=deleted"), "POST"),
        (form(b"/notes/7", b"_method=get"), "POST"),
        (Request("get", b"/notes?_method=delete"), "GET"),
    ],
)
def test_the_method_that_is_meant(request_: Request, expected: str):
    assert meant_method(request_) == expected


def test_what_a_form_deletes_is_deleted_and_its_session_ends_as_by_the_method_itself():
    assert destroys(form(b"/notes/7")) == "deletes"
    assert destroys(form(b"/notes/7", b"_method=patch")) is None
    assert signs_out(form(b"/session"))
    assert not signs_out(form(b"/session", b"_method=put"))
    assert ends_account(form(b"/me"))


@pytest.mark.parametrize(("body", "points"), [(b"_method=patch&title=a", ["title"]), (b"_method=cash", ["_method"])])
def test_the_method_is_no_value_of_the_application(body: bytes, points: list[str]):
    baseline = record(lambda _: Response(303), form(b"/notes/7", body))
    found = [point[-1] for point, _ in injectable(baseline, DEFAULT, ()) if point[0] == "post" and len(point) > 1]
    assert found == points
