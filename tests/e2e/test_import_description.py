"""A description goes into a record, is tested by a node that asks for its answers first, and comes out again as HAR."""

import json
from pathlib import Path

import httpx
from tests.cli.running import Up
from tests.e2e.tenant import wait_until

from gatecrash.demo.launch import target

DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "shop", "version": "1"},
    "paths": {
        "/pages/search": {"get": {"parameters": [{"name": "q", "in": "query", "example": "green"}]}},
        "/login": {
            "post": {
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": {"properties": {"user": {"type": "string"}, "password": {"example": "wrong-one"}}}
                        }
                    }
                }
            }
        },
        "/no/such/page/{page_id}": {"get": {}},
    },
}


def test_a_description_is_imported_tested_and_exported(tmp_path: Path) -> None:
    with target() as shop, Up(tmp_path, "--oob-grace", "1", GATECRASH_RATE_LIMIT="0") as up:
        known = up.known()
        with httpx.Client(
            base_url=known["api"], headers={"X-Service-API-Token": known["token"]}, trust_env=False, timeout=60
        ) as service:
            record = service.post("/v1/test_record", json={"name": "described"}).json()["body"]
            path = f"/v1/test_record/{record['id']}"
            imported = service.post(
                f"{path}/import",
                params={"target_url": shop},
                content=json.dumps(DOCUMENT).encode(),
                headers={"Content-Type": "application/json"},
            ).json()
            assert imported["body"]["imported"] == 3, imported
            assert service.post(f"{path}/action/stop").status_code == 200
            # until the node has said that it stopped
            wait_until(lambda: service.get(path).json()["body"], lambda record: record["ready_for_cloning"])
            wish = {"name": "copy", "test_record_id": record["id"], "policy_id": "quick"}
            run = service.post("/v1/test_run", json=wish).json()["body"]
            for _ in range(20):
                run = service.get(f"/v1/test_run/{run['id']}", params={"wait": 10}).json()["body"]
                if run["state"] in ("passed", "failed", "interrupted"):
                    break
            listed = service.get(f"/v1/test_run/{run['id']}/baselines").json()["body"]["objects"]
            exported = service.get(f"{path}/export")
    assert run["state"] == "failed", run
    shown = {one["url"].partition("?")[0].removeprefix(shop): (one["status"], one["reason"]) for one in listed}
    assert shown["/pages/search"] == ("failed", None)
    assert shown["/no/such/page/1"] == ("error", "recording_error"), "its own answer is 404, so nothing was shown"
    assert shown["/login"][0] == "error", "its own answer refuses it"
    entries = exported.json()["log"]["entries"]
    assert [one["request"]["method"] for one in entries] == ["GET", "POST", "GET"]
    assert "wrong-one" not in exported.text
