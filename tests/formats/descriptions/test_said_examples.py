"""Examples that the words of a description tell."""

import pytest

from gatecrash.formats.descriptions.document import References
from gatecrash.formats.descriptions.parameter import filled
from gatecrash.formats.descriptions.said_examples import example_said
from gatecrash.formats.descriptions.sample import Sampler


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("for instance upload", "upload"),
        ("The topic (e.g. upload, share).", "upload"),
        ("A quarter, for example `2024 Q3`.", "2024 Q3"),
        ("such as 'DE-17' of the plate", "DE-17"),
        ("Example: en.srt", "en.srt"),
        ("e.g. 4711 of the list", "4711"),
        ("for example when nothing is found", None),
        ("e.g. the name of a town", None),
        ("the topic", None),
        (None, None),
    ],
)
def test_an_example_in_words(words: str | None, told: str | None) -> None:
    assert example_said(words) == told


def test_a_parameter_and_a_property_of_which_no_more_is_known_have_it() -> None:
    words, sampler = "for instance upload", Sampler(References({}))
    one = filled({"name": "topic", "in": "path", "type": "string", "description": words}, sampler, References({}))
    assert one is not None
    assert (one.value, one.given) == ("upload", True)
    assert sampler.value({"type": "object", "properties": {"topic": {"description": words}}}) == {"topic": "upload"}
    assert sampler.value({"type": "string", "description": words, "enum": ["share"]}) == "share"
