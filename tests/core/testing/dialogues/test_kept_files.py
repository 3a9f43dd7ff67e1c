"""Which point is a file that is kept, and what the recorded one was."""

from random import Random

import pytest
from tests.core.testing.driving import record
from tests.range.uploads import uploading

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.dialogues.kept_files import file_name, first_bytes, is_kept_file, kind_of
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
