"""Every operation of the running service, read from its own OpenAPI document, and real identifiers to fill in."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import httpx
from tests.e2e.tenant import Tenant
from tests.plain_http import PLAIN

METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class Operation:
    """One method on one path, and what the document says of it."""

    method: str
    path: str
    roles: frozenset[str]
    deployment: bool
    takes_body: bool
    answers: frozenset[str]
    raw: bool

    @property
    def name(self) -> str:
        """As people write it."""
        return f"{self.method} {self.path}"

    @property
    def identifiers(self) -> tuple[str, ...]:
        """The names in braces, in order."""
        return tuple(re.findall(r"{(\w+)}", self.path))

    def at(self, identifiers: Mapping[str, str]) -> str:
        """The path with its names filled in."""
        return re.sub(r"{(\w+)}", lambda match: identifiers[match[1]], self.path)


def document(api: str) -> dict[str, Any]:
    """The OpenAPI document, as anybody may read it."""
    response = httpx.get(f"{api}/v1/openapi.json", **PLAIN)
    assert response.status_code == 200
    found: dict[str, Any] = response.json()
    return found


def operations(api: str) -> Iterator[Operation]:
    """Every operation of the document that wants a token."""
    for path, item in document(api)["paths"].items():
        for method in METHODS:
            if method in item and item[method].get("security", True):
                yield Operation(
                    method.upper(),
                    path,
                    frozenset(item[method]["x-roles"]),
                    item[method].get("x-deployment-owner", False),
                    "requestBody" in item[method],
                    frozenset(item[method]["responses"]),
                    item[method]["responses"]["200"]["description"] == "The file",
                )


def identifiers(tenant: Tenant, wanted: tuple[str, ...], action: str = "interrupt") -> dict[str, str]:
    """Identifiers of real things of the client, made just now, for these names in a path."""
    made: dict[str, str] = {}
    for name in wanted:
        made[name] = action if name == "action" else MAKERS[name](tenant)
    return made


def absent(wanted: tuple[str, ...]) -> dict[str, str]:
    """Well-formed identifiers of nothing."""
    return {name: "interrupt" if name == "action" else f"{PREFIX[name]}_{'0' * 26}" for name in wanted}


def _parameter(tenant: Tenant) -> str:
    return str(tenant.admin.did("POST", tenant.parameters, {"point": [["get", tenant.fresh("p")]]})["id"])


def _token(tenant: Tenant) -> str:
    return str(tenant.admin.did("POST", "/v1/tokens", {"name": "made", "role": "viewer"})["id"])


def _audit_entry(tenant: Tenant) -> str:
    return str(tenant.admin.get(f"/v1/audit?target={_token(tenant)}").body["objects"][0]["id"])


def _user(tenant: Tenant) -> str:
    user = {"email": f"{tenant.fresh('user')}-{tenant.client_id}@example.com", "name": "Made", "role": "viewer"}
    return str(tenant.admin.did("POST", "/v1/users", user)["id"])


def _run(tenant: Tenant) -> str:
    return str(tenant.admin.did("POST", "/v1/test_run", {"name": "made"})["id"])


def _record(tenant: Tenant) -> str:
    return str(tenant.admin.did("POST", "/v1/test_record", {"name": "made"})["id"])


def _vulnerability(tenant: Tenant) -> str:
    return str(tenant.tested("with a finding", failed=1)["vulns"][0]["id"])


def _policy(tenant: Tenant) -> str:
    return str(tenant.admin.did("POST", "/v1/policy", {"name": "made", "types": ["sqli"]})["id"])


def _auth_profile(tenant: Tenant) -> str:
    values = [{"point": ["header", "X-KEY"], "value": "made"}]
    return str(tenant.admin.did("POST", "/v1/auth_profile", {"name": "made", "values": values})["id"])


def _webhook(tenant: Tenant) -> str:
    wish = {"name": "made", "url": "http://127.0.0.1:9/", "events": ["test_run.ended"]}
    return str(tenant.admin.did("POST", "/v1/webhook", wish)["id"])


def _schedule(tenant: Tenant) -> str:
    run_id = tenant.tested("repeated", failed=1)["id"]
    wish = {"name": "made", "test_run_id": run_id, "rhythm": "daily", "enabled": False}
    return str(tenant.admin.did("POST", "/v1/schedule", wish)["id"])


def _suppression(tenant: Tenant) -> str:
    vulnerability = tenant.tested("suppressed", failed=1)["vulns"][0]
    wish = {"code": vulnerability["code"], "reason": "made"}
    return str(tenant.admin.did("POST", "/v1/suppressions", wish)["id"])


def _mark(tenant: Tenant) -> str:
    endpoint = tenant.fresh_endpoint()
    mark = {"endpoint_id": endpoint, "reason": "a price list", "owner": "shop"}
    return str(tenant.admin.did("POST", "/v1/public_marks", mark)["id"])


def _document(tenant: Tenant) -> str:
    paths = {"/made": {"get": {"responses": {"200": {"description": "x"}}}}}
    text = json.dumps({"openapi": "3.1.0", "info": {"title": "a", "version": "1"}, "paths": paths})
    answer = tenant.admin.send("POST", f"/v1/api_documents?name={tenant.fresh('doc')}", text.encode())
    assert answer.status == 200, answer
    return str(answer.body["id"])


def _rule(tenant: Tenant) -> str:
    rule = {"kind": "pin", "template": f"/{tenant.fresh('pinned')}/{{id}}"}
    return str(tenant.admin.did("POST", "/v1/template_rules", rule)["id"])


MAKERS: dict[str, Callable[[Tenant], str]] = {
    "client_id": lambda tenant: tenant.client_id,
    "managed_client_id": lambda tenant: tenant.client_id,
    "auth_parameter_id": _parameter,
    "token_id": _token,
    "audit_entry_id": _audit_entry,
    "user_id": _user,
    "test_run_id": _run,
    "other_test_run_id": _run,
    "suppression_id": _suppression,
    "test_record_id": _record,
    "vulnerability_id": _vulnerability,
    "node_id": lambda tenant: tenant.node.welcome.node_id,
    "endpoint_id": lambda tenant: tenant.seen_endpoint(),
    "policy_id": _policy,
    "auth_profile_id": _auth_profile,
    "webhook_id": _webhook,
    "schedule_id": _schedule,
    "public_mark_id": _mark,
    "api_document_id": _document,
    "template_rule_id": _rule,
}
PREFIX = {
    "client_id": "cl",
    "managed_client_id": "cl",
    "auth_parameter_id": "ap",
    "token_id": "tok",
    "audit_entry_id": "aud",
    "user_id": "usr",
    "webhook_id": "wh",
    "schedule_id": "sch",
    "test_run_id": "tr",
    "other_test_run_id": "tr",
    "suppression_id": "sup",
    "test_record_id": "rec",
    "vulnerability_id": "vuln",
    "node_id": "node",
    "endpoint_id": "ep",
    "policy_id": "pol",
    "auth_profile_id": "prof",
    "public_mark_id": "pub",
    "api_document_id": "doc",
    "template_rule_id": "tpl",
}


def node_paths() -> tuple[str, ...]:
    """The node protocol, which is described in `gatecrash.wire` and not in the document."""
    names = ("hello", "heartbeat", "counts", "baselines", "claim", "acquaint", "describe", "results")
    return tuple(f"/v1/node/{name}" for name in names)
