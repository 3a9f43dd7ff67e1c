"""What every codec keeps to, each on its own arbitrary bytes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.points.realistic import json_texts, multipart_texts, pair_texts, xml_texts

from gatecrash.core.points.codec import CONTAINER, LIMITS, Codec, Part, Unreadable, cost, splice, text
from gatecrash.core.points.formats.multipart import Multipart
from gatecrash.core.points.naming import distinct
from gatecrash.core.points.registry import HEADERS, INSIDE, TARGET

CODECS: list[Codec] = [*TARGET, *HEADERS, *INSIDE, Multipart(b"edge")]
DATA = st.one_of(st.binary(max_size=60), json_texts(), pair_texts(), multipart_texts(), xml_texts())


@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: type(codec).__name__)
@given(data=DATA)
@settings(deadline=None)
def test_spans_lie_within_the_data_and_leaves_do_not_overlap(codec: Codec, data: bytes) -> None:
    try:
        parts = codec.parts(data, LIMITS, LIMITS.levels)
    except Unreadable as error:
        assert str(error)  # noqa: PT017 - either outcome is right
        return
    before = 0
    for part in parts:
        assert 0 <= part.begin <= part.start <= part.end <= part.finish <= len(data) or part.kind > CONTAINER
        assert 0 <= part.start <= part.end <= len(data)
        if part.kind != CONTAINER and type(codec).__name__ not in ("Multipart", "Xml"):
            assert part.start >= before
            before = part.end
    assert len({part.steps for part in distinct(parts)}) == len(parts)


@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: type(codec).__name__)
@given(data=DATA)
@settings(deadline=None)
def test_what_looks_like_it_never_breaks_the_reader(codec: Codec, data: bytes) -> None:
    if codec.looks(data):
        try:
            codec.parts(data, LIMITS, LIMITS.levels)
        except Unreadable:
            return


def test_a_splice_replaces_one_span() -> None:
    assert splice(b"abcd", 1, 3, b"--") == b"a--d"


def test_every_name_has_a_text() -> None:
    assert text("ä".encode()) == "ä"
    assert text(b"\xff") == "ÿ"


def test_a_decoder_is_as_deep_as_the_structure_around_it() -> None:
    assert cost(Part(("json_obj", "a", "json_obj", "b"), 0, 0, b"", 0, 0)) == 3
    assert cost(Part((), 0, 0, b"", 0, 0)) == 1
