"""Values with a signature below what they say: read as frameworks write them, and written anew."""

import base64
import hashlib
import hmac
import json
import re
from random import Random
from urllib.parse import quote, unquote_to_bytes

import pytest
from django.core import signing
from tests.range.sessions_made import filled, hashed, of_filled, of_hashed, of_timed, timed

from gatecrash.core.testing.authorization.tokens.signed_values import looks_signed, weakly_signed

WORDS = (b"dev", b"supersecret")
ANN = {"user": "ann"}
DATA = base64.b64encode(json.dumps(ANN).encode())
SALT = "django.contrib.sessions.backends.signed_cookies"


def keygrip(word: bytes, said: bytes) -> bytes:
    """What stands in the cookie beside: `session.sig`."""
    return base64.urlsafe_b64encode(hmac.digest(word, b"session=" + said, "sha1")).rstrip(b"=")


def express(word: bytes, said: str) -> bytes:
    sign = base64.b64encode(hmac.digest(word, said.encode(), "sha256")).rstrip(b"=").decode()
    return quote(f"s:{said}.{sign}", safe="").encode()


def rack(word: bytes) -> bytes:
    return DATA + b"--" + hmac.digest(word, DATA, "sha1").hex().encode()


def django(word: str) -> bytes:
    return signing.TimestampSigner(key=word, salt=SALT).sign_object(ANN).encode()


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_said_anew_is_read_as_the_same_by_who_wrote_it(word, seed):
    flask = weakly_signed("session", timed(word, ANN), WORDS)
    assert (flask.word, of_timed(word, flask.anew(Random(seed)))) == (word, ANN)
    own = weakly_signed("own", hashed(word, ANN), WORDS)
    assert (own.word, of_hashed(word, own.anew(Random(seed)))) == (word, ANN)
    signer = signing.TimestampSigner(key=word.decode(), salt=SALT)
    session = weakly_signed("sessionid", django(word.decode()), WORDS)
    assert (session.word, signer.unsign_object(session.anew(Random(seed)).decode())) == (word, ANN)


@pytest.mark.parametrize(
    "value",
    [
        rack(b"dev"),
        express(b"dev", 'j:{"user":"ann"}'),
        filled(b"session", b"dev", ANN),
        DATA + b"." + keygrip(b"dev", DATA),
        timed(b"dev", ANN),
        hashed(b"dev", ANN),
    ],
)
def test_what_is_said_anew_is_another_text_with_another_signature(value):
    signed = weakly_signed("session", value, WORDS)
    made = signed.anew(Random(1))
    assert made != value
    assert weakly_signed("session", made, WORDS).word == b"dev"
    assert weakly_signed("session", signed.garbled, WORDS) is None
    assert len(signed.garbled) == len(value) or b"%" in value


@pytest.mark.parametrize("length", [20, 60, 61, 62])
@pytest.mark.parametrize("seed", range(3))
def test_sessions_that_were_filled_up_stay_as_long_as_they_were(length, seed):
    session = filled(b"session", b"dev", ANN, length)
    made = weakly_signed("session", session, WORDS).anew(Random(seed))
    assert of_filled(b"session", b"dev", made) == ANN
    assert made != session
    assert len(made) == len(session)


@pytest.mark.parametrize("name", [b"ann", b"anna", b"annie"])
@pytest.mark.parametrize("seed", range(3))
def test_behind_an_object_of_ruby_stands_what_is_not_read(name, seed):
    marshalled = b'\x04\x08{\x06I"\x09user\x06:\x06ETI"' + bytes([len(name) + 5]) + name + b"\x06;\x00T"
    said = base64.b64encode(marshalled)
    value = quote(said + b"--" + hmac.digest(b"dev", said, "sha1").hex().encode(), safe="").encode()
    anew = weakly_signed("shop.session", value, WORDS).anew(Random(seed))
    text, _, signature = unquote_to_bytes(anew).partition(b"--")
    assert signature == hmac.digest(b"dev", text, "sha1").hex().encode()
    assert text != said
    assert re.fullmatch(re.escape(marshalled) + b"0{1,9}", base64.b64decode(text))


def securecookie(word: bytes, name: bytes) -> bytes:
    said = b"1796034000|" + base64.urlsafe_b64encode(b"\x0d\xff\x81\x04\x01\x02\xff\x82\x00uid")
    return base64.urlsafe_b64encode(said + b"|" + hmac.digest(word, name + b"|" + said, "sha256"))


@pytest.mark.parametrize("seed", range(3))
def test_a_session_of_gos_is_signed_some_seconds_earlier(seed):
    value = securecookie(b"dev", b"shop")
    signed = weakly_signed("shop", value, WORDS)
    time, data, signature = base64.urlsafe_b64decode(signed.anew(Random(seed))).split(b"|", 2)
    assert 1796033960 <= int(time) < 1796034000
    assert data == base64.urlsafe_b64decode(value).split(b"|")[1]
    assert signature == hmac.digest(b"dev", b"shop|" + time + b"|" + data, "sha256")
    assert weakly_signed("other", value, WORDS) is None
    assert weakly_signed("shop", securecookie(b"8f1c0e77", b"shop"), WORDS) is None


def test_what_can_be_said_in_one_way_only_is_not_said_anew():
    said = b"ann|" + hashlib.md5(b"ann" + b"dev", usedforsecurity=False).hexdigest().encode()
    signed = weakly_signed("user", said, WORDS)
    assert signed.anew(Random(1)) is None
    assert b"ann" in signed.said


@pytest.mark.parametrize(
    "value", [rack(b"8f1c0e77"), timed(b"8f1c0e77", ANN), django("8f1c0e77")], ids=["rack", "flask", "django"]
)
def test_what_no_common_word_has_signed_is_none(value):
    assert looks_signed("session", value)
    assert weakly_signed("session", value, WORDS) is None


@pytest.mark.parametrize("value", [b"", b"dark", b"5d0c11e7a9b34f20", b"en.de", b"a.b.c", b"\xff\xfe.\xff", b"1.2.3.4"])
def test_what_has_no_signature_has_none(value):
    assert not looks_signed("theme", value)
