"""What looks like a template."""

import pytest

from gatecrash.core.testing.template_signs import is_like_a_template


@pytest.mark.parametrize(
    ("text", "like"),
    [("Dear {{ name }},", True), ("{%if x%}", True), ("[%x%]", True), ("<%= x %>", True), ("#{x}", True), ("[[x]]", True),
     ("{{}}", False), ("}} {{", False), ("{x} <b> 5 % {", False), ("$ {x}", False), ("[[" * 100_000, False)],
)  # fmt: skip
def test_a_template_is_known_by_signs_with_something_between(text, like):
    assert is_like_a_template(text) is like
