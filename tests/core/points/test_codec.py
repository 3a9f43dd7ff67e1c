"""What every codec keeps to, each on its own arbitrary bytes."""

from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.points.realistic import json_texts, multipart_texts, pair_texts, xml_texts

from gatecrash.core.points.codec import CONTAINER, LIMITS, Codec, Part, Unreadable, cost, splice, text
from gatecrash.core.points.formats.multipart import Multipart
from gatecrash.core.points.naming import distinct
from gatecrash.core.points.registry import HEADERS, INSIDE, TARGET

CODECS: list[Codec] = [*TARGET, *HEADERS, *INSIDE, Multipart(b"edge")]
# An example takes longer to draw than all codecs take to read it: each reads every one of them.
SETTINGS = settings(deadline=None, max_examples=max(300, settings().max_examples))
DATA = st.one_of(st.binary(max_size=60), json_texts(), pair_texts(), multipart_texts(), xml_texts())


@given(data=DATA)
@SETTINGS
def test_spans_lie_within_the_data_and_leaves_do_not_overlap(data: bytes) -> None:
    for codec in CODECS:
        name = type(codec).__name__
        try:
            parts = codec.parts(data, LIMITS, LIMITS.levels)
        except Unreadable as error:
            assert str(error), name  # noqa: PT017 - either outcome is right
            continue
        before = 0
        for part in parts:
            assert 0 <= part.begin <= part.start <= part.end <= part.finish <= len(data) or part.kind > CONTAINER, name
            assert 0 <= part.start <= part.end <= len(data), name
            if part.kind != CONTAINER and name not in ("Multipart", "Xml"):
                assert part.start >= before, name
                before = part.end
        assert len({part.steps for part in distinct(parts)}) == len(parts), name


@given(data=DATA)
@SETTINGS
def test_what_looks_like_it_never_breaks_the_reader(data: bytes) -> None:
    for codec in CODECS:
        if codec.looks(data):
            with suppress(Unreadable):
                codec.parts(data, LIMITS, LIMITS.levels)


def test_a_splice_replaces_one_span() -> None:
    assert splice(b"abcd", 1, 3, b"--") == b"a--d"


def test_every_name_has_a_text() -> None:
    assert text("ä".encode()) == "ä"
    assert text(b"\xff") == "ÿ"


def test_a_decoder_is_as_deep_as_the_structure_around_it() -> None:
    assert cost(Part(("json_obj", "a", "json_obj", "b"), 0, 0, b"", 0, 0)) == 3
    assert cost(Part((), 0, 0, b"", 0, 0)) == 1
