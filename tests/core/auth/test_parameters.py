"""The 34 default names of the contract, in their exact places and casings."""

import pytest

from gatecrash.core.auth.parameters import DEFAULTS, is_identity_cookie
from gatecrash.core.auth.places import place_of
from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.auth.scheme import Place
from gatecrash.core.message import Request

RECOGNISER = compile_recogniser()
HEADERS = {"Content-Type": {Place.FORM: b"application/x-www-form-urlencoded", Place.JSON: b"application/json"}}


def carrying(place: Place, name: str, value: str) -> Request:
    match place:
        case Place.HEADER:
            return Request("GET", b"/", ((name.encode(), value.encode()),))
        case Place.COOKIE:
            return Request("GET", b"/", ((b"Cookie", f"a=b; {name}={value}; c=d".encode()),))
        case Place.QUERY:
            return Request("GET", f"/?a=b&{name}={value}&c=d".encode())
        case Place.FORM:
            form = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
            return Request("POST", b"/", form, f"a=b&{name}={value}".encode())
        case Place.JSON:
            return Request("POST", b"/", ((b"Content-Type", b"application/json"),), f'{{"{name}": "{value}"}}'.encode())


def test_there_are_34_of_them_and_no_two_alike():
    assert len(DEFAULTS) == 34
    assert len(set(DEFAULTS)) == 34


@pytest.mark.parametrize("point", DEFAULTS, ids=str)
def test_each_is_recognised_at_its_point(point):
    place, name = place_of(point)
    request = carrying(place, name.replace("<IDP>", "KEYCLOAK"), "9f8e7d6c5b4a")
    assert [(point, True)] == [(each.point, each.valid) for each in RECOGNISER.recognise(request)]


@pytest.mark.parametrize("point", [p for p in DEFAULTS if place_of(p)[0] is not Place.HEADER], ids=str)
def test_only_header_names_are_matched_without_case(point):
    place, name = place_of(point)
    others = {name.swapcase(), name.title()} - {each[-1] for each in DEFAULTS if place_of(each)[0] is place}
    for other in others:
        assert RECOGNISER.recognise(carrying(place, other, "9f8e7d6c5b4a")) == ()


@pytest.mark.parametrize("name", [b"KEYCLOAK_IDENTITY", b"A_IDENTITY", b"MY-IDP_2_IDENTITY"])
def test_an_identity_cookie_has_any_word_in_front(name):
    assert is_identity_cookie(name)


@pytest.mark.parametrize("name", [b"_IDENTITY", b"keycloak_identity", b"KEYCLOAK_IDENTITY_LEGACY", b"Kc_IDENTITY"])
def test_what_is_no_identity_cookie(name):
    assert not is_identity_cookie(name)
