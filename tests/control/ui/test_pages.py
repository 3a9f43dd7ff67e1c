"""The dashboard: empty and full, it says what needs looking at."""

from collections.abc import Callable

import pytest
from tests.control.browsing import Person
from tests.control.ui.conftest import Estate

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_an_empty_installation_says_how_to_begin(client_id: str, person: Callable[..., Person]) -> None:
    text = person("viewer").text("/")
    assert "<h1" in text
    assert "Traceback" not in text


def test_the_unprotected_the_runs_and_what_was_found_are_there(
    client_id: str, person: Callable[..., Person], estate: Callable[[str], Estate]
) -> None:
    own = estate(client_id)
    text = person("viewer").text("/")
    assert "the run of the estate" in text
    assert own.test_run_id in text
    assert "sqli" in text


def test_nothing_of_another_client_is_there(
    client_id: str, other_id: str, person: Callable[..., Person], estate: Callable[[str], Estate]
) -> None:
    estate(other_id)
    assert "the run of the estate" not in person("admin").text("/")
