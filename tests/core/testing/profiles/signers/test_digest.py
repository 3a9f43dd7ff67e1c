"""Digest against the examples of RFC 7616 section 3.9, and the challenges it must tell apart."""

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.profiles.moment import Challenge, Moment
from gatecrash.core.testing.profiles.signers.digest import Digest, challenge_of, next_nonce, points, sign

USER = Digest(username="Mufasa", password="Circle of Life")
REQUEST = Request("GET", b"/dir/index.html", ((b"Host", b"www.example.org"),))
NONCE = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
CNONCE = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
OPAQUE = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"


def challenge(algorithm: str, qop: str = "auth, auth-int", **more: bool) -> Challenge:
    return Challenge(realm="http-auth@example.org", nonce=NONCE, opaque=OPAQUE, algorithm=algorithm, qop=qop, **more)


def proof(given: Challenge | None, request: Request = REQUEST) -> str:
    return (sign(USER, request, Moment(now=0.0, nonce=CNONCE, challenge=given)).first(b"Authorization") or b"").decode()


@pytest.mark.parametrize(
    ("algorithm", "response"),
    [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ],
)
def test_the_examples_give_their_responses(algorithm: str, response: str) -> None:
    shown = proof(challenge(algorithm))
    assert f'response="{response}"' in shown
    for piece in ("qop=auth,", "nc=00000001", f'cnonce="{CNONCE}"', f'opaque="{OPAQUE}"', 'uri="/dir/index.html"'):
        assert piece in shown


def test_a_server_without_qop_gets_the_older_form() -> None:
    shown = proof(challenge("MD5", qop=""))
    assert "cnonce" not in shown
    assert "nc=" not in shown


def test_the_body_counts_where_the_server_wants_it() -> None:
    first = proof(challenge("SHA-256", qop="auth-int"), Request("POST", b"/a", (), b"x"))
    second = proof(challenge("SHA-256", qop="auth-int"), Request("POST", b"/a", (), b"y"))
    assert "qop=auth-int" in first
    assert first != second


def test_a_session_key_and_a_hashed_user() -> None:
    assert proof(challenge("MD5-SESS")) != proof(challenge("MD5"))
    hashed = proof(challenge("SHA-256", userhash=True))
    assert "Mufasa" not in hashed
    assert "userhash=true" in hashed


def test_nobody_is_told_a_password_unasked() -> None:
    assert sign(USER, REQUEST, Moment(now=0.0, nonce=CNONCE)) == REQUEST
    assert points(USER) == (("header", "AUTHORIZATION"),)


def test_the_strongest_challenge_that_can_be_met_is_taken() -> None:
    answer = Response(
        401,
        (
            (b"WWW-Authenticate", b'Basic realm="x"'),
            (b"WWW-Authenticate", b'Digest realm="r", nonce="a", algorithm=MD5, qop="auth"'),
            (b"WWW-Authenticate", b'Digest realm="r", nonce="b", algorithm=SHA-256, qop="auth"'),
            (b"WWW-Authenticate", b'Digest realm="r", nonce="c", algorithm=UNHEARD-OF, qop="auth"'),
        ),
    )
    found = challenge_of(answer)
    assert found is not None
    assert (found.nonce, found.algorithm) == ("b", "SHA-256")
    assert challenge_of(Response(401, ((b"WWW-Authenticate", b'Basic realm="x"'),))) is None
    assert challenge_of(Response(401, ((b"WWW-Authenticate", b'Digest realm="r"'),))) is None


def test_the_server_may_hand_out_the_next_nonce() -> None:
    assert next_nonce(Response(200, ((b"Authentication-Info", b'nextnonce="n2", qop=auth'),))) == "n2"
    assert next_nonce(Response(200)) is None
