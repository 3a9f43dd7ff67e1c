"""The proxy is what the settings say: none, one process or several, looking into TLS or not."""

from pathlib import Path
from typing import Any

import pytest

from gatecrash.core.errors import UserError
from gatecrash.node.observe.observations import Observations
from gatecrash.node.observe.proxy_processes import ProxyProcesses
from gatecrash.node.observe.route import Origin
from gatecrash.node.observe.tap import Tap
from gatecrash.node.proxy import make_proxy, split_listen
from gatecrash.node.settings import NodeSettings


def made(folder: Path, **settings: Any) -> Tap | ProxyProcesses | None:
    return make_proxy(NodeSettings(api="http://127.0.0.1", token="t", spool_dir=folder, **settings), Observations())


def test_no_address_is_no_proxy(tmp_path: Path) -> None:
    assert made(tmp_path, proxy_listen="") is None


@pytest.mark.parametrize(("processes", "kind"), [(1, Tap), (2, ProxyProcesses)])
def test_the_ca_is_there_before_any_process_wants_it(tmp_path: Path, processes: int, kind: type) -> None:
    assert isinstance(made(tmp_path, processes=processes), kind)
    assert (tmp_path / "ca.pem").exists()


@pytest.mark.parametrize("more", [{"intercept_tls": False}, {"upstream": "http://127.0.0.1:5000"}])
def test_where_no_tls_is_opened_no_ca_is_made(tmp_path: Path, more: dict[str, Any]) -> None:
    tap = made(tmp_path, **more)
    assert isinstance(tap, Tap)
    assert not tap.opens(Origin("https", "127.0.0.1", 443))
    assert not (tmp_path / "ca.pem").exists()


@pytest.mark.parametrize("processes", [1, 2])
def test_an_open_proxy_is_refused_whatever_the_number_of_processes(tmp_path: Path, processes: int) -> None:
    with pytest.raises(UserError, match="could be used by anybody"):
        made(tmp_path, proxy_listen="0.0.0.0:0", processes=processes)


@pytest.mark.parametrize(
    ("text", "read"), [("127.0.0.1:0", ("127.0.0.1", 0)), ("[::1]:8", ("::1", 8)), (":80", ("127.0.0.1", 80))]
)
def test_addresses_to_listen_on_are_read(text: str, read: tuple[str, int]) -> None:
    assert split_listen(text) == read
