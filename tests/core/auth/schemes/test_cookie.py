"""Cookie-based: a framework's session, which what the host does may still belie."""

import pytest

from gatecrash.core.auth.families.session_cookies import COOKIES
from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Kind, Place
from gatecrash.core.auth.schemes.cookie import judge
from gatecrash.core.message import Request
from gatecrash.core.point import Point

RECOGNISER = compile_recogniser()


@pytest.mark.parametrize("value", [b"", b'""', b"deleted", b"null", b"%7B%7Bsid%7D%7D"])
def test_a_placeholder_is_not_valid(value):
    assert judge(Candidate(Place.COOKIE, "PHPSESSID", b"", value)) == Judgement(AuthType.COOKIE, False, Kind.SESSION)


@pytest.mark.parametrize("row", [row for row in COOKIES if not row.pattern], ids=lambda row: row.name)
def test_every_listed_cookie_is_recognised_as_a_session(row):
    found = RECOGNISER.recognise(Request("GET", b"/", ((b"Cookie", row.name.encode() + b"=9f8e7d6c"),)))
    assert [(one.point[-1], one.type, one.valid, one.kind) for one in found] == [
        (row.name, AuthType.COOKIE, True, Kind.SESSION)
    ]


def test_a_custom_cookie_of_a_listed_name_stands_for_itself():
    point = Point.of("header", "COOKIE", "cookie", "PHPSESSID")
    (found,) = compile_recogniser([point]).recognise(Request("GET", b"/", ((b"Cookie", b"PHPSESSID=1"),)))
    assert (found.valid, found.kind) == (True, Kind.PROOF)
