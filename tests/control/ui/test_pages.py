"""The dashboard: empty and full, it says what needs looking at."""

import re
import time
from collections.abc import Callable

import pytest
from tests.control.browsing import Person
from tests.control.calling import Api
from tests.control.inventory.traffic import count, observe
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


def test_an_unprotected_operation_is_named(client_id: str, person: Callable[..., Person]) -> None:
    now = int(time.time())
    observe(client_id, count("/graphql", valid=0, at=now, protocol="graphql", operation="query Stalls"), at=now)
    assert "/graphql query Stalls</a>" in person("viewer").text("/")


def test_nothing_of_another_client_is_there(
    client_id: str, other_id: str, person: Callable[..., Person], estate: Callable[[str], Estate]
) -> None:
    estate(other_id)
    assert "the run of the estate" not in person("admin").text("/")


def test_the_chart_of_days_and_its_table_say_what_the_api_says(
    client_id: str, person: Callable[..., Person], caller: Callable[..., Api], estate: Callable[[str], Estate]
) -> None:
    estate(client_id)
    for span in (7, 30):
        days = caller(client_id, "viewer").get(f"/v1/endpoint_statuses?days={span}")[1]["days"]
        text = person("viewer", email=f"{span}@example.com").text(f"/?days={span}")
        table = text[text.index("The numbers") :].partition("</table>")[0]
        shown = re.findall(r'number">(\d+)', table)
        assert shown == [str(one[name]) for one in days[::-1] for name in ("consistent", "partial", "missing")]
        assert f"Endpoints by status on {span} days" in text


def test_a_span_that_there_is_not_is_the_first(
    client_id: str, person: Callable[..., Person], estate: Callable[[str], Estate]
) -> None:
    estate(client_id)
    assert "on 7 days" in person("viewer").text("/?days=400")
