"""The lossless request and answer that everything else is about.

Nothing here normalises: header order, case and duplicates, the raw target and the body's bytes stay as they came,
because what a tester sends and what a detector sees must be what was on the wire.
Structs are msgspec's, so that the same values travel between node and control plane as they are.
"""

from collections.abc import Iterator

import msgspec

Headers = tuple[tuple[bytes, bytes], ...]

DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}


class Request(msgspec.Struct, frozen=True, array_like=True):
    """One HTTP request as it was sent.

    method: as written, not uppercased.
    target: the request target's raw bytes in origin form (RFC 9112 section 3.2.1), or `*`; never normalised.
    headers: name and value pairs in order, names in their own spelling, values without surrounding blanks.
    body: the bytes after transfer decoding (chunks removed), before content decoding (still gzipped if it was).
    scheme, host, port: where it was sent; host without brackets, in lower case.
    version: "1.0", "1.1" or "2".
    """

    method: str
    target: bytes
    headers: Headers = ()
    body: bytes = b""
    scheme: str = "http"
    host: str = ""
    port: int = 80
    version: str = "1.1"

    @property
    def path(self) -> bytes:
        """The raw target up to its query."""
        return self.target.partition(b"?")[0]

    @property
    def query(self) -> bytes | None:
        """The raw query; None without a question mark, empty with nothing behind it."""
        _, mark, query = self.target.partition(b"?")
        return query if mark else None

    @property
    def origin(self) -> str:
        """Scheme, host and port, the port left out where it is the scheme's own (RFC 6454 section 6.2)."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return (
            f"{self.scheme}://{host}"
            if DEFAULT_PORTS.get(self.scheme) == self.port
            else f"{self.scheme}://{host}:{self.port}"
        )

    @property
    def url(self) -> str:
        """The whole address, bytes outside ASCII shown as escapes."""
        return self.origin + self.target.decode("ascii", "backslashreplace")

    def all(self, name: bytes) -> Iterator[bytes]:
        """Every value of a header, without case."""
        return all_values(self.headers, name)

    def first(self, name: bytes) -> bytes | None:
        """The first value of a header, without case; None where it is absent."""
        return first_value(self.headers, name)


class Response(msgspec.Struct, frozen=True, array_like=True):
    """One HTTP answer.

    body: after transfer decoding, before content decoding.
    truncated: more came than was kept (or the peer closed early); `size` is then what was announced or seen, in bytes.
    """

    status: int
    headers: Headers = ()
    body: bytes = b""
    reason: bytes = b""
    version: str = "1.1"
    truncated: bool = False
    size: int | None = None

    def all(self, name: bytes) -> Iterator[bytes]:
        """Every value of a header, without case."""
        return all_values(self.headers, name)

    def first(self, name: bytes) -> bytes | None:
        """The first value of a header, without case; None where it is absent."""
        return first_value(self.headers, name)


class Exchange(msgspec.Struct, frozen=True, array_like=True):
    """A request with its answer, or without one where none came.

    started: UNIX time in seconds at which the request's first byte was seen or sent.
    elapsed: seconds from the request's last byte to the answer's first one, in a test to its last one; None without an answer.
    connection: an opaque name of the client's connection, so that handshakes can be followed; "" where unknown.
    client: the client's address as the source knows it, without a port; "" where unknown. It never leaves the node.
    drafted: the request was written from a description of the API by its user's wish, and nobody has sent it yet.
    public: that description says that it needs no credentials, and that others do.
    """

    request: Request
    response: Response | None = None
    started: float = 0.0
    elapsed: float | None = None
    connection: str = ""
    client: str = ""
    drafted: bool = False
    public: bool = False


def all_values(headers: Headers, name: bytes) -> Iterator[bytes]:
    """Every value of a header in order, its name compared without case (RFC 9110 section 5.1)."""
    wanted = name.lower()
    return (value for key, value in headers if key.lower() == wanted)


def first_value(headers: Headers, name: bytes) -> bytes | None:
    """The first value of a header, its name compared without case; None where it is absent.

    Lengths are compared first, which spares nearly all names being lowered: an answer is asked a dozen times.
    """
    size = len(name)
    for key, value in headers:
        if len(key) == size and (key == name or key.lower() == name.lower()):
            return value
    return None


def with_header(headers: Headers, name: bytes, value: bytes) -> Headers:
    """The headers with the first of that name set in place, or added at the end."""
    wanted = name.lower()
    for index, (key, _) in enumerate(headers):
        if key.lower() == wanted:
            return (*headers[:index], (key, value), *headers[index + 1 :])
    return (*headers, (name, value))


def with_body(request: Request, body: bytes) -> Request:
    """The request with another body, and the length of that."""
    headers = with_header(request.headers, b"Content-Length", str(len(body)).encode())
    changed: Request = msgspec.structs.replace(request, body=body, headers=headers)
    return changed


def is_of_body(name: bytes) -> bool:
    """Whether a header says how a body is read, or what it calls (SOAP 1.1 section 6.1.1): who takes another body takes these, too."""
    lower = name.lower()
    return lower.startswith(b"content-") or lower == b"soapaction"


def kind_of_content(message: Request | Response) -> bytes:
    """The media type of a body in lower case, without parameters (RFC 9110 section 8.3.1); empty where none is named."""
    return (message.first(b"Content-Type") or b"").partition(b";")[0].strip().lower()


def unsigned(request: Request) -> Request:
    """The request with the headers of its body alone: without what says who sent it."""
    headers = tuple(pair for pair in request.headers if is_of_body(pair[0]))
    bare: Request = msgspec.structs.replace(request, headers=headers)
    return bare


def reading(request: Request, target: bytes) -> Request:
    """A plain question for another address, in the name of whoever sent the request."""
    headers = tuple(pair for pair in request.headers if not is_of_body(pair[0]))
    plain: Request = msgspec.structs.replace(request, method="GET", target=target, headers=headers, body=b"")
    return plain


def without_header(headers: Headers, name: bytes) -> Headers:
    """The headers without any of that name."""
    wanted = name.lower()
    return tuple(pair for pair in headers if pair[0].lower() != wanted)
