"""A site read into a record from the command line."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.cli.conftest import Invoke

from gatecrash.cli import record_read


class Told:
    """The service, by what it says of a record each time that it is asked; `None` is a user who ends it."""

    def __init__(self, *starts: dict[str, Any] | None) -> None:
        self._starts: Iterator[dict[str, Any] | None] = iter(starts)
        self.did: list[str] = []

    def get(self, _path: str) -> dict[str, Any]:
        start = next(self._starts)
        if start is None:
            raise KeyboardInterrupt
        return {"id": "rec_1", "start": start}

    def post(self, path: str) -> None:
        self.did.append(path)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_read, "POLL_SECONDS", 0.0)


def watched(told: Told) -> str:
    record = {"id": "rec_1", "start": {"state": "waiting"}}
    return record_read._watched(told, record)["start"]["state"]  # type: ignore[arg-type]


def test_it_is_watched_to_its_end() -> None:
    told = Told({"state": "waiting"}, {"state": "reading"}, {"state": "read"})
    assert (watched(told), told.did) == ("read", [])


def test_who_ends_it_waits_for_what_was_read() -> None:
    told = Told({"state": "reading"}, None, {"state": "closing"}, {"state": "stopped"})
    assert (watched(told), told.did) == ("stopped", ["/v1/test_record/rec_1/action/stop"])


def test_a_node_that_does_not_begin_is_told_of(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(record_read, "UNHEARD_SECONDS", -1.0)
    watched(Told({"state": "waiting"}, {"state": "read"}))
    assert capsys.readouterr().err.count("the node has not begun") == 1


def test_a_record_is_made_and_how_far_it_is_can_be_looked_at(invoke: Invoke, document: Callable[..., Any]) -> None:
    made = document("record", "read", "--no-wait", "--pages", "7", "http://127.0.0.1:9/")
    assert (made["name"], made["start"]["url"], made["start"]["pages"]) == ("127.0.0.1:9/", "http://127.0.0.1:9/", 7)
    shown = invoke("record", "show", made["id"]).stdout
    assert "read: state" in shown
    assert "waiting" in shown
    assert json.loads(invoke("record", "show", made["id"], "--json").stdout)["start"]["pages_read"] == 0


def test_what_is_no_address_is_refused(invoke: Invoke) -> None:
    result = invoke("record", "read", "--no-wait", "ftp://shop.example/")
    assert result.exit_code == 4
    assert "start_url" in result.stderr
