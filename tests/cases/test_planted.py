"""The search for secrets finds what is there: otherwise a test that finds nothing would say nothing."""

import base64
import gzip
import hashlib

import pytest
from tests.cases.planted import PLANTED, forms, found_in

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.auth.scheme import AuthType

SECRET = b"Zx81Qw7Lk3Vb9Nm2Pd5R"


@pytest.mark.parametrize(
    "leak",
    [
        SECRET,
        SECRET.lower(),
        SECRET[:12],
        SECRET.hex().encode(),
        base64.b64encode(SECRET),
        base64.b64encode(b"a" + SECRET),
        base64.b64encode(b"ab" + SECRET),
        base64.urlsafe_b64encode(b"user:" + SECRET),
        b"".join(b"%%%02X" % byte for byte in SECRET),
        SECRET.decode().encode("utf-16-le"),
        hashlib.sha256(SECRET).hexdigest().encode(),
        hashlib.md5(SECRET, usedforsecurity=False).digest(),
    ],
)
def test_every_form_of_a_leak_is_found(leak):
    assert any(form in b"before " + leak + b" after" for form in forms(SECRET))


@pytest.mark.parametrize("one", PLANTED, ids=lambda one: one.place)
def test_each_place_is_found_in_what_was_sent(one):
    request = one.exchange.request
    sent = [request.target, request.body, *(part for pair in request.headers for part in pair)]
    answered = [one.exchange.response.body, *(value for _, value in one.exchange.response.headers)]
    everything = b"\n".join([*sent, *answered, one.exchange.client.encode()])
    assert found_in(everything, [one])
    assert not found_in(gzip.compress(b"nothing here"), [one])


def test_every_type_is_planted_with_a_valid_value():
    recogniser = compile_recogniser()
    found = {each.type for one in PLANTED for each in recogniser.recognise(one.exchange.request) if each.valid}
    assert found == set(AuthType)
