"""An extension in a policy's document."""

import msgspec
import pytest

from gatecrash.core.errors import InvalidPolicy
from gatecrash.core.testing.extension_source import MOST
from gatecrash.core.testing.policy import Policy
from gatecrash.core.testing.policy_document import read_policy

TEXT = "meta-info: {title: t, type: info}\nsend: {url: /}\ndetect: {response: {status: 500}}\n"


def test_a_policy_carries_the_text_as_it_was_written_through_json_and_back():
    policy = read_policy({"extensions": [{"name": "x", "text": TEXT}], "only_custom": True}, "p")
    assert policy.extensions[0].text == TEXT
    assert msgspec.convert(msgspec.to_builtins(policy), Policy) == policy


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({"only_custom": True}, "only_custom"),
        ({"types": ["sqli"], "extensions": [{"name": "x", "text": "a: 1"}]}, "extension x, line 1: a: no such phase"),
        ({"types": ["sqli"], "extensions": [{"name": "x"}]}, "text"),
        ({"types": ["sqli"], "extensions": [{"name": "x", "text": TEXT}] * (MOST + 1)}, "more than"),
        ({"types": ["sqli"], "extensions": ["x.yaml"]}, "extensions"),
        ({"extensions": [{"name": "x", "text": TEXT}]}, "types"),
    ],
)
def test_a_policy_with_a_broken_extension_is_refused(document, told):
    with pytest.raises(InvalidPolicy, match=told):
        read_policy(document, "p")
