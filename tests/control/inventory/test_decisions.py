"""What a client decides reaches its nodes and its endpoints, once each, within limits, and is written down."""

from collections.abc import Callable

import pytest
from tests.control.inventory.traffic import HOST, NOW, count, observe, shown

from gatecrash.control import wall
from gatecrash.control.accounts.models import AuditEntry
from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.inventory import arranging, decisions, queries, services
from gatecrash.control.inventory.models import ApiDocument, EndpointAlias, TemplateRule
from gatecrash.control.inventory.reading import Read
from gatecrash.control.jobs.models import Job
from gatecrash.core.point import Point

pytestmark = [pytest.mark.database, pytest.mark.django_db]

SHOP = Read("Shop", "1", "3.1.0", ((HOST, "/v1"),), (("GET", "/users/{id}"),))


def version(client_id: str) -> int:
    with wall.client(client_id):
        return queries.config_version(client_id)


def refused(wanted: Callable[[], object]) -> dict[str, str]:
    with pytest.raises(FieldErrors) as caught:
        wanted()
    return {name: problem["error"] for name, problem in caught.value.problems.items()}


def test_refused_requests_leave_every_share_at_once_and_come_back(client_id: str) -> None:
    observe(client_id, count("/a", requests=100, valid=90, refused=10), count("/b", requests=10, valid=0, refused=10))
    assert {path: one["status"] for path, one in shown(client_id).items()} == {"/a": "partial", "/b": "missing"}
    with wall.client(client_id):
        decisions.change_settings(leave_refused_out=True)
    assert {path: one["coverage"] for path, one in shown(client_id).items()} == {"/a": 100.0, "/b": None}
    assert set(shown(client_id, status="consistent")) == {"/a"}
    assert set(shown(client_id, status="no_traffic")) == {"/b"}
    with wall.client(client_id):
        for _ in range(2):
            decisions.change_settings(leave_refused_out=False)
        assert AuditEntry.objects.filter(action="inventory.settings").count() == 2
    assert set(shown(client_id, status="missing")) == {"/b"}


def test_a_document_is_taken_replaced_and_removed_and_each_time_nodes_hear_of_it(client_id: str) -> None:
    before = version(client_id)
    with wall.client(client_id):
        row = decisions.add_document("shop", SHOP)
        assert version(client_id) == before + 1
        assert refused(lambda: decisions.add_document("shop", SHOP)) == {"name": "already_exists"}
        decisions.replace_document(row, SHOP._replace(version="2", operations=(("POST", "/orders"),)))
        kept = ApiDocument.objects.get()
        assert (kept.version, kept.operations, kept.name) == ("2", [["POST", "/orders"]], "shop")
        assert queries.client_config(client_id).documents[0].operations == (("POST", "/orders"),)
        decisions.remove_document(row)
        decisions.remove_document(row)
        assert not ApiDocument.objects.exists()
        assert Job.objects.filter(name=decisions.ARRANGE).exists()
        audited = AuditEntry.objects.filter(action__startswith="api_document").order_by("number")
        assert [entry.action for entry in audited] == [
            "api_document.create",
            "api_document.change",
            "api_document.delete",
        ]
    assert version(client_id) == before + 3


def test_a_rule_is_there_once_and_reaches_the_nodes(client_id: str) -> None:
    with wall.client(client_id):
        pin = decisions.add_rule("pin", HOST, "/users/{id}")
        decisions.add_rule("pin", "", "/users/{id}")
        decisions.add_rule("split", HOST, "/users/{id}")
        assert refused(lambda: decisions.add_rule("pin", HOST, "/users/{id}")) == {"template": "already_exists"}
        config = queries.client_config(client_id)
        assert {one.host for one in config.pins} == {HOST, ""}
        assert [one.host for one in config.splits] == [HOST]
        decisions.remove_rule(pin)
        decisions.remove_rule(pin)
        assert TemplateRule.objects.count() == 2


def test_what_is_decided_within_one_second_keeps_its_order(client_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two pins or documents that say the same the earlier has it, so their order is a decision, too."""
    monkeypatch.setattr(decisions, "now", lambda: NOW)
    monkeypatch.setattr(services, "now", lambda: NOW)
    hosts = [f"{name}.example.com" for name in "gacfbed"]
    with wall.client(client_id):
        for host in hosts:
            decisions.add_rule("pin", host, "/users/{id}")
            decisions.add_document(host, SHOP._replace(servers=((host, "/v1"),)))
            services.add_auth_parameter(Point.of("header", host.upper()), None)
        config = queries.client_config(client_id)
        assert [pin.host for pin in config.pins] == hosts
        assert [paths.host for paths in config.documents] == hosts
        assert [point[-1] for point in config.parameters] == [host.upper() for host in hosts]


def test_limits_hold(client_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "MOST_RULES", 1)
    monkeypatch.setattr(decisions, "MOST_DOCUMENTS", 1)
    with wall.client(client_id):
        decisions.add_rule("pin", "", "/a/{b}")
        decisions.add_document("a", SHOP)
        assert refused(lambda: decisions.add_rule("pin", "", "/b/{c}")) == {"template": "out_of_range"}
        assert refused(lambda: decisions.add_document("b", SHOP)) == {"name": "out_of_range"}
        assert (TemplateRule.objects.count(), ApiDocument.objects.count()) == (1, 1)


def test_a_split_lets_what_was_merged_count_for_itself_again(client_id: str) -> None:
    names = [f"/teas/sort{'abcdefghijklmnopqrstuvwxyzabcdefgh'[place]}{place}" for place in range(32)]
    observe(client_id, *(count(name) for name in names))
    with wall.client(client_id):
        arranging.arrange(NOW)
        [(template, _)] = shown(client_id).items()
        assert EndpointAlias.objects.exclude(digest=None).count() == 32
        decisions.add_rule("split", HOST, template)
        assert EndpointAlias.objects.exclude(digest=None).count() == 0
    observe(client_id, count(names[0]))
    assert set(shown(client_id)) == {template, names[0]}
    with wall.client(client_id):
        arranging.arrange(NOW)
        old = EndpointAlias.objects.get(path=names[1]).public_id
        found = queries.find_endpoint(old, at=NOW)
        assert found is not None
        assert (found["path"], found["redirected_from"]) == (template, old)
