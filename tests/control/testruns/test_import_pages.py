"""The page that imports tells what of a file was not taken, where it stands and why."""

import json
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from tests.control.browsing import Person
from tests.control.ui.conftest import Estate, made

from gatecrash.control import wall
from gatecrash.control.testruns.imports import REASONS
from gatecrash.control.testruns.models import TestRecord
from gatecrash.control.ui.words import NOT_IMPORTED

pytestmark = [pytest.mark.database, pytest.mark.django_db]

HERE = "/records/import/"
GOOD = {"method": "GET", "url": "http://shop.test/items?q=tea", "status": 200}


@pytest.fixture
def own(client_id: str) -> Estate:
    return made(client_id)


def lines(*items: object) -> bytes:
    return b"".join((item if isinstance(item, bytes) else json.dumps(item).encode()) + b"\n" for item in items)


def sent(someone: Person, content: bytes, **fields: str) -> tuple[int, str]:
    answer = someone.post(HERE, file=SimpleUploadedFile("a <b>.jsonl", content), **fields)
    return answer.status_code, answer.content.decode()


def test_what_was_not_taken_is_shown_with_its_place_and_its_reason(
    client_id: str, own: Estate, person: Callable[..., Person]
) -> None:
    preflight = {**GOOD, "method": "OPTIONS", "headers": {"Access-Control-Request-Method": "GET"}}
    status, text = sent(person("ci"), lines(GOOD, GOOD, b"{broken", preflight), name="from a file")
    assert status == 200
    assert "from a file" in text
    for reason in ("malformed", "duplicate", "preflight"):
        assert NOT_IMPORTED[reason].replace("'", "&#x27;") in text
    assert 'data-name="Place">3<' in text
    assert 'data-name="Place">4<' in text
    assert "preflight" in text
    with wall.client(client_id):
        record = TestRecord.objects.get(name="from a file")
    assert (record.name, record.baseline_count, record.recording) == ("from a file", 1, False)
    assert f"/records/{record.id}/" in text


def test_every_reason_has_its_words() -> None:
    assert set(NOT_IMPORTED) == set(REASONS)


def test_a_file_that_is_none_is_refused_in_words(client_id: str, own: Estate, person: Callable[..., Person]) -> None:
    someone = person("analyst")
    assert sent(someone, b"")[0] == 400
    assert someone.post(HERE).status_code == 400
    status, text = sent(someone, lines(GOOD), target_url="nowhere")
    assert (status, "Nothing was done yet" in text) == (400, True)
    with wall.client(client_id):
        assert [row.id for row in TestRecord.objects.all()] == [own.test_record_id], "nothing was made"
    assert person("viewer").post(HERE).status_code == 403


def test_a_file_that_cannot_be_read_leaves_no_record_and_the_form_says_why(
    client_id: str, own: Estate, person: Callable[..., Person]
) -> None:
    status, text = sent(person("ci"), b"%PDF-1.7 and more", name="no capture")
    assert status == 400
    assert 'id="file-error"' in text
    with wall.client(client_id):
        assert not TestRecord.objects.filter(name="no capture", deleted_at=None).exists()
