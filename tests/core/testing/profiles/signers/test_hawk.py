"""Hawk against the example of its own specification."""

from gatecrash.core.message import Request
from gatecrash.core.testing.profiles.moment import Moment
from gatecrash.core.testing.profiles.signers.hawk import Hawk, points, sign

KEYS = Hawk(
    key_id="dh37fgj492je", key="werxhqb98rpaxn39848xrunpaw3489ruxnpa98w4rxn", ext="some-app-ext-data", hash_body=False
)
NOW = Moment(now=1353832234.5, nonce="j4h3g2")
HOST = (b"Host", b"example.com:8000")


def test_the_example_without_a_body_gives_its_mac() -> None:
    signed = sign(KEYS, Request("GET", b"/resource/1?b=1&a=2", (HOST,)), NOW)
    assert signed.first(b"Authorization") == (
        b'Hawk id="dh37fgj492je", ts="1353832234", nonce="j4h3g2", ext="some-app-ext-data", '
        b'mac="6R4rV5iE+NPoym+WwjeHzjAGXUtLNIxmo1vpMofpLAE="'
    )


def test_the_example_with_a_body_gives_its_hash_and_mac() -> None:
    config = Hawk(key_id=KEYS.key_id, key=KEYS.key, ext=KEYS.ext)
    headers = (HOST, (b"Content-Type", b"text/plain"))
    signed = sign(config, Request("POST", b"/resource/1?b=1&a=2", headers, b"Thank you for flying Hawk"), NOW)
    value = signed.first(b"Authorization") or b""
    assert b'hash="Yi9LfIIFRtBEPt74PVmbTF/xVAwPn7ub15ePICfgnuY="' in value
    assert b'mac="aSe1DERmZuRl3pI36/9BdZmnErTw3sNzOOAUlfeKjVw="' in value


def test_the_port_is_the_schemes_where_the_host_names_none() -> None:
    plain = [sign(KEYS, Request("GET", b"/", ((b"Host", host),)), NOW) for host in (b"example.com", b"example.com:80")]
    values = {request.first(b"Authorization") for request in plain}
    assert len(values) == 1


def test_an_older_signature_is_replaced() -> None:
    once = sign(KEYS, Request("GET", b"/", (HOST,)), NOW)
    assert sign(KEYS, once, NOW) == once
    assert points(KEYS) == (("header", "AUTHORIZATION"),)
