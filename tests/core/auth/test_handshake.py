"""Handshakes as dialogues: what is a leg, what is held, what a connection has proven, and that nothing grows."""

import base64
import struct
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.handshake import Handshakes, challenges
from gatecrash.core.auth.recogniser import AUTHORIZATION, compile_recogniser
from gatecrash.core.auth.scheme import AuthType
from gatecrash.core.message import Exchange, Request, Response

RECOGNISER = compile_recogniser()
TYPE_1 = base64.b64encode(b"NTLMSSP\0" + struct.pack("<II", 1, 0) + bytes(24))
TYPE_2 = base64.b64encode(b"NTLMSSP\0" + struct.pack("<II", 2, 0) + bytes(40))
_PARTS = struct.pack("<HHI", 0, 0, 64) + struct.pack("<HHI", 24, 24, 64) + bytes(8) + struct.pack("<HHI", 2, 2, 88)
TYPE_3 = base64.b64encode(b"NTLMSSP\0" + struct.pack("<I", 3) + _PARTS + bytes(20) + bytes(24) + b"a\0")
SPNEGO = base64.b64encode(bytes.fromhex("600a06062b0601050502a000"))
DIGEST = b'Digest username="a", realm="r", nonce="n", uri="/x", response="' + b"0f" * 16 + b'"'
SCRAM_FIRST = b"SCRAM-SHA-256 data=" + base64.b64encode(b"n,,n=user,r=abc")
SCRAM_FINAL = b"SCRAM-SHA-256 sid=A, data=" + base64.b64encode(b"c=biws,r=abc,p=" + base64.b64encode(bytes(32)))


class Dialogue:
    """One source's exchanges, each answered by the numbers of those that count from then on."""

    def __init__(self, connection: str = "c1", **bounds: int) -> None:
        self.handshakes: Handshakes[int] = Handshakes(**bounds)
        self.connection = connection
        self.number = 0

    def say(
        self,
        authorization=None,
        status=200,
        *challenge: bytes,
        target=b"/x",
        connection=None,
        headers=(),
        host="a.example",
    ):
        self.number += 1
        sent = ((b"Authorization", authorization),) if authorization else ()
        answered = tuple((b"WWW-Authenticate", value) for value in challenge)
        response = Response(status, answered + headers) if status else None
        where = self.connection if connection is None else connection
        exchange = Exchange(
            Request("GET", target, sent, host=host), response, started=float(self.number), connection=where
        )
        self.found = self.handshakes.with_proof(exchange, RECOGNISER.recognise(exchange.request))
        return self.handshakes.settle(exchange, self.found, self.number)

    def types(self):
        return [(credential.type, credential.valid) for credential in self.found]


def test_digest_the_first_request_is_a_leg_once_it_is_repeated_with_the_answer():
    talk = Dialogue()
    assert talk.say(None, 401, b'Digest realm="r", nonce="n", qop="auth"') == ()
    assert talk.say(DIGEST, 200) == (2,)
    assert talk.handshakes.release() == ()


def test_digest_a_client_that_walks_away_was_without_credentials():
    talk = Dialogue()
    assert talk.say(None, 401, b'Digest realm="r", nonce="n"') == ()
    assert talk.handshakes.release() == (1,)
    assert talk.say(None, 401, b'Digest realm="r", nonce="n"') == ()
    assert talk.say(None, 200, target=b"/public") == (2, 3)


def test_another_request_with_credentials_is_no_repetition():
    talk = Dialogue()
    talk.say(None, 401, b'Digest realm="r", nonce="n"')
    assert talk.say(DIGEST, 200, target=b"/y") == (1, 2)


def test_an_answer_on_another_connection_is_no_repetition():
    talk = Dialogue()
    talk.say(None, 401, b'Digest realm="r", nonce="n"')
    assert talk.say(DIGEST, 200, connection="c2") == (2,)
    assert talk.handshakes.release() == (1,)


def test_ntlm_both_legs_are_none_of_the_window_and_the_connection_counts_afterwards():
    talk = Dialogue()
    assert talk.say(None, 401, b"Negotiate", b"NTLM") == ()
    assert talk.say(b"NTLM " + TYPE_1, 401, b"NTLM " + TYPE_2) == ()
    assert talk.say(b"NTLM " + TYPE_3, 200) == (3,)
    assert talk.types() == [(AuthType.NTLM, True)]
    assert talk.say(None, 200) == (4,)
    assert talk.types() == [(AuthType.NTLM, True)]
    assert talk.found[0].point == AUTHORIZATION
    assert len(talk.handshakes) == 0


def test_ntlm_inside_negotiate():
    talk = Dialogue()
    assert talk.say(None, 401, b"Negotiate") == ()
    assert talk.say(b"Negotiate " + TYPE_1, 401, b"Negotiate " + TYPE_2) == ()
    assert talk.say(b"Negotiate " + TYPE_3, 200) == (3,)
    talk.say(None, 404)
    assert talk.types() == [(AuthType.NTLM, True)]


def test_a_refused_ntlm_proof_counts_and_proves_nothing():
    talk = Dialogue()
    assert talk.say(b"NTLM " + TYPE_3, 401, b"NTLM") == (1,)
    assert talk.say(None, 200) == (2,)
    assert talk.types() == []


def test_a_401_ends_what_a_connection_had_proven():
    talk = Dialogue()
    talk.say(b"NTLM " + TYPE_3, 200)
    talk.say(None, 401, b"NTLM")
    talk.say(None, 200)
    assert talk.types() == []


def test_negotiate_first_request_leg_and_proof():
    talk = Dialogue()
    assert talk.say(None, 401, b"Negotiate") == ()
    assert talk.say(b"Negotiate " + SPNEGO, 200) == (2,)
    talk.say(None, 200)
    assert talk.types() == [(AuthType.NEGOTIATE, True)]


def test_negotiate_a_token_that_is_answered_with_a_token_is_a_leg_and_a_refused_one_is_not():
    talk = Dialogue()
    assert talk.say(b"Negotiate " + SPNEGO, 401, b"Negotiate oQcwBaADCgEB") == ()
    assert talk.say(b"Negotiate " + SPNEGO, 401, b"Negotiate") == (2,)


def test_what_one_server_was_proven_is_nothing_to_another_behind_the_same_proxy():
    talk = Dialogue()
    talk.say(b"NTLM " + TYPE_3, 200)
    talk.say(None, 200, host="b.example")
    assert talk.types() == []
    talk.say(None, 200)
    assert talk.types() == []


def test_a_server_that_authenticates_each_request_is_believed():
    talk = Dialogue()
    talk.say(b"Negotiate " + SPNEGO, 200, headers=((b"Persistent-Auth", b"false"),))
    talk.say(None, 200)
    assert talk.types() == []


def test_however_many_requests_follow_a_proof_all_of_them_count():
    talk = Dialogue()
    talk.say(b"NTLM " + TYPE_3, 200)
    for number in range(2, 6):
        assert talk.say(None, 200) == (number,)
        assert talk.types() == [(AuthType.NTLM, True)]


def test_who_proves_each_request_of_a_connection_has_not_proven_the_others():
    talk = Dialogue()
    talk.say(b"Negotiate " + SPNEGO, 200)
    talk.say(b"Negotiate " + SPNEGO, 200)
    assert talk.say(None, 200, target=b"/public") == (3,)
    assert talk.types() == []


def test_a_server_that_asks_again_on_a_proven_connection_binds_nothing_to_it():
    talk = Dialogue()
    talk.say(b"NTLM " + TYPE_3, 200)
    assert talk.say(None, 401, b"NTLM") == (), "without credentials, and a leg of the next handshake"
    assert talk.types() == []
    assert talk.say(b"NTLM " + TYPE_1, 401, b"NTLM " + TYPE_2) == ()
    assert talk.say(b"NTLM " + TYPE_3, 200) == (4,)
    talk.say(None, 200, target=b"/public")
    assert talk.types() == []
    talk.say(b"NTLM " + TYPE_3, 200, host="b.example")
    talk.say(None, 200, host="b.example")
    assert talk.types() == [(AuthType.NTLM, True)], "another server is another matter"


def test_who_signs_in_anew_on_a_refused_connection_has_proven_it():
    talk = Dialogue()
    talk.say(b"NTLM " + TYPE_3, 200)
    talk.say(b"NTLM " + TYPE_3, 401, b"NTLM")
    talk.say(b"NTLM " + TYPE_3, 200)
    talk.say(None, 200)
    assert talk.types() == [(AuthType.NTLM, True)]


def test_all_that_a_client_of_project_haystack_says_before_its_proof_is_a_leg():
    talk = Dialogue()
    assert talk.say(b"HELLO username=dXNlcg", 401, b"SCRAM handshakeToken=aabb, hash=SHA-256") == ()
    assert talk.say(SCRAM_FIRST.replace(b"-SHA-256", b""), 401, b"SCRAM handshakeToken=aacc, data=cj0x") == ()
    assert talk.say(SCRAM_FINAL.replace(b"-SHA-256", b""), 200) == (3,)
    assert talk.types() == [(AuthType.SCRAM, True)]


def test_scram_client_first_is_a_leg_and_client_final_counts():
    talk = Dialogue()
    assert talk.say(SCRAM_FIRST, 401, b"SCRAM-SHA-256 sid=A, data=cj0x") == ()
    assert talk.say(SCRAM_FINAL, 200) == (2,)
    assert talk.types() == [(AuthType.SCRAM, True)]
    talk.say(None, 200)
    assert talk.types() == []


def test_without_a_connection_greetings_are_legs_and_nothing_is_held():
    talk = Dialogue(connection="")
    assert talk.say(None, 401, b"Digest realm=r, nonce=n") == (1,)
    assert talk.say(b"NTLM " + TYPE_1, 401, b"NTLM " + TYPE_2) == ()
    assert talk.say(b"NTLM " + TYPE_3, 200) == (3,)
    assert talk.say(None, 200) == (4,)
    assert talk.types() == []


def test_without_answers_nothing_is_a_leg():
    talk = Dialogue()
    assert talk.say(b"NTLM " + TYPE_1, None) == (1,)
    assert talk.say(SCRAM_FIRST, None) == (2,)


def test_a_401_that_offers_no_handshake_counts_at_once():
    talk = Dialogue()
    assert talk.say(None, 401, b'Basic realm="r"', b"Bearer") == (1,)
    assert talk.say(b"Bearer null", 401, b"Digest realm=r, nonce=n") == (2,)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([b"Negotiate, NTLM"], {AuthType.NEGOTIATE: False, AuthType.NTLM: False}),
        ([b'Basic realm="a, Digest b", Digest realm="r", nonce="n"'], {AuthType.DIGEST: False}),
        ([b"NTLM TlRMTVNTUAAC"], {AuthType.NTLM: True}),
        ([b"negotiate oQcwBaADCgEB==", b"scram-sha-256 realm=x"], {AuthType.NEGOTIATE: True, AuthType.SCRAM: False}),
        ([b"Bearer", b""], {}),
    ],
)
def test_challenges(values, expected):
    headers = tuple((b"www-authenticate", value) for value in values)
    assert challenges(Response(401, headers)) == expected


@pytest.mark.parametrize("piece", [b"a ", b",", b"a aaaa", b'"', b"a==", b" \t", b'\\"'])
def test_a_long_hostile_challenge_takes_linear_time(piece):
    start = time.process_time()
    challenges(Response(401, ((b"WWW-Authenticate", b"NTLM " + piece * 10_000),)))
    assert time.process_time() - start < 1


def test_held_and_proven_are_bounded_and_what_makes_room_counts():
    talk = Dialogue(most_held=3, most_proven=3)
    counted = [talk.say(None, 401, b"Digest realm=r", connection=f"c{number}") for number in range(5)]
    assert counted == [(), (), (), (1,), (2,)]
    assert len(talk.handshakes) == 3
    for number in range(10):
        talk.say(b"NTLM " + TYPE_3, 200, connection=f"p{number}")
    talk.say(None, 200, connection="p0")
    assert talk.types() == []
    talk.say(None, 200, connection="p9")
    assert talk.types() == [(AuthType.NTLM, True)]


def test_release_by_time():
    talk = Dialogue()
    talk.say(None, 401, b"Digest realm=r", connection="a")
    talk.say(None, 401, b"Digest realm=r", connection="b")
    assert talk.handshakes.release(before=2.0) == (1,)
    assert talk.handshakes.release() == (2,)


steps = st.tuples(
    st.sampled_from(
        [None, DIGEST, b"NTLM " + TYPE_1, b"NTLM " + TYPE_3, SCRAM_FIRST, SCRAM_FINAL, b"Basic dXNlcjpwYXNz"]
    ),
    st.sampled_from([None, 200, 401, 403]),
    st.lists(
        st.one_of(
            st.sampled_from([b"Digest realm=r", b"NTLM", b"NTLM " + TYPE_2, b"Negotiate"]), st.binary(max_size=20)
        ),
        max_size=2,
    ),
    st.sampled_from(["", "c1", "c2"]),
)


@given(st.lists(steps, max_size=12))
def test_whatever_is_said_nothing_counts_twice_and_only_401s_are_left_out(said):
    talk = Dialogue()
    counted = []
    for authorization, status, challenge, connection in said:
        counted += talk.say(authorization, status, *challenge, connection=connection)
    counted += talk.handshakes.release()
    assert len(counted) == len(set(counted))
    missing = set(range(1, len(said) + 1)) - set(counted)
    assert all(said[number - 1][1] == 401 for number in missing)
