"""Requests as clients really send them, and as nobody should, for property tests."""

import base64
import gzip
import json
import urllib.parse

from hypothesis import strategies as st

from gatecrash.core.message import Headers, Request

WORDS = st.sampled_from(["id", "q", "user", "token", "name", "sort", "a", "b", "page[size]", "tags[]", "ä"])
TEXTS = st.one_of(
    st.sampled_from(
        ["1", "true", "", "anna@example.org", "2024-01-01", "O'Brien & co", "naïve", "%41", "a=b&c=d", "[1]", "{}"]
    ),
    st.text(max_size=12),
)


@st.composite
def tokens(draw: st.DrawFn) -> str:
    """A signed token with claims of its own."""
    claims = draw(st.dictionaries(WORDS, TEXTS, max_size=3))
    pieces = [b'{"alg":"HS256"}', json.dumps(claims).encode(), draw(st.binary(min_size=4, max_size=32))]
    return ".".join(base64.urlsafe_b64encode(piece).rstrip(b"=").decode() for piece in pieces)


def packed(text: str) -> str:
    """Text in base64."""
    return base64.b64encode(text.encode()).decode()


DOCUMENTS = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), TEXTS, st.just(packed('{"inner": "value"}'))),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=3)),
    max_leaves=8,
)


@st.composite
def json_texts(draw: st.DrawFn) -> bytes:
    """A document, its members now and then repeated, in one of several layouts."""
    members = draw(st.lists(st.tuples(WORDS, DOCUMENTS), max_size=4))
    ascii_only = draw(st.booleans())
    comma, colon = draw(st.sampled_from([(",", ":"), (", ", ": "), (" ,\n\t", " :\r\n")]))
    written = [
        f"{json.dumps(k, ensure_ascii=ascii_only)}{colon}{json.dumps(v, ensure_ascii=ascii_only)}" for k, v in members
    ]
    blank = draw(st.sampled_from(["", " ", "\n"]))
    return f"{blank}{{{blank}{comma.join(written)}}}{blank}".encode("utf-8", "surrogatepass")


VALUES = st.one_of(
    TEXTS, st.builds(packed, TEXTS), tokens(), json_texts().map(lambda raw: raw.decode("utf-8", "replace"))
)


@st.composite
def pair_texts(draw: st.DrawFn) -> bytes:
    """A query or form: encoded fields, some bare, some odd."""
    pieces = []
    for name, value in draw(st.lists(st.tuples(WORDS, VALUES), max_size=5)):
        quote = draw(st.sampled_from([urllib.parse.quote, urllib.parse.quote_plus]))
        shape = draw(st.sampled_from(["pair", "pair", "pair", "flag", "empty"]))
        written = name if shape != "flag" and draw(st.booleans()) and name.isascii() else quote(name)
        pieces.append({"pair": f"{written}={quote(value)}", "flag": written, "empty": ""}[shape])
    return "&".join(pieces).encode()


@st.composite
def multipart_texts(draw: st.DrawFn) -> bytes:
    """Fields and files between delimiters of the boundary `edge`."""
    body = b""
    for name, value in draw(st.lists(st.tuples(WORDS, VALUES), max_size=3)):
        file = draw(st.sampled_from(["", '; filename="photo.png"', "; filename=plain.txt"]))
        kind = "\r\nContent-Type: image/png" if file else ""
        body += f'--edge\r\nContent-Disposition: form-data; name="{name}"{file}{kind}\r\n\r\n'.encode()
        body += value.encode().replace(b"--edge", b"") + b"\r\n"
    return body + b"--edge--\r\n"


@st.composite
def xml_texts(draw: st.DrawFn, depth: int = 0) -> bytes:
    """An element with attributes, text, or further elements."""
    name = draw(st.sampled_from([b"a", b"b", b"ns:c"]))
    quoted = draw(st.sampled_from([b"", b' id="1"', b" id = 'x &amp; y'  k='&#65;'"]))
    shape = draw(st.sampled_from(["text", "closed", "cdata"] if depth > 2 else ["text", "closed", "cdata", "nested"]))
    if shape == "closed":
        return b"<" + name + quoted + b"/>"
    inner = {"text": b"x &lt; y", "cdata": b"<![CDATA[1 < 2]]><!-- c -->", "nested": b""}[shape]
    if shape == "nested":
        inner = b"\n ".join(draw(st.lists(xml_texts(depth + 1), min_size=1, max_size=3)))
    return b"<" + name + quoted + b">" + inner + b"</" + name + b" >"


@st.composite
def bodies(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """A body with its Content-Type, which is now and then missing or beside the truth."""
    kind, body = draw(
        st.one_of(
            st.tuples(st.just(b"application/json; charset=utf-8"), json_texts()),
            st.tuples(st.just(b"application/x-www-form-urlencoded"), st.one_of(pair_texts(), json_texts())),
            st.tuples(st.just(b"multipart/form-data; boundary=edge"), multipart_texts()),
            st.tuples(st.just(b"text/xml"), xml_texts()),
            st.tuples(st.just(b""), st.one_of(json_texts(), xml_texts(), st.binary(max_size=40))),
            st.tuples(
                st.sampled_from([b"application/json", b"application/soap+xml", b"image/png"]), st.binary(max_size=40)
            ),
        )
    )
    return kind, body


@st.composite
def headers(draw: st.DrawFn) -> Headers:
    """Headers with credentials and cookies, repeated and in odd case."""
    token = draw(tokens())
    pool = [
        (b"Host", b"shop.example"),
        (b"authorization", f"Bearer {token}".encode()),
        (b"Authorization", b"Basic " + base64.b64encode(b"anna:secret")),
        (b"X-Api-Key", b"k-0123456789"),
        (b"x-api-key", b"k-again"),
        (b"Cookie", f"sid={token}; theme=dark;  t=1%3B2; flag".encode()),
        (b"cookie", b"sid=second; =odd"),
        (b"X-Data", base64.b64encode(gzip.compress(b'{"deep": [1, "two"]}', mtime=0))),
        (b"X-Form", b"one=1&two=b%20c"),
    ]
    return tuple(draw(st.lists(st.sampled_from(pool), max_size=5)))


@st.composite
def requests(draw: st.DrawFn) -> Request:
    """A whole request."""
    path = draw(
        st.sampled_from([b"/", b"/api/v1/users/42", b"/a%20b/", b"//x", b"/index.php", b"/.well-known", b"/f.tar.gz"])
    )
    query = draw(st.one_of(st.none(), pair_texts()))
    kind, body = draw(bodies())
    given = draw(headers())
    if kind:
        given = (*given, (b"Content-Type", kind))
    if draw(st.booleans()):
        body = gzip.compress(body, mtime=0)
        given = (*given, (b"Content-Encoding", b"gzip"))
    if draw(st.booleans()):
        given = (*given, (b"content-length", str(len(body)).encode()))
    return Request("POST", path if query is None else path + b"?" + query, given, body)


@st.composite
def wild_requests(draw: st.DrawFn) -> Request:
    """Any bytes at all where bytes can be."""
    kinds = [
        b"application/json",
        b"text/xml",
        b"multipart/form-data; boundary=e",
        b"application/x-www-form-urlencoded",
        b"x",
    ]
    pairs = draw(st.lists(st.tuples(st.binary(max_size=6), st.binary(max_size=20)), max_size=4))
    coding = draw(st.sampled_from([(), ((b"Content-Encoding", b"gzip"),), ((b"Content-Encoding", b"br"),)]))
    given = (
        *pairs,
        (b"Content-Type", draw(st.sampled_from(kinds))),
        (b"Cookie", draw(st.binary(max_size=30))),
        *coding,
    )
    return Request("POST", draw(st.binary(max_size=40)), given, draw(st.binary(max_size=60)))


INSERTED = st.one_of(
    st.sampled_from(
        [b"", b"'", b"1' OR '1'='1", b'<"&>', b"a;b", b"../../etc/passwd", b"%27", b"x\\u0000", b"5", b"null", b"{}"]
    ),
    st.binary(max_size=16),
    st.text(max_size=16).map(str.encode),
)
