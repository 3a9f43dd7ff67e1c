"""Payloads of `deserialization`: the value with something harmless before or beside it that only a loader of objects does.

Nothing here runs a program, opens a file or a connection: lengths of texts are taken, moments are waited for, dates are
made wrongly, classes are looked for that do not exist.
"""

import base64
import binascii
import re
from typing import NamedTuple

PYTHON, YAML, PHP, JAVA, DOTNET, RUBY = "Python pickle", "YAML", "PHP", "Java", ".NET", "Ruby Marshal"
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
_PHP = re.compile(rb"a:\d+:\{.*\}|O:\d+:\"[^\"]+\":\d+:\{.*\}", re.DOTALL)
_YAML = re.compile(
    rb"(?:---\s*\n)?(?:[A-Za-z_][\w-]*:[ \t]?[^\n]*\n?){2,}|(?:---\s*\n)?[A-Za-z_][\w-]*: [^\n{}\[\]]+\n?"
)


class Holding(NamedTuple):
    """A value that holds serialised objects. kind: of which loader. data: the bytes themselves. coded: whether in base64."""

    kind: str
    data: bytes
    coded: bool


def holding(value: bytes) -> Holding | None:
    """What a value holds by its look; None where no loader of objects is likely."""
    kind = _kind(value)
    if kind:
        return Holding(kind, value, coded=False)
    text = value.decode("ascii", "replace").strip()
    if not _BASE64.fullmatch(text):
        return None
    try:
        data = base64.b64decode(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4))
    except (ValueError, binascii.Error):
        return None
    kind = _kind(data)
    return Holding(kind, data, coded=True) if kind and kind != YAML else None


def _kind(data: bytes) -> str:
    """By its first bytes: the pickle protocol, the stream's magic, the record's header; text forms by their grammar."""
    if len(data) > 3 and data[0] == 0x80 and data[1] in range(2, 6) and data.rstrip(b"\n").endswith(b"."):
        return PYTHON
    if data.startswith(b"\xac\xed\x00\x05"):
        return JAVA
    if data.startswith(b"\x00\x01\x00\x00\x00\xff\xff\xff\xff"):
        return DOTNET
    if data.startswith(b"\x04\x08") and len(data) > 3:
        return RUBY
    if _PHP.fullmatch(data):
        return PHP
    return YAML if _YAML.fullmatch(data) else ""


def coded(data: bytes, like: Holding) -> bytes:
    """The data as the value held it."""
    return base64.b64encode(data) if like.coded else data


def python(data: bytes, mark: str, *, known: bool) -> bytes:
    """The pickle behind a call of `len` whose result is dropped; known: else of a function that does not exist."""
    name = "len" if known else mark
    return f"cbuiltins\n{name}\n(V{mark}\ntR0".encode() + data


def yaml(data: bytes, mark: str, *, known: bool) -> bytes:
    """The document with one more name, whose value is the length of a text."""
    name = "len" if known else mark
    return data.rstrip(b"\n") + f"\nx{mark}: !!python/object/apply:builtins.{name} [{mark}]\n".encode()


def python_waiting(data: bytes, mark: str, units: int, *, decoy: bool) -> bytes:
    """The pickle behind a call that waits so many seconds, and whose result is dropped. decoy: of no such function."""
    name = mark if decoy else "sleep"
    return f"ctime\n{name}\n(I{units}\ntR0".encode() + data


def yaml_waiting(data: bytes, mark: str, units: int, *, decoy: bool) -> bytes:
    """The document with one more name, whose value is made by a call that waits."""
    name = mark if decoy else "sleep"
    return data.rstrip(b"\n") + f"\nx{mark}: !!python/object/apply:time.{name} [{units}]\n".encode()


def php(data: bytes, mark: str, *, known: bool) -> bytes:
    """One more element: a date that is none where classes are made, and nothing where they are not; else an unknown class."""
    name = "DateTimeZonf" if known else "DateTimeZone"
    counted = re.compile(rb'\A(a:|O:\d+:"[^"]+":)(\d+):\{')
    found = counted.match(data)
    if found is None:
        return data
    more = f's:{len(mark)}:"{mark}";O:{len(name)}:"{name}":0:{{}}'.encode()
    return b"%s%d:{" % (found[1], int(found[2]) + 1) + data[found.end() : -1] + more + b"}"


def java(mark: str) -> bytes:
    """A stream of one object without fields, of a class that does not exist (Java Object Serialization, section 6.4)."""
    name = f"x.{mark}".encode()
    described = (
        b"\x73\x72" + len(name).to_bytes(2, "big") + name + b"\x00" * 7 + b"\x01" + b"\x02" + b"\x00\x00" + b"\x78\x70"
    )
    return b"\xac\xed\x00\x05" + described


def dotnet(mark: str) -> bytes:
    """A stream that names a library which does not exist (MS-NRBF, sections 2.6.1, 2.6.2 and 2.3.2.1)."""

    def text(value: str) -> bytes:
        return bytes([len(value)]) + value.encode()

    header = b"\x00\x01\x00\x00\x00\xff\xff\xff\xff\x01\x00\x00\x00\x00\x00\x00\x00"
    library = b"\x0c\x02\x00\x00\x00" + text(f"{mark}, Version=1.0.0.0")
    made = b"\x05\x01\x00\x00\x00" + text(f"{mark}.Thing") + b"\x00\x00\x00\x00\x02\x00\x00\x00\x0b"
    return header + library + made


def ruby(mark: str) -> bytes:
    """An object of a class that does not exist."""
    name = "X" + mark
    return b"\x04\x08o:" + bytes([len(name) + 5]) + name.encode() + b"\x00"
