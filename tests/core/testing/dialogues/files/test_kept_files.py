"""Which point is a file that is kept, and what the recorded one was."""

from random import Random

import msgspec
import pytest
from tests.core.testing.driving import record
from tests.range.uploads import uploading

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.dialogues.files.kept_files import (
    file_name,
    first_bytes,
    is_kept_file,
    kind_of,
    places_of,
)
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

FILE = Point.of("post", "multipart", "file")


def situation_at(point: Point, request: Request | None = None) -> Situation:
    baseline = record(lambda _: Response(201), request or uploading("/upload"))
    return Situation(
        baseline=baseline, point=point, value=b"green tea", credentials=(), policy=DEFAULT, random=Random(1)
    )


@pytest.mark.parametrize(
    ("point", "kept"), [(FILE, True), (Point((*FILE, "filename")), False), (Point.of("get", "file"), False)]
)
def test_the_content_of_a_file_is_kept(point, kept):
    assert is_kept_file(situation_at(point)) is kept


def test_what_the_recorded_file_was():
    situation = situation_at(FILE)
    assert file_name(situation) == b"note.txt"
    assert kind_of(situation) == ("txt", "text/plain")
    assert first_bytes(situation) == "green tea"


@pytest.mark.parametrize(
    ("kind", "length", "taken"),
    [(b"image/png", 900, 900), (b"image/png", 40_000, 32), (b"application/pdf", 900, 32)],
    ids=["a-small-picture", "a-large-one", "a-document"],
)
def test_a_small_picture_is_taken_whole(kind: bytes, length: int, taken: int) -> None:
    """Who keeps pictures reads their size, which stands behind the bytes that tell their kind."""
    upload = uploading("/upload")
    request = msgspec.structs.replace(upload, body=upload.body.replace(b"text/plain", kind))
    situation = msgspec.structs.replace(situation_at(FILE, request), value=b"x" * length)
    assert len(first_bytes(situation)) == taken


@pytest.mark.parametrize(
    ("told", "first"),
    [
        ("<pre>../../kept/zqj.txt is here</pre>", b"/kept/zqj.txt"),
        ("<a href='kept/zqj.txt'>it</a>", b"/desk/drop/kept/zqj.txt"),
        ('{"at": "/kept/zqj.txt"}', b"/kept/zqj.txt"),
    ],
)
def test_where_a_file_is_handed_out_is_meant_from_the_page_that_says_it(told: str, first: bytes) -> None:
    upload = uploading("/desk/drop/")
    exchange = Exchange(upload, Response(200, ((b"Content-Type", b"text/html"),), told.encode()))
    with pytest.raises(StopIteration) as ended:
        next(places_of(situation_at(FILE, upload), exchange, "zqj.txt"))
    assert ended.value.value[0] == first
