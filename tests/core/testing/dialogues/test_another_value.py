"""A harmless value has the form of the recorded one, and stays below the same folder."""

import re
from random import Random

import pytest

from gatecrash.core.testing.dialogues.another_value import another_like


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (b"SH-1001", rb"(?![A-Z]*[AEIOUY])[A-Z]{2}-\d{4}"),
        (b"tea", rb"[^aeiouy\d-]{3}"),
        (b"0af3-77", rb"\d[^aeiouy\d-]{2}\d-\d\d"),
        (b"/api/users/anna", rb"/api/users/[^aeiouy\d-]{4}"),
        (b"/api/users/", rb"/api/[^aeiouy\d-]{5}/"),
    ],
)
def test_another_value_of_the_same_form_is_no_word_that_a_filter_looks_for(value, form):
    drawn = {another_like(value, Random(seed)) for seed in range(400)}
    assert [each for each in drawn if not re.fullmatch(form, each)] == []
    assert len(drawn) > 100
