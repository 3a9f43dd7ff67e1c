"""A webhook of a running service: what happened comes from a real worker, also where receiver and worker were away."""

import socket
import sys
from pathlib import Path

import pytest
from tests.e2e.service import Service
from tests.e2e.tenant import wait_until
from tests.e2e.test_kill import kill, tree
from tests.webhook_receiver import receiving

pytestmark = [pytest.mark.database, pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")]


def test_what_happens_comes_when_receiver_and_worker_are_back(tmp_path: Path, database_url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with Service(tmp_path, database_url) as service, service.tenant() as tenant:
        admin = tenant.admin
        wish = {"name": "team", "url": f"http://127.0.0.1:{port}/hook", "events": ["test_run.ended"]}
        path = f"/v1/webhook/{admin.did('POST', '/v1/webhook', wish)['id']}"
        assert admin.post("/v1/webhook", {**wish, "url": f"{service.api}/v1/test_run"}).status == 400
        run = tenant.tested("nightly", passed=1)
        wait_until(lambda: admin.get(path).body, lambda shown: "not reached" in shown["last_error"])
        assert service.process is not None
        kill([one for one, line in tree(service.process.pid).items() if b"gatecrash.control\0worker" in line])
        with receiving(port=port) as receiver:
            wait_until(lambda: admin.get(path).body["waiting"], lambda waiting: waiting == 0)
        [document] = {one["id"]: one for one in receiver.documents}.values()
        assert (document["data"]["test_run_id"], document["data"]["state"]) == (run["id"], "passed")
        assert document["url"] == f"{service.api}/runs/{run['id']}/"
        [delivery] = admin.get(f"{path}/deliveries").body["objects"]
        assert (delivery["state"], delivery["event_id"]) == ("delivered", document["id"])
        assert delivery["tries"] > 1
