"""Applications that descriptions are asked of: what they list is what was made there."""

import json

from gatecrash.fakes.raw_server import RawServer


def in_json(status: int, body: str) -> bytes:
    head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return (head + body).encode()


def shop(server: RawServer) -> RawServer:
    """Items are listed only once one was created."""
    created: list[int] = []

    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            method, target = raw.split(b" ")[:2]
            status, body = 200, "{}"
            if method == b"POST":
                created.append(41)
                status, body = 201, json.dumps({"id": 41})
            elif target == b"/items":
                body = json.dumps([{"id": one} for one in created])
            elif target != b"/items/41" or not created:
                status = 404
            writer.write(in_json(status, body))

    server._talk = talk
    return server


def listing(server: RawServer) -> RawServer:
    """A list that knows one brand, orders that are refused with a note, and a search that is with some of what it may have."""

    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            line, _, rest = raw.partition(b"\r\n")
            status, body = 200, "[]"
            if b"POST" in line:
                status, body = (400, "{}") if b"note" in rest else (201, '{"id": 5}')
            elif b"/search" in line:
                status = 422 if b"sort=example" in line or b"size=99" in line else 200
            elif b"brand=" not in line or b"brand=Volvo" in line:
                body = '[{"id": 3, "brand": "Volvo"}]'
            writer.write(in_json(status, body))

    server._talk = talk
    return server


def circle(server: RawServer) -> RawServer:
    """A GraphQL application: tickets are there once one was opened, and what is not there is an error under 200."""
    opened: list[str] = []

    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            asked = json.loads(raw.partition(b"\r\n\r\n")[2])
            wanted = asked.get("variables", {}).get("id")
            if "openTicket" in asked["query"]:
                opened.append("t-7")
                told = {"data": {"openTicket": {"id": "t-7"}}}
            elif wanted in opened:
                told = {"data": {"ticket": {"id": wanted}}}
            else:
                told = {"data": {"ticket": None}, "errors": [{"message": "Not found"}]}  # type: ignore[dict-item]
            writer.write(in_json(200, json.dumps(told)))

    server._talk = talk
    return server
