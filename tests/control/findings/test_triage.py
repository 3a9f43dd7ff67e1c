"""Decisions hang on the code: they hold in every run, are remembered with who made them, and change no run."""

import pytest
from tests.control.calling import Api
from tests.control.findings.test_api import found_one

from gatecrash.control import wall
from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.findings import triage
from gatecrash.control.findings.models import Fingerprint, Suppression, Vulnerability
from gatecrash.fakes.fake_node import FakeNode


@pytest.fixture
def found(client_id: str, node: FakeNode, create) -> Vulnerability:
    found_one(node, create)
    with wall.client(client_id):
        return Vulnerability.objects.select_related("fingerprint").get()


def test_the_history_tells_states_and_words_in_order(client_id: str, found: Vulnerability) -> None:
    with wall.client(client_id):
        triage.decide(found, "accepted", "known since May")
        triage.decide(found, None, "asked the owner")
        triage.decide(found, "accepted", "")  # nothing changes and nothing is said
        triage.decide(found, "fixed", "")
        told = [(one["state"], one["comment"]) for one in triage.history(found.code)]
    assert told == [("accepted", "known since May"), (None, "asked the owner"), ("fixed", "")]


def test_what_was_fixed_and_is_found_again_is_open(
    client_id: str, found: Vulnerability, node: FakeNode, create
) -> None:
    with wall.client(client_id):
        triage.decide(found, "fixed", "")
    found_one(node, create)
    with wall.client(client_id):
        assert Fingerprint.objects.get().state == "open"
        assert triage.history(found.code)[-1]["comment"] == "Found again."


@pytest.mark.parametrize("state", ["accepted", "false_positive"])
def test_other_decisions_outlive_the_next_finding(
    client_id: str, found: Vulnerability, node: FakeNode, create, state: str
) -> None:
    with wall.client(client_id):
        triage.decide(found, state, "")
    found_one(node, create)
    with wall.client(client_id):
        assert Fingerprint.objects.get().state == state


def test_a_suppression_lasts_until_its_end(client_id: str, found: Vulnerability) -> None:
    with wall.client(client_id):
        row = triage.suppress(found.code, "until the release", 2**40)
        assert triage.suppressed_codes() == {found.code: "until the release"}
        Suppression.objects.filter(id=row.id).update(expires_at=1)
        assert triage.suppressed_codes() == {}
        assert triage.shown(Suppression.objects.get())["active"] is False


def test_what_cannot_be_suppressed(client_id: str, found: Vulnerability, monkeypatch: pytest.MonkeyPatch) -> None:
    with wall.client(client_id):
        for code, expires_at in (("S9999", None), (found.code, 1)):
            with pytest.raises(FieldErrors):
                triage.suppress(code, "why", expires_at)
        monkeypatch.setattr(triage, "MOST_SUPPRESSIONS", 0)
        with pytest.raises(FieldErrors):
            triage.suppress(found.code, "why", None)


def test_the_run_stays_as_it_was(api: Api, client_id: str, found: Vulnerability) -> None:
    before = api.get(f"/v1/test_run/{found.run_id}")[1]
    with wall.client(client_id):
        triage.decide(found, "false_positive", "")
        triage.suppress(found.code, "why", None)
    after = api.get(f"/v1/test_run/{found.run_id}")[1]
    assert {name: after[name] for name in ("state", "vulns")} == {name: before[name] for name in ("state", "vulns")}
