"""The marker: whoever does not hold the run's key cannot hide traffic."""

import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.inventory.marker import Signer, sign_marker, verify_marker

KEY = b"k" * 32
MARKER = sign_marker(KEY, "tr_1", "n1")


def test_a_signed_marker_names_its_run():
    assert verify_marker({"tr_1": KEY}, MARKER) == "tr_1"


def test_a_signers_markers_are_all_different_and_all_name_its_run():
    signer = Signer(KEY, "tr_1", "n1")
    markers = {signer.next() for _ in range(300)}
    assert len(markers) == 300
    assert {verify_marker({"tr_1": KEY}, marker) for marker in markers} == {"tr_1"}
    assert Signer(KEY, "tr_1", "n1").sign() == MARKER


def test_another_key_another_run_and_no_key_do_not_verify():
    assert verify_marker({"tr_1": b"x" * 32}, MARKER) is None
    assert verify_marker({"tr_2": KEY}, MARKER) is None
    assert verify_marker({"tr_1": b""}, MARKER) is None
    assert verify_marker({}, MARKER) is None


@given(st.integers(0, len(MARKER) - 1), st.integers(1, 255))
def test_any_changed_byte_breaks_it(index, change):
    forged = bytearray(MARKER)
    forged[index] ^= change
    assert verify_marker({"tr_1": KEY, "tr_2": KEY}, bytes(forged)) is None


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_refused_and_never_raise(value):
    assert verify_marker({"tr_1": KEY}, value) is None


@pytest.mark.parametrize(
    ("key", "run", "nonce"), [(b"", "tr_1", "n"), (KEY, "a.b", "n"), (KEY, "tr_1", ""), (KEY, "", "n")]
)
def test_what_cannot_be_signed_is_said(key, run, nonce):
    with pytest.raises(ValueError, match="marker"):
        sign_marker(key, run, nonce)


@given(st.binary(min_size=1, max_size=200), st.from_regex(r"[A-Za-z0-9_-]{1,40}", fullmatch=True))
def test_keys_of_any_length_sign(key, nonce):
    assert verify_marker({"tr_1": key}, sign_marker(key, "tr_1", nonce)) == "tr_1"


def test_a_marker_of_a_node_of_the_first_version_is_still_known():
    body = b"1.tr_1.n1"
    mac = hmac.new(KEY, b"gatecrash marker\x00" + body, "sha256").hexdigest().encode()
    assert verify_marker({"tr_1": KEY}, b"%b.%b" % (body, mac)) == "tr_1"
    assert verify_marker({"tr_1": KEY}, b"2%b.%b" % (body[1:], mac)) is None
