"""What identities are called by whoever wrote them down."""

import pytest

from gatecrash.core.testing.profiles.identity_names import login_names, written_names
from gatecrash.core.testing.profiles.profile import ProfileIdentity, Step


def identity(*steps: Step, **variables: str) -> ProfileIdentity:
    return ProfileIdentity(name="customer", variables=tuple(variables.items()), login=steps)


def test_variables_that_are_named_as_names_are_call_somebody() -> None:
    assert written_names(identity(user=" Anna ", email="anna@a.example", password="sesame", id="7")) == {
        "anna",
        "anna@a.example",
    }


@pytest.mark.parametrize(
    "step",
    [
        Step(method="POST", url="/l", form=(("username", "${user}@a.example"), ("password", "${word}"))),
        Step(method="POST", url="/l", json='{"login": [], "input": {"email": "${user}@a.example", "pin": "${word}"}}'),
        Step(method="POST", url="/l", basic=("${user}@a.example", "${word}")),
    ],
    ids=["a form", "a document", "basic"],
)
def test_a_login_may_put_a_name_together(step: Step) -> None:
    assert login_names(identity(step, user="Anna", word="sesame")) == {"anna@a.example"}


@pytest.mark.parametrize("text", ["fixed", "${other}", "${short}", ""])
def test_what_is_fixed_unknown_or_short_calls_nobody(text: str) -> None:
    assert login_names(identity(Step(method="POST", url="/l", form=(("username", text),)), short="an")) == set()
