import pytest
from django.core.management import call_command
from django.test import Client

pytestmark = [pytest.mark.database]


@pytest.mark.django_db
def test_alive_ready_and_numbers_need_no_token() -> None:
    http = Client()
    assert http.get("/healthz").json() == {"status": "ok"}
    assert http.get("/readyz").json() == {"status": "ok"}
    page = http.get("/metrics")
    assert page["Content-Type"].startswith("text/plain; version=0.0.4")
    assert b"gatecrash_api_requests_total" in page.content


@pytest.mark.django_db
def test_numbers_hold_no_tenant_and_no_secret(api, client_id: str) -> None:
    api.get("/v1/clients")
    page = Client().get("/metrics").content.decode()
    assert 'method="GET"' in page
    assert client_id not in page
    assert api.token not in page


@pytest.mark.django_db(transaction=True)
def test_a_missing_migration_makes_it_unready() -> None:
    call_command("migrate", "jobs", "zero", verbosity=0)
    try:
        answer = Client().get("/readyz")
        assert answer.status_code == 503
        assert "db migrate" in answer.json()["reason"]
    finally:
        call_command("migrate", verbosity=0)


@pytest.mark.django_db
def test_outside_the_api_there_is_nothing_else() -> None:
    answer = Client().get("/metrics/none")
    assert (answer.status_code, answer.json()["error"]) == (404, "not_found")
