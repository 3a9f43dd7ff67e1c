"""Killed with SIGKILL at random moments under load and started again, the service has lost nothing it acknowledged."""

import random
import threading
from pathlib import Path

import httpx
from tests.cli.running import Up

ROUNDS = 3
HEADERS = "x-service-api-token"


class Load:
    """A client that adds parameters as fast as it can, and remembers what was acknowledged."""

    def __init__(self, api: str, token: str, client_id: str, first: int) -> None:
        self._path = f"{api}/v1/clients/{client_id}/apid/config/auth-parameters"
        self._token = token
        self._number = first
        self._wanted = 0
        self.acknowledged: list[str] = []
        self.enough = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def start(self, wanted: int) -> None:
        self._wanted = wanted
        self._thread.start()

    def join(self) -> int:
        self._thread.join()
        return self._number

    def _run(self) -> None:
        with httpx.Client(headers={HEADERS: self._token}, trust_env=False, timeout=10) as client:
            while True:
                self._number += 1
                try:
                    answer = client.post(self._path, json={"point": [["header", f"X-NUMBER-{self._number}"]]})
                except httpx.HTTPError:
                    self.enough.set()
                    return
                assert answer.status_code == 200, answer.text
                self.acknowledged.append(answer.json()["body"]["id"])
                if len(self.acknowledged) >= self._wanted:
                    self.enough.set()


def test_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    chance = random.Random(20240611)
    acknowledged: list[str] = []
    number, port = 0, "0"
    for _ in range(ROUNDS):
        with Up(tmp_path, "--no-node", "--port", port) as up:
            known = up.known()
            port = known["api"].rpartition(":")[2]
            load = Load(known["api"], known["token"], known["client_id"], number)
            load.start(wanted=chance.randint(1, 60))
            assert load.enough.wait(60)
            up.process.kill()
            number = load.join()
            acknowledged += load.acknowledged
    with Up(tmp_path, "--no-node", "--port", port) as up:
        path = f"{up.known()['api']}/v1/clients/{up.known()['client_id']}/apid/config/auth-parameters"
        listed = httpx.get(path, headers={HEADERS: up.known()["token"]}, trust_env=False).json()["body"]["parameters"]
    custom = [one for one in listed if one["source"] == "custom"]
    assert len(acknowledged) >= ROUNDS
    assert set(acknowledged) <= {one["id"] for one in custom}
    # At most the one request in flight at each kill was done and not acknowledged.
    assert len(custom) <= len(acknowledged) + ROUNDS
