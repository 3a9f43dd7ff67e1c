"""The page that has a site read, and the record's page while and after it is."""

from collections.abc import Callable

import pytest
from tests.control.browsing import Person
from tests.control.ui.conftest import Estate, made

from gatecrash.control import wall
from gatecrash.control.testruns.models import TestRecord

pytestmark = [pytest.mark.database, pytest.mark.django_db]

HERE = "/records/read/"


@pytest.fixture
def own(client_id: str) -> Estate:
    return made(client_id)


def begun(someone: Person, client_id: str) -> TestRecord:
    answer = someone.post(HERE, start_url="http://shop.test/tea", pages="9", name="", auth_profile_id="", node_id="")
    assert answer.status_code == 302, answer.content.decode()
    with wall.client(client_id):
        return TestRecord.objects.get(id=answer.headers["Location"].strip("/").rpartition("/")[2])


def test_an_address_begins_a_record_that_is_shown_while_it_is_read(
    client_id: str, own: Estate, person: Callable[..., Person]
) -> None:
    someone = person("ci")
    record = begun(someone, client_id)
    assert (record.name, record.start["url"], record.start["most"]) == ("shop.test/tea", "http://shop.test/tea", 9)
    text = someone.text(f"/records/{record.id}/")
    assert "Waiting for the test node" in text
    assert "Stop reading" in text
    assert 'hx-trigger="every 2s"' in text
    assert "Recording stops after" not in text
    live = someone.get(f"/records/{record.id}/", headers={"HX-Request": "true"})
    assert "HX-Refresh" not in live.headers
    assert "<html" not in live.content.decode()


def test_what_was_read_and_why_not_stands_there_afterwards(
    client_id: str, own: Estate, person: Callable[..., Person]
) -> None:
    someone = person("ci")
    record = begun(someone, client_id)
    with wall.client(client_id):
        trouble = {"trouble": "shop.test may not be <asked>.", "notes": ["Only the first 9 pages were read."]}
        TestRecord.objects.filter(id=record.id).update(recording=False, draining=False, start=record.start | trouble)
    text = someone.text(f"/records/{record.id}/")
    assert "shop.test may not be &lt;asked&gt;." in text
    assert "Only the first 9 pages were read." in text
    assert "hx-trigger" not in text
    live = someone.get(f"/records/{record.id}/", headers={"HX-Request": "true"})
    assert live.headers["HX-Refresh"] == "true"


def test_a_bad_address_is_refused_beside_its_field_and_makes_no_record(
    client_id: str, own: Estate, person: Callable[..., Person]
) -> None:
    with wall.client(client_id):
        before = TestRecord.objects.count()
    answer = person("ci").post(HERE, start_url="shop", pages="9", name="", auth_profile_id="", node_id="")
    assert answer.status_code == 400
    assert 'id="start_url-error"' in answer.content.decode()
    with wall.client(client_id):
        assert TestRecord.objects.count() == before


def test_who_only_reads_may_not(client_id: str, own: Estate, person: Callable[..., Person]) -> None:
    assert person("viewer").get(HERE).status_code == 403
