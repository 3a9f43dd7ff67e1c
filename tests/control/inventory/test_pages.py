"""The pages of the inventory: filters in the address, one endpoint by its tabs, marks, exports, a run by one click."""

import time
from collections.abc import Callable

import pytest
from tests.control.browsing import Person
from tests.control.inventory.traffic import BEARER, HOST, count, observe

from gatecrash.control import wall
from gatecrash.control.inventory import decisions, merging, pages
from gatecrash.control.inventory.models import Endpoint, PublicMark
from gatecrash.control.inventory.reading import Read
from gatecrash.wire.counts import NoteCount, ParameterCount, WithoutCount

pytestmark = [pytest.mark.database, pytest.mark.django_db]

HOSTILE = "/<script>alert(1)</script>"


@pytest.fixture
def present(client_id: str) -> int:
    now = int(time.time())
    key = (ParameterCount("api_key", ("header", "X-API-KEY"), 10, 10),)
    note = NoteCount("basic_without_tls", BEARER, 3, now, now)
    observe(
        client_id,
        count("/teas", at=now, without=(WithoutCount("curl", 2, 6, now, now),), notes=(note,)),
        count("/keys", valid=10, parameters=key, at=now),
        count("/open", valid=0, method="POST", at=now),
        count(HOSTILE, valid=0, at=now),
        at=now,
    )
    return now


def endpoint(client_id: str, path: str) -> Endpoint:
    with wall.client(client_id):
        return Endpoint.objects.get(path=path)


@pytest.mark.parametrize(
    ("query", "expected", "absent"),
    [
        ("", ["/teas", "/keys", "/open"], []),
        ("?status=missing", ["/open"], ["/teas", "/keys"]),
        ("?type=api_key", ["/keys"], ["/teas", "/open"]),
        ("?type=none&method=POST", ["/open"], ["/teas", "/keys"]),
        ("?path=tea&sort=-requests", ["/teas"], ["/keys", "/open"]),
        ("?badge=unused", [], ["/teas", "/keys", "/open"]),
        ("?sort=colour", ["/teas", "/keys", "/open"], []),
        ("?status=weird&type=api_key", ["/keys"], ["/teas"]),
        ("?page=9", ["/teas", "/keys", "/open"], ["No traffic yet"]),
    ],
)
def test_the_address_holds_the_filters(
    person: Callable[..., Person], present: int, query: str, expected: list[str], absent: list[str]
) -> None:
    text = person("viewer").text(f"/inventory/{query}")
    assert [path for path in expected if f"{path}</a>" not in text and f"{path}<" not in text] == []
    assert [path for path in absent if f"{path}<" in text] == []
    assert "<script>alert" not in text


def test_names_that_are_not_shown_are_told_of(client_id: str, person: Callable[..., Person]) -> None:
    observe(client_id, *(count(f"/shops/s{chr(97 + place)}") for place in range(29)), count("/shops/{shop_id}"))
    someone = person("viewer")
    told = "gatecrash endpoints split /shops/{shop_id} --host api.example.com"
    assert told in someone.text(f"/inventory/{endpoint(client_id, '/shops/{shop_id}').public_id}/")
    assert told not in someone.text(f"/inventory/{endpoint(client_id, '/shops/sa').public_id}/")


def test_each_tab_tells_its_part(client_id: str, person: Callable[..., Person], present: int) -> None:
    observe(client_id, count("/open", method="POST", requests=1, valid=1, at=present), at=present)
    someone = person("viewer")
    teas, opened = (f"/inventory/{endpoint(client_id, path).public_id}/" for path in ("/teas", "/open"))
    authentication = someone.text(teas)
    assert "Only 40.0% of the requests" in authentication.replace("40%", "40.0%")
    for words in ("AUTHORIZATION", "curl", "Who comes without", "Weak credentials", "Bearer"):
        assert words in authentication, words
    assert "came without it" in authentication or "Of those without it" in authentication
    assert someone.text(f"{teas}?tab=nowhere").count("Authentication parameters") >= 1
    for tab in pages.TABS:
        assert 'aria-current="page"' in someone.text(f"{opened}?tab={tab}")
    assert "Partial" in someone.text(f"{opened}?tab=history")
    assert "<script>alert" not in someone.text(f"/inventory/{endpoint(client_id, HOSTILE).public_id}/")


@pytest.mark.parametrize(
    ("status", "coverage", "words"),
    [
        (None, None, "nothing is known"),
        ("missing", 0.0, "No request in the last 7 days carried"),
        ("partial", 94.9, "95% makes it Consistent"),
        ("consistent", 95.0, "of the requests in the last 7 days carried valid"),
    ],
)
def test_a_status_is_said_in_one_sentence(status: str | None, coverage: float | None, words: str) -> None:
    assert words in pages.sentence({"status": status, "coverage": coverage})


@pytest.mark.parametrize(
    ("statuses", "words"),
    [
        ({"2xx": 0, "unknown": 7}, ""),
        ({"2xx": 1200, "4xx": 34}, "1\u202f200 of 1\u202f234 got a good answer (2xx)"),
        ({"2xx": 0, "4xx": 6, "unknown": 1}, "(6) were turned away"),
        ({"2xx": 0, "3xx": 5, "4xx": 6}, "None that came without it (11) got a good answer"),
    ],
)
def test_what_became_of_those_without_is_said_beside_the_status(statuses: dict[str, int], words: str) -> None:
    said = pages.without_sentence({"statuses": statuses})
    assert words in said
    assert bool(said) == bool(words)


@pytest.mark.parametrize(
    ("refused", "status", "types", "words"),
    [
        (None, "consistent", ["bearer", "cookie"], "every visitor is handed"),
        (None, "missing", [], "by a name that is known"),
        (None, "partial", ["bearer"], "by a name that is known"),
        (None, "consistent", ["bearer"], ""),
        (None, None, [], ""),
        (0, "consistent", ["cookie"], ""),
    ],
)
def test_what_a_status_cannot_know_without_answers_is_said(
    refused: int | None, status: str | None, types: list[str], words: str
) -> None:
    said = pages.unseen_sentence({"refused": refused, "status": status, "types": types})
    assert words in said
    assert bool(said) == bool(words)


def test_an_endpoint_is_marked_public_and_taken_back(
    client_id: str, person: Callable[..., Person], present: int
) -> None:
    one = endpoint(client_id, "/open")
    someone = person("analyst")
    here = f"/inventory/{one.public_id}/"
    refused = someone.post(f"{here}public/", reason="", owner="shop", expires="30")
    assert refused.status_code == 400
    assert "shop" in refused.content.decode(), "what was typed is not lost"
    assert someone.post(f"{here}public/", reason="r", owner="o", expires="7").status_code == 400
    answer = someone.post(f"{here}public/", reason="a price list", owner="shop", expires="30")
    assert (answer.status_code, answer["Location"]) == (302, here)
    with wall.client(client_id):
        mark = PublicMark.objects.get()
    assert mark.expires_at is not None
    assert 29 * 86400 < mark.expires_at - present < 31 * 86400
    assert "a price list" in someone.text(here)
    assert "/open<" not in someone.text("/inventory/?status=missing")
    assert someone.post(f"{here}not-public/").status_code == 302
    assert someone.post(f"{here}not-public/").status_code == 302
    assert "/open<" in someone.text("/inventory/?status=missing")


def test_who_may_not_sees_no_button_and_is_refused(client_id: str, person: Callable[..., Person], present: int) -> None:
    here = f"/inventory/{endpoint(client_id, '/open').public_id}/"
    viewer = person("viewer")
    text = viewer.text(here)
    assert f"{here}public/" not in text
    assert f"{here}test/" not in text
    for action in ("public/", "not-public/", "test/"):
        assert viewer.post(here + action, reason="r", owner="o").status_code == 403
    with wall.client(client_id):
        assert not PublicMark.objects.exists()


def test_a_merged_endpoints_address_leads_to_what_it_became(
    client_id: str, person: Callable[..., Person], present: int
) -> None:
    old = endpoint(client_id, "/open")
    with wall.client(client_id):
        merging.merge(old.number, ("rest", "POST", HOST, "/{any}", ""), present, decided=True)
    answer = person("viewer").get(f"/inventory/{old.public_id}/")
    assert answer.status_code == 302
    assert answer["Location"] == f"/inventory/{endpoint(client_id, '/{any}').public_id}/"


def test_one_click_begins_a_run(client_id: str, person: Callable[..., Person], present: int) -> None:
    answer = person("analyst").post(f"/inventory/{endpoint(client_id, '/teas').public_id}/test/")
    assert answer.status_code == 302
    assert "/tr_" in answer["Location"]


def test_the_export_is_what_the_list_shows(client_id: str, person: Callable[..., Person], present: int) -> None:
    with wall.client(client_id):
        decisions.add_document("shop", Read("s", "1", "3.1.0", ((HOST, ""),), (("GET", "/keys"),)))
    someone = person("viewer")
    for form, media in (("csv", "text/csv"), ("json", "application/json"), ("openapi", "application/json")):
        answer = someone.get(f"/inventory/export/{form}?type=api_key")
        text = b"".join(answer.streaming_content).decode()
        assert (answer.status_code, answer["Content-Type"].partition(";")[0]) == (200, media)
        assert "/keys" in text
        assert "/teas" not in text
    assert someone.get("/inventory/export/xlsx").status_code == 404


def test_anothers_endpoints_are_as_good_as_none(
    client_id: str, other_id: str, person: Callable[..., Person], present: int
) -> None:
    stranger = person("admin", other_id)
    assert "/teas<" not in stranger.text("/inventory/")
    here = f"/inventory/{endpoint(client_id, '/teas').public_id}/"
    assert stranger.get(here).status_code == 404
    for action in ("public/", "not-public/", "test/"):
        assert stranger.post(here + action, reason="r", owner="o").status_code == 404
    assert stranger.get("/inventory/ep_none/").status_code == 404
