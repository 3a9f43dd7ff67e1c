"""DNS queries and their answers for one delegated zone, as bytes (RFC 1035 section 4).

A small reader of our own: one question a packet, no compression in questions, and of all record types only A, NS and SOA are
ever answered with something. Every name below the zone exists and has the listener's address, at once and for nobody's
cache: a target that asks twice is to be heard twice.
"""

import ipaddress
import struct
from typing import NamedTuple

_HEADER = struct.Struct("!HHHHHH")
_FIXED = struct.Struct("!HHIH")
A, NS, SOA, ANY = 1, 2, 6, 255
_INTERNET = 1
_RESPONSE, _AUTHORITATIVE, _RECURSION_DESIRED, _OPCODE = 0x8000, 0x0400, 0x0100, 0x7800
_REFUSED, _NOT_IMPLEMENTED = 5, 4
# RFC 2308: how long "there is no such record" may be remembered.
_SECONDS = 1
# A pointer to the name in the question, which begins behind the header (RFC 1035 section 4.1.4).
_QUESTION = b"\xc0\x0c"
_LONGEST_LABEL = 63
_MOST_LABELS = 127


class Question(NamedTuple):
    """What a packet asks. name: in lower case, without a final dot. end: where the question ends in the packet."""

    number: int
    flags: int
    name: str
    kind: int
    end: int


def read_question(packet: bytes) -> Question | None:
    """The question of a query; None for anything else: an answer, no or several questions, a broken name."""
    if len(packet) < _HEADER.size:
        return None
    number, flags, questions, *_ = _HEADER.unpack_from(packet)
    if flags & _RESPONSE or questions != 1:
        return None
    labels: list[str] = []
    at = _HEADER.size
    while at < len(packet) and packet[at]:
        length = packet[at]
        label = packet[at + 1 : at + 1 + length]
        if length > _LONGEST_LABEL or len(label) < length or len(labels) == _MOST_LABELS:
            return None
        labels.append(label.decode("ascii", "backslashreplace").lower())
        at += 1 + length
    if len(packet) < at + 5:
        return None
    kind, class_ = struct.unpack_from("!HH", packet, at + 1)
    return Question(number, flags, ".".join(labels), kind, at + 5) if class_ == _INTERNET else None


def answer(packet: bytes, question: Question, zone: str, address: str) -> bytes:
    """The answer to a query. address: the listener's, as targets reach it; an A record only where it is an IPv4 one."""
    zone = zone.lower()
    if question.flags & _OPCODE:
        return _message(packet, question, code=_NOT_IMPLEMENTED)
    if question.name != zone and not question.name.endswith("." + zone):
        return _message(packet, question, code=_REFUSED)
    records = list(_records(question, zone, address))
    if records:
        return _message(packet, question, answers=records)
    return _message(packet, question, authority=[_record(_name(zone), SOA, _authority(zone))])


def _records(question: Question, zone: str, address: str) -> list[bytes]:
    is_zone = question.name == zone
    records = []
    if question.kind in (A, ANY) and (four := _ipv4(address)) is not None:
        records.append(_record(_QUESTION, A, four))
    if is_zone and question.kind == NS:
        records.append(_record(_QUESTION, NS, _name("ns." + zone)))
    if is_zone and question.kind == SOA:
        records.append(_record(_QUESTION, SOA, _authority(zone)))
    return records


def _message(
    packet: bytes,
    question: Question,
    *,
    code: int = 0,
    answers: list[bytes] | None = None,
    authority: list[bytes] | None = None,
) -> bytes:
    flags = _RESPONSE | _AUTHORITATIVE | (question.flags & (_RECURSION_DESIRED | _OPCODE)) | code
    counts = (1, len(answers or ()), len(authority or ()), 0)
    header = _HEADER.pack(question.number, flags, *counts)
    # The question goes back letter by letter: resolvers mix its case and compare (draft-vixie-dnsext-dns0x20).
    return b"".join((header, packet[_HEADER.size : question.end], *(answers or ()), *(authority or ())))


def _record(name: bytes, kind: int, data: bytes) -> bytes:
    return name + _FIXED.pack(kind, _INTERNET, _SECONDS, len(data)) + data


def _authority(zone: str) -> bytes:
    numbers = struct.pack("!IIIII", 1, 3600, 600, 86400, _SECONDS)
    return _name("ns." + zone) + _name("hostmaster." + zone) + numbers


def _name(text: str) -> bytes:
    return b"".join(bytes((len(label),)) + label.encode("ascii") for label in text.split(".")) + b"\x00"


def _ipv4(address: str) -> bytes | None:
    try:
        return ipaddress.IPv4Address(address).packed
    except ValueError:
        return None
