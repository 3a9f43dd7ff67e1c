"""A policy comes back from its row as it went in."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.control.policies.mapping import from_content, to_content, whole
from gatecrash.core.testing.policy import THOROUGH, TYPES, Policy

NAMES = st.text(max_size=20)


@given(
    st.builds(
        Policy,
        id=NAMES,
        name=NAMES,
        desc=NAMES,
        tags=st.lists(NAMES).map(tuple),
        types=st.lists(st.sampled_from(TYPES)).map(tuple),
        include=st.lists(st.lists(NAMES).map(tuple)).map(tuple),
        budget=st.none() | st.integers(1, 10),
    )
)
def test_there_and_back(policy: Policy) -> None:
    content = msgspec.json.decode(msgspec.json.encode(to_content(policy)))
    assert from_content(policy.id, policy.name, policy.desc, list(policy.tags), content) == policy


def test_what_a_run_remembers_is_the_whole_policy() -> None:
    assert msgspec.convert(whole(THOROUGH), Policy) == THOROUGH
