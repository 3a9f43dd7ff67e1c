"""HMAC signatures: the forms, and what each needs beside the signature."""

import base64

import pytest

from gatecrash.core.auth.families.signed_addresses import ADDRESSES
from gatecrash.core.auth.families.signed_schemes import SCHEMES
from gatecrash.core.auth.families.webhooks import HEADERS
from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Place
from gatecrash.core.auth.schemes.hmac import SCHEME, is_colon_form, is_draft, is_oauth, is_pair_form, judge

HEX = b"0f" * 32
B64 = base64.b64encode(bytes(range(32)))
SAMPLES = {
    "hex": HEX,
    "base64": B64,
    "labelled": b"sha256=" + HEX,
    "timestamped": b"t=1700000000,v1=" + HEX,
    "versioned": b"v1," + B64,
    "key_pair": base64.b64encode(bytes(71)),
    "any": HEX,
    "username_token": b'UsernameToken Username="bob", PasswordDigest="quR/EWLAV4xLf9Zqyw4pDmfV9OY=", Nonce="d36e31", Created="2003"',
}


def judged(word: bytes, value: bytes, name: str = "AUTHORIZATION", *companions: bytes | None) -> Judgement | None:
    return judge(Candidate(Place.HEADER, name, word, value, 8, companions))


@pytest.mark.parametrize("row", HEADERS, ids=lambda row: row.name)
def test_each_vendors_header_takes_its_shape_and_no_other_text(row):
    assert judged(b"", SAMPLES[row.shape], row.name) == Judgement(AuthType.HMAC, True)
    assert judged(b"", b"hello", row.name) in (Judgement(AuthType.HMAC, False), None)


@pytest.mark.parametrize("row", SCHEMES, ids=lambda row: row.word)
def test_each_signed_scheme_needs_key_id_and_signature(row):
    word = row.word.replace("*", "sha256").encode()
    whole = b"key-1:" + B64 if row.form == "colon" else b'id="key-1", signature="' + B64 + b'"'
    assert judged(word, whole) == Judgement(AuthType.HMAC, True)
    for part in (B64, b"key-1", b"key-1:", b'id="key-1"', b'signature="' + B64 + b'"', b":" + B64):
        assert judged(word, part) == Judgement(AuthType.HMAC, False)


IN_ADDRESSES = {
    "digest": HEX,
    "fields": b"exp=1800000000~acl=/*~hmac=" + HEX,
    "dashes": b"1800000000-0-0-" + HEX[:32],
}


@pytest.mark.parametrize("row", ADDRESSES, ids=lambda row: row.name)
def test_each_signed_address_needs_its_form_and_what_stands_beside(row):
    def found(value: bytes, *companions: bytes | None) -> Judgement | None:
        return judge(Candidate(Place.QUERY, row.name, b"", value, 8, companions))

    beside = [b"x"] * len(row.beside)
    assert found(IN_ADDRESSES[row.form], *beside) == Judgement(AuthType.HMAC, True)
    for value in (b"hello", b"", HEX[:31], b"exp=1800000000~acl=/*", b"1800000000-0-0-name"):
        assert found(value, *beside) is None
    for place in range(len(beside)):
        assert found(IN_ADDRESSES[row.form], *beside[:place], None, *beside[place + 1 :]) is None


def test_a_message_signature_needs_a_label_that_its_input_describes():
    signature = b"a=:" + B64 + b":"
    assert judged(b"", signature, "SIGNATURE", b'a=("@method");created=1') == Judgement(AuthType.HMAC, True)
    assert judged(b"", signature, "SIGNATURE", b'b=("@method")') == Judgement(AuthType.HMAC, False)
    assert judged(b"", signature, "SIGNATURE", None) == Judgement(AuthType.HMAC, False)


def test_a_bare_digest_in_signature_is_a_webhooks():
    assert judged(b"", HEX, "SIGNATURE", None) == Judgement(AuthType.HMAC, True)


def test_a_drafts_signature_may_be_of_any_kind_of_key():
    assert is_draft(b'keyId="k",signature="' + base64.b64encode(bytes(256)) + b'"')
    assert not is_draft(b'keyId="k",signature="' + base64.b64encode(bytes(8)) + b'"')
    assert not is_draft(b'keyId="{{key}}",signature="' + B64 + b'"')


def test_the_signature_may_stand_at_any_place_but_the_first():
    assert is_colon_form(b"key:nonce:1700000000:" + B64)
    assert not is_colon_form(B64 + b":key")


def test_pairs_may_be_separated_in_any_way_and_escaped():
    for separator in (b", ", b";", b"&", b" "):
        assert is_pair_form(separator.join((b"Credential=a", b"SignedHeaders=host", b"Signature=" + HEX)))
    assert is_pair_form(b"sr=x&sig=" + B64.replace(b"=", b"%3D").replace(b"/", b"%2f") + b"&skn=k")


def test_oauth_counts_only_where_an_hmac_signs():
    params = {
        b"oauth_consumer_key": b"k",
        b"oauth_nonce": b"n",
        b"oauth_timestamp": b"1",
        b"oauth_signature": B64,
        b"oauth_signature_method": b"HMAC-SHA256",
    }
    assert is_oauth(params)
    assert not is_oauth({**params, b"oauth_signature_method": b"PLAINTEXT"})
    for name in params:
        assert not is_oauth({**params, name: b""})


def test_oauth_before_an_opaque_token_is_left_to_others():
    assert judged(b"oauth", b"y0_AgAAAABk3jdf") is None


@pytest.mark.parametrize(
    ("name", "companions", "expected"),
    [
        ("sig", (b"2024-11-04", b"2026-01-01", None), True),
        ("sig", (None, b"1700000000", b"host/resource"), True),
        ("sig", (None, b"1700000000", None), None),
        ("Signature", (b"AKID", None, None, None, None), True),
        ("Signature", (None, None, None, None, b"K2JC"), False),
        ("Signature", (None, None, None, None, None), None),
        ("Signature", (None, None, None, None, None, b"GOOG1E"), True),
    ],
)
def test_in_the_query_the_companions_decide(name, companions, expected):
    found = judge(Candidate(Place.QUERY, name, b"", B64, 8, companions))
    assert found == (None if expected is None else Judgement(AuthType.HMAC, expected))


def test_a_service_accounts_signature_in_the_query_is_as_long_as_its_key():
    (rule,) = (rule for rule in SCHEME.rules if rule.point[-1] == "Signature")
    beside = tuple(b"a@b.example" if name == "GoogleAccessId" else None for name in rule.companions)
    for length, valid in ((256, True), (40, False)):
        signature = base64.b64encode(bytes(length))
        found = judge(Candidate(Place.QUERY, "Signature", b"", signature, 8, beside))
        assert found == Judgement(AuthType.HMAC, valid)


def test_companions_stand_in_the_order_that_judge_reads():
    rules = {rule.point[-1]: rule.companions for rule in SCHEME.rules if rule.companions}
    assert rules["SIGNATURE"] == ("SIGNATURE-INPUT",)
    assert rules["sig"][:3] == ("sv", "se", "sr")
