"""The range behind a real port: bytes in, bytes out, and a client that reads them as a browser's library does."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator

from gatecrash.core.message import Request, Response
from gatecrash.node.http1.head import read_request_head, read_response_head
from gatecrash.node.http1.write import request_bytes
from gatecrash.node.test.connections.frames import CLOSE, Talk

_MOST = 4 * 1024 * 1024
_PATIENCE = 30.0
_AGREED = 101

Application = Callable[[Request], Response]


@contextlib.contextmanager
def served(application: Application) -> Iterator[int]:
    """The port at which the application answers while the block runs."""
    with socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
        port = listener.getsockname()[1]
        threading.Thread(target=_accept, args=(listener, application, port), daemon=True).start()
        yield port
        listener.shutdown(socket.SHUT_RDWR)


def _accept(listener: socket.socket, application: Application, port: int) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=_serve, args=(connection, application, port), daemon=True).start()


def _serve(connection: socket.socket, application: Application, port: int) -> None:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with connection, contextlib.suppress(OSError):
        buffer = b""
        while message := _message(connection, buffer):
            raw, body, buffer = message
            head = read_request_head(raw)
            request = Request(head.method, head.target, head.headers, body, host="127.0.0.1", port=port)
            response = application(request)
            if response.status == _AGREED:
                connection.sendall(_opened(response))
                return
            connection.sendall(_bytes_of(response, head.method))


def _message(connection: socket.socket, buffer: bytes) -> tuple[bytes, bytes, bytes] | None:
    """A message's head and body, and what came behind it; bodies here always have a length."""
    while b"\r\n\r\n" not in buffer:
        piece = connection.recv(65536)
        if not piece or len(buffer) > _MOST:
            return None
        buffer += piece
    head, _, buffer = buffer.partition(b"\r\n\r\n")
    length = 0
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
            break
    while len(buffer) < length:
        piece = connection.recv(65536)
        if not piece:
            return None
        buffer += piece
    return head, buffer[:length], buffer[length:]


def _bytes_of(response: Response, method: str) -> bytes:
    """The answer as it is sent: headers as they are, line breaks within them included, as careless servers do."""
    length = (b"Content-Length", str(len(response.body)).encode())
    lines = b"".join(name + b": " + value + b"\r\n" for name, value in (length, *response.headers))
    body = b"" if method == "HEAD" else response.body
    return b"HTTP/1.1 %d Status\r\n" % response.status + lines + b"\r\n" + body


def _opened(response: Response) -> bytes:
    """A WebSocket in which all of a place's lines are said at once, and that closes with the code which stands in its headers."""
    lines = b"".join(name + b": " + value + b"\r\n" for name, value in response.headers)
    talk = Talk(server=True)
    for each in filter(None, response.body.split(b"\n")):
        talk.say(each)
    talk.end(int(response.first(b"WebSocket-Close")))
    return b"HTTP/1.1 101 Switching Protocols\r\n" + lines + b"\r\n" + talk.due()


def _heard(connection: socket.socket, begun: bytes) -> bytes:
    """What is said through a socket until it closes, one message a line."""
    talk, lines = Talk(), []
    while begun:
        for message in talk.hear(begun):
            if message.opcode is CLOSE:
                return b"\n".join(lines)
            lines.append(message.data)
        begun = connection.recv(65536)
    raise ConnectionError("closed")


class Client:
    """Sends requests to a port, one after the other. elapsed: seconds to the last answer. spent: requests so far."""

    def __init__(self, port: int) -> None:
        self.port, self.elapsed, self.spent = port, 0.0, 0
        self._connection: socket.socket | None = None
        self._rest = b""

    def __call__(self, request: Request) -> Response:
        """The answer. Raises ConnectionError where none came."""
        self.spent += 1
        payload, _ = request_bytes(addressed(request, self.port))
        if self._connection is None:
            self._connection = socket.create_connection(("127.0.0.1", self.port), _PATIENCE)
            self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        started = time.perf_counter()
        try:
            self._connection.sendall(payload)
            message = _message(self._connection, self._rest)
        except OSError as error:
            self.close()
            raise ConnectionError(str(error)) from error
        self.elapsed = time.perf_counter() - started
        if message is None:
            self.close()
            raise ConnectionError("closed")
        raw, body, self._rest = message
        head = read_response_head(raw)
        if head.status == _AGREED:
            body = _heard(self._connection, self._rest)
            self.close()
        return Response(head.status, head.headers, body)

    def close(self) -> None:
        """Drop the connection."""
        if self._connection is not None:
            self._connection.close()
        self._connection, self._rest = None, b""


OWN_HOST = b"range.example"
"""The range, in the Referer of what is sent from a page of its own."""


def addressed(request: Request, port: int) -> Request:
    """The request aimed at this port, with its Host, its length and its pages; a Host that it was given after that stays."""
    aimed = (request.host, request.port) == ("127.0.0.1", port)
    named = (request.first(b"Host") if aimed else None) or f"127.0.0.1:{port}".encode()
    headers = tuple(pair for pair in request.headers if pair[0].lower() not in (b"host", b"content-length"))
    headers = tuple((name, value.replace(OWN_HOST, named) if name == b"Referer" else value) for name, value in headers)
    host = (b"Host", named)
    length = ((b"Content-Length", str(len(request.body)).encode()),) if request.body or request.method == "POST" else ()
    return Request(request.method, request.target, (host, *headers, *length), request.body, host="127.0.0.1", port=port)
