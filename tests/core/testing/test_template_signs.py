"""What looks like a template."""

import pytest

from gatecrash.core.point import Point
from gatecrash.core.testing.template_signs import is_like_a_template, is_named_as_template


@pytest.mark.parametrize(
    ("text", "like"),
    [("Dear {{ name }},", True), ("{%if x%}", True), ("[%x%]", True), ("<%= x %>", True), ("#{x}", True), ("[[x]]", True),
     ("{{}}", False), ("}} {{", False), ("{x} <b> 5 % {", False), ("$ {x}", False), ("[[" * 100_000, False)],
)  # fmt: skip
def test_a_template_is_known_by_signs_with_something_between(text, like):
    assert is_like_a_template(text) is like


@pytest.mark.parametrize(
    ("point", "named"),
    [(("post", "form_urlencoded", "mail_template"), True), (("get", "notification_body"), True),
     (("get", "name"), False), (("header", "X-TEMPLATE"), False)],
)  # fmt: skip
def test_templates_are_called_so(point, named):
    assert is_named_as_template(Point(point)) is named
