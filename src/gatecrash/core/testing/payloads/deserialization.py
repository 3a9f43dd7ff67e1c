"""Payloads of `deserialization`: the value with something harmless before or beside it that only a loader of objects does.

Nothing here runs a program, opens a file or a connection: lengths of texts are taken, moments are waited for, dates are
made wrongly, classes are looked for that do not exist.
"""

import base64
import binascii
import re
from typing import NamedTuple
from urllib.parse import quote, unquote

from gatecrash.core.testing.payloads.java_objects import is_xml_decoder

PYTHON, YAML, PHP, JAVA, DOTNET, RUBY = "Python pickle", "YAML", "PHP", "Java", ".NET", "Ruby Marshal"
# Objects of JSON whose texts may be functions: node-serialize, funcster and what was written after them.
NODE = "JSON with functions"
# A document of calls, which java.beans.XMLDecoder carries out.
XML_DECODER = "Java's XMLDecoder"
# A text that the server writes into a document of YAML before it reads it.
WITHIN_YAML = "text in YAML"
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-f]{2}){4,}|(?:[0-9A-F]{2}){4,}")
_ESCAPED = re.compile(r"%[0-9A-Fa-f]{2}")
# How many elements there are, and the name of the first.
_PHP_BEGINNING = re.compile(rb'\A(a:|O:\d+:"[^"]+":)(\d+):\{(i:-?\d+;|s:\d+:"[^"]*";)?')
_OBJECT = re.compile(rb"\s*\{\s*\"(?:[^\"\\]|\\.)*\"\s*:.*\}\s*", re.DOTALL)
_PHP = re.compile(rb"a:\d+:\{.*\}|O:\d+:\"[^\"]+\":\d+:\{.*\}", re.DOTALL)
_YAML = re.compile(
    rb"(?:---\s*\n)?[A-Za-z_][\w-]*:[ \t]?[^\n]*\n(?:(?:[A-Za-z_][\w-]*:|[ \t]+(?:[\w-]+:|- )|- |[ \t]*#)[^\n]*(?:\n|\Z)|\n)+"
    rb"|(?:---\s*\n)?[A-Za-z_][\w-]*: [^\n{}\[\]]+\n?"
    rb"|(?:---\s*\n)?(?:- [^\n]*(?:\n(?:  [^\n]*(?:\n|\Z)|\n)*|\Z)){2,}"
    rb"|(?:---\s*\n)?- [\w-]+:[^\n]*\n(?:  (?:[\w-]+:|  |- )[^\n]*(?:\n|\Z))+"
)
# A list, a hash, or an object behind the name of its class; and how many entries or variables. Small counts are one byte,
# five more than they say (Ruby's marshal.c, w_long).
_RUBY_BEGINNING = re.compile(rb"\A\x04\x08(\[|\{|o:[\x06-\x7e][\w:]+)([\x06-\x7e])", re.DOTALL)
_FIRST_TEXT = re.compile(rb"^(?:- |[A-Za-z_][\w-]*: )(?=[A-Za-z])", re.MULTILINE)
_FIRST_NAME = re.compile(rb"\A(?:---\s*\n)?([A-Za-z_][\w-]*:)")


class Holding(NamedTuple):
    """A value that holds serialised objects. kind: of which loader. data: the bytes themselves. coded: whether in base64.

    escaped: whether its signs stand as percent escapes, as Express and PHP write them into cookies. hexed: whether in
    hexadecimal digits. quoted: whether in double quotes, as Python writes cookies that end in an equals sign.
    """

    kind: str
    data: bytes
    coded: bool
    escaped: bool = False
    hexed: bool = False
    quoted: bool = False


def holding(value: bytes) -> Holding | None:
    """What a value holds by its look; None where no loader of objects is likely."""
    if len(value) > 2 and value[:1] == value[-1:] == b'"':
        within = holding(value[1:-1])
        return within._replace(quoted=True) if within is not None and within.coded else None
    kind = _kind(value)
    if kind:
        return Holding(kind, value, coded=False)
    text = value.decode("ascii", "replace").strip()
    escaped = _ESCAPED.search(text) is not None
    if escaped:
        text = unquote(text)
        if _OBJECT.fullmatch(text.encode()):
            return Holding(NODE, text.encode(), coded=False, escaped=True)
    if _HEX.fullmatch(text) and _kind(bytes.fromhex(text)) not in ("", YAML):
        return Holding(_kind(bytes.fromhex(text)), bytes.fromhex(text), coded=False, hexed=True)
    if not _BASE64.fullmatch(text):
        return None
    try:
        data = base64.b64decode(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4))
    except (ValueError, binascii.Error):
        return None
    kind = _kind(data)
    return Holding(kind, data, coded=True, escaped=escaped) if kind and kind != YAML else None


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
    if is_xml_decoder(data):
        return XML_DECODER
    if _OBJECT.fullmatch(data):
        return NODE
    return YAML if _YAML.fullmatch(data) else ""


def coded(data: bytes, like: Holding) -> bytes:
    """The data as the value held it."""
    held = base64.b64encode(data) if like.coded else data.hex().encode() if like.hexed else data
    held = quote(held, safe="").encode() if like.escaped else held
    return b'"' + held + b'"' if like.quoted else held


def python(data: bytes, mark: str, *, known: bool) -> bytes:
    """The pickle behind a call of `len` whose result is dropped; known: else of a function that does not exist."""
    name = "len" if known else mark
    return f"cbuiltins\n{name}\n(V{mark}\ntR0".encode() + data


def yaml(data: bytes, mark: str, *, known: bool) -> bytes:
    """The document with one more name, whose value is the length of a text."""
    name = "len" if known else mark
    return _beside(data, mark, f"!!python/object/apply:builtins.{name} [{mark}]")


def yaml_loaded(data: bytes, mark: str, *, known: bool) -> bytes:
    """The document itself, as what PyYAML's own loader makes of its bytes: all that is told of it stays as it was.

    The mark is a comment in it, so that no two are one text: another test may have made that known.
    """
    return _made_of(f"# {mark}\n".encode() + data, "yaml." + ("safe_load" if known else mark), "")


def within_yaml(data: bytes, mark: str, *, known: bool) -> bytes:
    """The value itself, as what a call gives that makes a text of its bytes; known: else a function that does not exist.

    The mark names what to do about bytes that are no UTF-8, which Python does not look up before it meets one. Without it
    all that hold would be one text, which another test may have made known: an account of that name, say.
    """
    return _made_of(data, "builtins." + ("str" if known else mark), f", utf-8, {mark}")


def _made_of(data: bytes, name: str, behind: str) -> bytes:
    return f"!!python/object/apply:{name} [!!binary {base64.b64encode(data).decode()}{behind}]".encode()


def yaml_of_ruby(data: bytes, mark: str, *, known: bool) -> bytes:
    """The document with an object of a class that has nothing (Psych), or of none, under the name of the first entry,
    which stands behind it once more and is kept: how many there are stays as it was.
    """
    name = "Object" if known else "X" + mark
    value = f"!ruby/object:{name} {{}}"
    first = _FIRST_NAME.match(data)
    if first is None:
        return _beside(data, mark, value)
    return data[: first.start(1)] + first[1] + f" {value}\n".encode() + data[first.start(1) :]


def yaml_of_java(data: bytes, mark: str, *, known: bool) -> bytes:
    """The first text of the document, made by the constructor of its class (SnakeYAML), or of a class that does not exist."""
    name = "String" if known else "X" + mark
    first = _FIRST_TEXT.search(data)
    if first is None:
        return _beside(data, mark, f"!!java.lang.{name} '{mark}'")
    return data[: first.end()] + f"!!java.lang.{name} ".encode() + data[first.end() :]


def yaml_of_javascript(data: bytes, mark: str, *, known: bool) -> bytes:
    """The same with a function that does nothing (js-yaml's full schema), and that nobody calls."""
    name = "function" if known else "f" + mark
    return _beside(data, mark, f"!!js/{name} 'function(){{}}'")


def python_waiting(data: bytes, mark: str, units: int, *, decoy: bool) -> bytes:
    """The pickle behind a call that waits so many seconds, and whose result is dropped. decoy: of no such function."""
    name = mark if decoy else "sleep"
    return f"ctime\n{name}\n(I{units}\ntR0".encode() + data


def yaml_waiting(data: bytes, mark: str, units: int, *, decoy: bool) -> bytes:
    """The document with one more name, whose value is made by a call that waits."""
    name = mark if decoy else "sleep"
    return _beside(data, mark, f"!!python/object/apply:time.{name} [{units}]")


def _beside(data: bytes, mark: str, value: str) -> bytes:
    """The document with one more name and its value, or one more entry of its list."""
    document = data.rstrip(b"\r\n")
    name = "-" if document.removeprefix(b"---").lstrip().startswith(b"- ") else f"x{mark}:"
    return document + f"\n{name} {value}\n".encode()


def php(data: bytes, mark: str, *, known: bool) -> bytes:
    """One more element: a date that is none where classes are made, and nothing where they are not; else an unknown class.

    Of a list it is the first twice, of which the later is kept: how many there are stays as it was. An object's properties
    may be of a type that takes nothing else, so that there it is one of its own.
    """
    name = b"DateTimeZonf" if known else b"DateTimeZone"
    found = _PHP_BEGINNING.match(data)
    if found is None:
        return data
    added = b'O:12:"%s":0:{}' % name
    head = b"%s%d:{" % (found[1], int(found[2]) + 1)
    if found[3] and found[1] == b"a:":
        return head + found[3] + added + data[found.start(3) :]
    return head + data[found.end(2) + 2 : -1] + f's:{len(mark)}:"{mark}";'.encode() + added + b"}"


def node(data: bytes, mark: str, *, known: bool) -> bytes:
    """One more member: a text that loaders of functions call at once. known: else it calls a function that does not exist."""
    name = "isNaN" if known else f"is{mark[:3]}"
    return _member(data, mark, f"\"_$$ND_FUNC$$_function(){{return {name}('{mark}')}}()\"")


def jsonpickle(data: bytes, mark: str, *, known: bool) -> bytes:
    """One more member, made by a call (jsonpickle): the length of letters, or the number they are not."""
    name = "len" if known else "int"
    return _member(data, mark, f'{{"py/reduce":[{{"py/type":"builtins.{name}"}},{{"py/tuple":["{mark}"]}}]}}')


def _member(data: bytes, mark: str, value: str) -> bytes:
    head, _, rest = data.partition(b"{")
    return head + f'{{"x{mark}":{value},'.encode() + rest.lstrip()


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


def ruby_pair(data: bytes, mark: str, *, known: bool) -> bytes:
    """A list or hash of Ruby with one more entry behind all others, or an object with one more variable, so that what
    they refer to stays where it was: an object of a class that has nothing, or of none. Other streams as they are:
    nothing can be told by them.
    """
    found = _RUBY_BEGINNING.match(data)
    if found is None or (found[1][:1] == b"o" and len(found[1]) != found[1][2] - 2):
        return data
    kind, count = found[1][:1], found[2]
    name = b"Object" if known else b"X" + mark.encode()
    entry = b"o:" + _ruby_text(name) + b"\x00"
    key = {b"{": b'"' + _ruby_text(mark.encode()), b"o": b":" + _ruby_text(b"@" + mark.encode())}.get(kind, b"")
    return data[: found.start(2)] + bytes([count[0] + 1]) + data[found.end() :] + key + entry


def _ruby_text(text: bytes) -> bytes:
    return bytes([len(text) + 5]) + text
