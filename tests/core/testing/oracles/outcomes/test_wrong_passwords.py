"""A login says in many words that it lets nobody in."""

import pytest

from gatecrash.core.testing.oracles.outcomes.wrong_passwords import tells_of_a_wrong_password


@pytest.mark.parametrize(
    "text",
    [
        "<p>Wrong name or password.</p>",
        "Login failed!",
        '{"error": "Invalid credentials"}',
        "Unknown user name or password",
        "Password is incorrect",
    ],
)
def test_words_of_a_login_that_lets_nobody_in(text: str):
    assert tells_of_a_wrong_password(text)


@pytest.mark.parametrize(
    "text", ["Welcome back, Ann", "Password: <input type=password>", "Invalid date", "Your post failed"]
)
def test_other_words(text: str):
    assert not tells_of_a_wrong_password(text)
