"""HTTP/1.1 as clients and testers send it, the broken kind included."""

import socket

import httpx


def test_one_connection_carries_pipelined_requests(address: str) -> None:
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        connection.sendall(
            b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        )
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    assert answer.index(b"HTTP/1.1 200 OK") < answer.index(b"HTTP/1.1 404 Not Found")


def test_what_is_no_http_is_answered_with_400_and_a_close(address: str) -> None:
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        connection.sendall(b"nonsense\r\n\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 400 ")


def test_a_large_body_is_refused(visitor: httpx.Client) -> None:
    assert visitor.post("/quotes", content=b"x" * (1 << 20 | 1)).status_code == 413


def test_head_is_get_without_its_body(visitor: httpx.Client) -> None:
    head, get = visitor.head("/teas"), visitor.get("/teas")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["Content-Length"] == get.headers["Content-Length"]


def test_answers_keep_the_order_of_their_requests_when_one_takes_its_time(ada: httpx.Client, address: str) -> None:
    host, _, port = address.removeprefix("http://").partition(":")
    slow = b"GET /paper/stickers?text=slow HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: %s\r\n\r\n"
    fast = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        connection.sendall(slow % ada.headers["Authorization"].encode() + fast)
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    assert 0 < answer.index(b"Sticker: slow") < answer.index(b"healthy")
