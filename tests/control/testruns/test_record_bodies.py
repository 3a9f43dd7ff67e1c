"""What a record may be made from."""

from typing import Any

import pytest
from tests.control.calling import Api

pytestmark = pytest.mark.database


@pytest.mark.parametrize(
    "given",
    [
        {"start_url": "ftp://shop.test/"},
        {"start_url": "shop.test"},
        {"start_url": "/only/a/path"},
        {"start_url": "http://[/"},
        {"start_url": "http://ann:word@shop.test/"},
        {"start_url": "http://shop.test/a b"},
        {"start_url": "http://shop.test/", "pages": 0},
        {"start_url": "http://shop.test/", "pages": 5001},
        {"start_url": "http://shop.test/", "auth_profile_id": "prof_none"},
        {"starts": "http://shop.test/"},
    ],
)
def test_what_cannot_be_read_is_refused_with_its_field(api: Api, given: dict[str, Any]) -> None:
    status, body = api.post("/v1/test_record", {"name": "shop", **given})
    assert status == 400
    assert set(body) == {list(given)[-1]}


def test_an_address_with_path_and_query_is_taken_as_it_is(api: Api) -> None:
    url = "https://shop.test:8443/teas/?page=2"
    status, body = api.post("/v1/test_record", {"name": "shop", "start_url": url})
    assert (status, body["start"]["url"], body["start"]["pages"]) == (200, url, 500)


def test_a_run_takes_no_address(api: Api) -> None:
    status, body = api.post("/v1/test_run", {"name": "shop", "start_url": "http://shop.test/"})
    assert (status, body["start_url"]["error"]) == (400, "unknown_field")
