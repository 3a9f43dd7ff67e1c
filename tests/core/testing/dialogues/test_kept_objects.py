from tests.core.testing.driving import answered

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.dialogues.kept_objects import Kept, ObjectReader

MADE = Request(
    "POST", b"/users", ((b"Content-Type", b"application/json"),), b'{"name": "Ann"}', "http", "shop.example", 80
)
JSON = ((b"Content-Type", b"application/json"),)
NEW = b'{"id": 7, "name": "Ann", "role": "user"}'


def kept(status: int, reads: Response) -> Kept:
    exchange = Exchange(MADE, Response(status, JSON, NEW))
    return answered(ObjectReader(MADE, creates=True).kept(exchange, {"name": "Ann"}), lambda _: reads)


def test_what_can_be_read_is_read():
    assert kept(201, Response(200, JSON, NEW.replace(b"user", b"admin"))) == Kept(
        {"id": 7, "name": "Ann", "role": "admin"}, read=True
    )


def test_else_its_answer_tells_unless_that_only_promises():
    assert kept(201, Response(404)) == Kept({"id": 7, "name": "Ann", "role": "user"}, read=False)
    assert kept(202, Response(404)) == Kept(None, read=False)
