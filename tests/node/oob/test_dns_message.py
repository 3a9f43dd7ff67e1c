"""Queries as resolvers send them, and what they are answered for the delegated zone."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.node.oob.dns_message import NS, SOA, A, answer, read_question

ZONE = "oob.example.com"


def query(name: str, kind: int = A, *, flags: int = 0x0100, questions: int = 1, extra: bytes = b"") -> bytes:
    labels = b"".join(bytes((len(label),)) + label.encode() for label in name.split(".") if label)
    return (
        struct.pack("!HHHHHH", 4711, flags, questions, 0, 0, 0) + labels + b"\0" + struct.pack("!HH", kind, 1) + extra
    )


def answered(packet: bytes, address: str = "192.0.2.9") -> tuple[int, int, int, bytes]:
    """Code, answers, authorities, and all that stands behind the question."""
    question = read_question(packet)
    assert question is not None
    said = answer(packet, question, ZONE, address)
    number, flags, questions, answers, authorities, _ = struct.unpack_from("!HHHHHH", said)
    assert (number, questions, bool(flags & 0x8000)) == (4711, 1, True)
    assert said[12 : question.end] == packet[12 : question.end], "the question goes back letter by letter"
    return flags & 0xF, answers, authorities, said[question.end :]


def test_every_name_of_the_zone_has_the_address_and_for_a_moment_only():
    code, answers, _, rest = answered(query("AbC." + ZONE.upper()))
    assert (code, answers) == (0, 1)
    pointer, kind, class_, seconds, length = struct.unpack_from("!HHHIH", rest)
    assert (pointer, kind, class_, length) == (0xC00C, 1, 1, 4)
    assert seconds <= 1
    assert rest[12:] == bytes((192, 0, 2, 9))


def test_the_zone_has_a_name_server_and_an_authority():
    assert answered(query(ZONE, NS))[1] == 1
    assert answered(query(ZONE, SOA))[1] == 1
    assert answered(query("ns." + ZONE))[1] == 1


@pytest.mark.parametrize("kind", [28, 16, 15, 65, NS])
def test_other_records_do_not_exist_which_is_no_error(kind: int):
    """RFC 2308 section 2.2: no error, no answer, and the zone's SOA."""
    assert answered(query("abc." + ZONE, kind))[:3] == (0, 0, 1)


def test_without_an_ipv4_address_there_is_no_record():
    assert answered(query("abc." + ZONE), "::1")[:3] == (0, 0, 1)


def test_other_zones_are_refused():
    for name in ("example.com", "oob.example.com.evil.org", "xoob.example.com"):
        assert answered(query(name))[:3] == (5, 0, 0)


def test_another_operation_is_not_implemented():
    assert answered(query(ZONE, flags=0x2800))[0] == 4


def test_what_follows_the_question_is_left_out():
    """EDNS: an answer without an OPT record says that it is not spoken here (RFC 6891 section 7)."""
    opt = b"\0\0\x29\x04\xd0\0\0\0\0\0\0"
    assert answered(query("abc." + ZONE, extra=opt))[1] == 1


@pytest.mark.parametrize(
    "packet",
    [
        b"",
        b"\0" * 11,
        query(ZONE, flags=0x8180),
        query(ZONE, questions=0),
        query(ZONE, questions=2),
        query(ZONE)[:-3],
        query(ZONE)[:20],
        query(ZONE)[:12] + b"\xc0\x0c\0\1\0\1",
        query(ZONE)[:12] + b"\x01a" * 200 + b"\0\0\1\0\1",
        query(ZONE)[:-2] + b"\0\3",
    ],
)
def test_what_is_no_question_is_not_answered(packet: bytes):
    assert read_question(packet) is None


@given(st.binary(max_size=80))
def test_no_packet_breaks_it(rest: bytes):
    packet = struct.pack("!HHHHHH", 4711, 0x0100, 1, 0, 0, 0) + rest
    question = read_question(packet)
    if question is not None:
        assert answer(packet, question, ZONE, "192.0.2.9")
